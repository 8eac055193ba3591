"""What is to be run: contenders and rounds out of `peers.toml`, and the jobs that they make."""

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, final

from benchmarks.peers.problems import PROBLEMS

from wdrop._checks import known

FOLDER = Path(__file__).parent
PLAN = FOLDER / "peers.toml"


@final
@dataclass(frozen=True, kw_only=True)
class Contender:
    """One library: what pip installs, what a user imports, which methods its script has."""

    name: str
    package: str
    requirements: Sequence[str]
    imports: str
    methods: Sequence[str]
    note: str
    torch: bool = True

    @property
    def script(self) -> Path:
        return FOLDER / f"run_{self.name}.py"


@final
@dataclass(frozen=True, kw_only=True)
class Round:
    """A problem and a width, given to all contenders that have the methods."""

    problem: str
    width: int
    methods: Sequence[str]
    repeats: int
    most_seconds: float

    def __post_init__(self) -> None:
        known("problem", self.problem, PROBLEMS)


class Key(NamedTuple):
    """What tells one job from all others."""

    contender: str
    method: str
    problem: str
    width: int
    repeat: int


@final
@dataclass(frozen=True)
class Plan:
    """All of `peers.toml`."""

    base: Sequence[str]
    contenders: dict[str, Contender]
    rounds: Sequence[Round]

    @classmethod
    def read(cls, path: Path = PLAN) -> "Plan":
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        contenders = {name: Contender(name=name, **entry) for name, entry in table.pop("contenders").items()}
        return cls(rounds=[Round(**entry) for entry in table.pop("rounds")], contenders=contenders, **table)

    def jobs(self, names: Collection[str], repeats: int) -> Iterator[tuple[Key, Round]]:
        """All jobs of these contenders, in turns: a slow minute of the machine falls on everybody."""
        for repeat in range(repeats):
            for part in self.rounds:
                if repeat < part.repeats:
                    for method in part.methods:
                        for name in names:
                            if method in self.contenders[name].methods:
                                yield Key(name, method, part.problem, part.width, repeat), part


def lines_of_user_code(script: str) -> int:
    """Lines between `# user code` and `# end`, without blank ones and comments."""
    parts = re.findall(r"^ *# user code\n(.*?)^ *# end\n", script, re.DOTALL | re.MULTILINE)
    lines = [line.strip() for part in parts for line in part.splitlines()]
    return sum(1 for line in lines if line and not line.startswith("#"))
