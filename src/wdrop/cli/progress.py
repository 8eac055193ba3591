"""Progress bars with rate and ETA, on stderr, and only in a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from wdrop._processes import JobProgress

_FEW = 6  # so many bars fit on a screen


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text("" if not task.speed else f"{task.speed:,.0f} steps/s", style="dim")


@contextmanager
def job_bars(names: Sequence[str]) -> Iterator[JobProgress]:
    """A bar for each job that is under way, told by the job's number, and one for all if there are many."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), _Rate())
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal) as bars:
        many = len(names) > _FEW
        whole = bars.add_task(f"all {len(names)}", total=len(names), visible=many)
        tasks = [bars.add_task(name, total=None, visible=not many) for name in names]

        def tell(job: int, done: int, total: int) -> None:
            bars.update(tasks[job], completed=done, total=total, visible=not many or done < total)
            bars.update(whole, completed=sum(bars.tasks[task].finished for task in tasks))

        yield tell
