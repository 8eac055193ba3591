"""How long it takes until something is there to work with: imports beside torch's own, and the command's help.

Every contender is a process of its own, in turns; its processor time counts, of which Python's own start is a part.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence

from benchmarks._results import keep, parser

from wdrop.report.tables import Table

CODE = {
    "Python alone": "pass",
    "import torch": "import torch",
    "import wdrop": "import wdrop",
    "from wdrop import METHODS": "from wdrop import METHODS",
    "from wdrop import Regressor": "from wdrop import Regressor",
}
COMMANDS = {name: (sys.executable, "-c", code) for name, code in CODE.items()} | {
    "wdrop --help": (sys.executable, "-m", "wdrop", "--help"),
}


def child_seconds(command: Sequence[str]) -> float:
    """Processor time of a process from start to end."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"})
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system)


def medians(commands: Mapping[str, Sequence[str]], n_turns: int) -> dict[str, float]:
    """Seconds of each, the median of its turns; the first turn fills the file cache and does not count."""
    turns = [{name: child_seconds(command) for name, command in commands.items()} for _ in range(n_turns + 1)]
    return {name: statistics.median(turn[name] for turn in turns[1:]) for name in commands}


def table(seconds: Mapping[str, float], n_turns: int) -> Table:
    """Every contender beside the import of torch."""
    torch = seconds["import torch"]
    rows = [[f"`{name}`", f"{value:.2f}", f"{value / torch:.2f}"] for name, value in seconds.items()]
    note = f"Each in a process of its own, one thread, median of {n_turns} turns, processor time."
    return Table("Until something is there", ["what", "s", "times `import torch`"], rows, note)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.add_argument("--turns", type=int, default=5)
    chosen = options.parse_args(arguments)
    keep("start_up", [table(medians(COMMANDS, chosen.turns), chosen.turns)], chosen.out)


if __name__ == "__main__":
    main()
