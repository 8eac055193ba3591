"""The page of a comparison."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from wdrop.report.comparison.contestant import Contestant
from wdrop.report.comparison.figures import ranking_figure, reliability_grid_figure
from wdrop.report.comparison.honest_and_narrow import honest_and_narrow
from wdrop.report.comparison.recommendation import recommend
from wdrop.report.comparison.tables import differences_table, fold_records, scores_tables, split_title
from wdrop.report.figures import png
from wdrop.report.page import Picture, Section, page, write_whole
from wdrop.report.tables import Table

_RANKING = (
    "Left: black strokes are means over folds. Right: how much worse each method's better form is. Gray ones may be "
    "chance; with so many rivals, one whose line misses zero by little may be too."
)
_RELIABILITY = "On the dashed line forecast and observed shares agree. Gray: raw, coloured: calibrated, shaded: chance."


def write_compare_report(
    folder: str | Path,
    contestants: Sequence[Contestant],
    *,
    target: str,
    facts: Mapping[str, object],
    notes: Sequence[str] = (),
    errors: Mapping[str, str] | None = None,
    command: str = "wdrop compare",
) -> Path:
    """Write report.html and scores.csv; the page's path comes back.

    contestants  each method raw and calibrated, on each split
    facts        how it was done, name to value; `notes` the same in sentences
    errors       methods that failed, name to reason
    """
    splits = list(dict.fromkeys(one.split for one in contestants))
    if not splits:
        raise ValueError("expected at least one method that is done, got none")
    sections = [section for split in splits for section in _of_split(split, contestants, len(splits) > 1)]
    if errors:
        rows = [[method, reason] for method, reason in errors.items()]
        sections.append(Section("What failed", tables=[Table("Failed", ["method", "reason"], rows)]))
    facts_table = Table("Facts", ["what", "value"], [[name, str(value)] for name, value in facts.items()])
    sections.append(Section("How it was done", notes, tables=[facts_table]))
    place = Path(folder) / "report.html"
    write_whole(Path(folder) / "scores.csv", fold_records(contestants).csv())
    write_whole(place, page(f"Which method for {target}?", lead(contestants), sections, command))
    return place


def lead(contestants: Sequence[Contestant]) -> str:
    """The recommendation for the first split, and in short what changes under the others."""
    splits = list(dict.fromkeys(one.split for one in contestants))
    said = [recommend([one for one in contestants if one.split == split]) for split in splits]
    shifted = [f"Under {split_title(split)}: {told.short}." for split, told in zip(splits[1:], said[1:], strict=True)]
    return " ".join([said[0].text, *shifted])


def _of_split(split: str, contestants: Sequence[Contestant], several: bool) -> list[Section]:
    chosen = [one for one in contestants if one.split == split]
    best = recommend(chosen)
    of = f"{split_title(split).capitalize()}: " if several else ""
    differences = [differences_table(best)] if best.differences else []
    return [
        Section(
            f"{of}Who is best, and is that more than chance?",
            [best.text] if split != contestants[0].split else [],  # the first stands at the top
            pictures=[Picture(png(ranking_figure(chosen, best)), _RANKING)],
        ),
        Section(f"{of}Scores", tables=[*scores_tables(chosen), *differences]),
        Section(
            f"{of}Honest and narrow",
            ["The best place is on the line and far to the left: intervals that keep their promise and are narrow."],
            scatters=[honest_and_narrow(chosen)],
        ),
        Section(f"{of}Reliability", pictures=[Picture(png(reliability_grid_figure(chosen)), _RELIABILITY)]),
    ]
