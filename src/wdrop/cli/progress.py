"""Progress bars with rate and ETA, on stderr, and only in a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from wdrop._processes import JobProgress


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text("" if not task.speed else f"{task.speed:,.0f} steps/s", style="dim")


@contextmanager
def job_bars(names: Sequence[str]) -> Iterator[JobProgress]:
    """A bar for each job, told by the job's number."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), _Rate())
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal) as bars:
        tasks = [bars.add_task(name, total=None) for name in names]

        def tell(job: int, done: int, total: int) -> None:
            bars.update(tasks[job], completed=done, total=total)

        yield tell
