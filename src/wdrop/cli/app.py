"""All commands, and how their errors reach the user: one line on stderr, exit code 2, no traceback."""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console

from wdrop._version import __version__
from wdrop.cli import INSTALL_HINT, data, detect, study
from wdrop.cli.compare import compare
from wdrop.cli.demo import demo
from wdrop.cli.evaluate import evaluate
from wdrop.cli.fit import fit
from wdrop.cli.predict import predict

_WrongUse: Any = typer.BadParameter.__bases__[0]  # click's UsageError; newer versions of typer carry click inside

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help starts faster
)
app.command()(demo)
app.command()(fit)
app.command()(predict)
app.command()(evaluate)
app.command()(compare)
app.add_typer(study.app, name="study")
app.add_typer(data.app, name="data")
app.add_typer(detect.app, name="detect")


_INTERRUPTED = 130
_WHOLE_OR_NOT = (["fit"], ["predict"], ["evaluate"])  # commands that write all in the end, or nothing


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wdrop {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Honest error bars for regression networks."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run() -> None:
    """Run the command; wrong use and wrong files end in one line and exit code 2, Ctrl-C in 130."""
    code: int | None = None
    try:
        code = app(standalone_mode=False)
    except _WrongUse as error:
        _fail(error.format_message())
    except OSError as error:
        _fail(_in_words(error))
    except ValueError as error:
        _fail(str(error))
    except ModuleNotFoundError as missing:
        _fail(f"this command needs {missing.name}; {INSTALL_HINT}")
    except (KeyboardInterrupt, typer.Abort):
        code = _INTERRUPTED
    if code == _INTERRUPTED:  # which typer may have made of Ctrl-C itself
        is_whole = sys.argv[1:2] in _WHOLE_OR_NOT
        kept = "no file was written or changed" if is_whole else "what was finished is kept"
        Console(stderr=True).print(f"wdrop: stopped; {kept}")
    sys.exit(code)


def _in_words(error: OSError) -> str:
    """An error of the system without its number, and with what to do; errors of ours are words already."""
    if error.errno is None:
        return str(error)
    place = "a file" if error.filename is None else str(error.filename)
    if isinstance(error, FileNotFoundError):
        return f"{place}: expected a file or folder there, found none; check the path"
    return f"{place} cannot be read or written: {error.strerror}; make room or get the rights, or name another place"


def _fail(message: str) -> None:
    Console(stderr=True).print(f"wdrop: {message}", markup=False, highlight=False, soft_wrap=True)
    sys.exit(2)
