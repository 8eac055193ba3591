"""The command line: parses and prints, decides nothing."""

import sys


def main() -> None:
    """The entry of the `wdrop` command."""
    try:
        from wdrop.cli.app import run
    except ModuleNotFoundError as missing:
        if missing.name not in ("typer", "rich"):
            raise
        sys.exit(f"wdrop: the command line needs {missing.name}; install it with: pip install 'wdrop[cli,report]'")
    run()
