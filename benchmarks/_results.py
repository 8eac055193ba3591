"""Where the benchmarks leave what they measured."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from wdrop.report.tables import Table

ROOT = Path(__file__).parents[1]
SPEED = ROOT / "results" / "speed"


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Options that all share."""
    options = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    options.add_argument("--out", type=Path, default=SPEED, help="the folder to write to")
    return options


def keep(name: str, tables: Sequence[Table], out: Path) -> None:
    """Print the tables, and write them as Markdown under that name."""
    text = "\n".join(table.markdown() for table in tables)
    print(text)
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.md").write_text(text)
