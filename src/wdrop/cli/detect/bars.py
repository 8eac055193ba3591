"""Progress on stderr: a bar in a terminal, lines elsewhere; warnings in one line."""

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@contextmanager
def bar(title: str, *, shown: bool = True) -> Iterator[Callable[..., None]]:
    """A bar with time spent and time to go, told how much is done, of how much, and perhaps the parts of the loss.

    Where stderr is no terminal, as in a batch job, the lines that the library logs are shown in its place.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        with logged(shown=shown):
            yield lambda *_, **__: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("ETA"), TimeRemainingColumn(), console=console, disable=not shown) as bars:
        task = bars.add_task(title, total=None)

        def progress(done: int, total: int, losses: Mapping[str, float] | None = None) -> None:
            parts = "".join(f"  {name} {value:.3f}" for name, value in (losses or {}).items())
            bars.update(task, completed=done, total=total, description=title + parts)

        yield progress


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        tell(record.getMessage())


@contextmanager
def logged(*, shown: bool) -> Iterator[None]:
    """Show what the library logs in lines of the command's own."""
    logger, lines = logging.getLogger("wdrop"), _Lines(logging.INFO if shown else logging.ERROR)
    level = logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(lines)
        logger.setLevel(level)


def tell(message: str) -> None:
    """One line on stderr, as the command line shows errors; nothing stops."""
    Console(stderr=True).print(f"wdrop: {message}", markup=False, highlight=False, soft_wrap=True)


@contextmanager
def told_in_one_line(*, shown: bool = True) -> Iterator[None]:
    """Show warnings, and losses that ran away, as the command line shows errors: without file and line of code."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if shown:
            tell(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        try:
            yield
        except FloatingPointError as error:
            raise ValueError(str(error)) from None
