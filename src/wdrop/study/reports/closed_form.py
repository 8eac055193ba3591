"""The report of the study of one-pass moments: how near they come to draws, what they score, and whom they suit."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from wdrop.report.closed_form.figures import farthest, gaps_figure, growth_figure
from wdrop.report.closed_form.gaps import gaps_by_dataset_table, gaps_table
from wdrop.report.closed_form.paired import TABLES, comparisons, paired_table, worse_in_words
from wdrop.report.closed_form.rows import SAMPLED, SAMPLED_MORE, study_rows
from wdrop.report.closed_form.scores import scores_by_dataset_table, scores_table
from wdrop.report.closed_form.settings import SETTINGS, settings_table
from wdrop.report.closed_form.shift import shift_table
from wdrop.report.closed_form.verdict import ranks_table, verdict
from wdrop.report.tables import Table
from wdrop.study.cost import tally
from wdrop.study.plan import Study
from wdrop.study.reports.parts import Drawn, Part, Told, records
from wdrop.study.store import Store


def closed_form_report(study: Study, store: Store) -> Told:
    """All parts for which there are runs, and what was not run."""
    rows = study_rows(records(study, store))
    lead, *sentences = verdict(rows)
    parts = [
        Part("Which variant for whom", sentences, _some(ranks=ranks_table(rows))),
        Part("Is the std told the spread of the sub-networks?", (),
             _some(gaps=gaps_table(rows), gaps_by_dataset=gaps_by_dataset_table(rows))),
        Part("What drop rate, depth and width do to it", (),
             _some(**{f"gaps_{name}": settings_table(rows, name) for name in SETTINGS}),
             _drawn("gaps", gaps_figure(rows), "Gap between closed form and draws: half of the points lie below the "
                    "full line, 95 % below the dashed one. A usual setting is taken from the main runs.")),
        Part("What each way scores", (),
             _some(**{f"scores_{kind}": scores_table(rows, kind) for kind in ("iid", "inter", "extra")},
                   scores_by_dataset=scores_by_dataset_table(rows))),
        Part("Does std still grow under shift?", (), _some(shift=shift_table(rows)),
             _drawn("growth", growth_figure(rows), "Beyond the ends of the data, every training asked its own way: a "
                    "dot a data set. Above the dashed line std grows; on the full line it keeps step with the error. "
                    f"The panels have axes of their own. {farthest(rows)}")),
        _against_sampled(rows),
        Part("What was run", _what_was_run(study, store), {"runs": _runs_table(study, store)},
             links={"all records as csv": "records.csv"}),
    ]  # fmt: skip
    return Told(lead, [part for part in parts if part.text or part.tables or part.figures])


def _against_sampled(rows: pd.DataFrame) -> Part:
    found = comparisons(rows)
    there = {one.dataset for one in found}
    missing = [name for name in TABLES if name not in there]
    said = worse_in_words(found, SAMPLED) + worse_in_words(found, SAMPLED_MORE)
    if missing:
        said.append(f"Not compared, since not run: {', '.join(missing)}.")
    return Part("Against sampled training, fold by fold", said, _some(paired=paired_table(found)))


def _some(**tables: Table | None) -> dict[str, Table]:
    return {name: table for name, table in tables.items() if table is not None}


def _drawn(name: str, figure: Figure | None, caption: str) -> list[Drawn]:
    return [] if figure is None else [Drawn(name, figure, caption)]


def _what_was_run(study: Study, store: Store) -> Sequence[str]:
    count = tally(study, store)
    hours = count.seconds / 3600
    return [
        f"{count.done} of {count.done + count.left} planned runs are done, {count.failed} failed; {hours:.2f} "
        "core-hours. Every network is trained once and asked in five ways.",
        "Adam at 1e-3, batches of 100, 1000 epochs on small data sets and 150 on large ones. Two hidden layers (last "
        "layer: three) of 100 units (toys: 50), p = 0.1, unless a table says otherwise. Half drawn: half of the rows "
        "of every batch are trained by nine draws with the paper's loss, the others in closed form.",
    ]


def _runs_table(study: Study, store: Store) -> Table:
    rows = []
    for group in dict.fromkeys(run.group for run in study.runs):
        flags = [store.has(run) for run in study.runs if run.group == group]
        rows.append([group, str(sum(flags)), str(len(flags) - sum(flags))])
    return Table("Runs by group", ["group", "done", "not run"], rows)
