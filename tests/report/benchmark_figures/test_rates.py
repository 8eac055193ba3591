import math

import pandas as pd
import pytest

from wdrop.report.benchmark_figures.circumstances import with_circumstance
from wdrop.report.benchmark_figures.rates import draws_figure, drop_rates_figure, setting, with_setting


@pytest.mark.parametrize(
    ("variant", "expected"), [("p=0.05", 0.05), ("p = .5", 0.5), ("0.2", 0.2), ("1e-3", 1e-3), (" p 0.3", 0.3)]
)
def test_the_setting_is_read_from_the_variant(variant: str, expected: float) -> None:
    assert setting(variant, ("p",)) == expected


@pytest.mark.parametrize("variant", ["", "L=5", "as published", "p=", "0.1 calibrated"])
def test_a_variant_that_speaks_of_something_else_gives_none(variant: str) -> None:
    assert math.isnan(setting(variant, ("p",)))


def study(records: pd.DataFrame, *variants: str) -> pd.DataFrame:
    some = records[(records["method"] == "w_dropout") & (records["dataset"] != "yacht")]
    return pd.concat([records, *(some.assign(variant=variant) for variant in variants)])


def test_the_default_counts_on_the_sets_of_the_study_alone_and_once(records: pd.DataFrame) -> None:
    rows = with_circumstance(study(records, "p=0.2", "L=8"))
    rows = rows[rows["method"] == "w_dropout"]
    found = with_setting(rows, ("p",), 0.1)
    assert {(value, len(some), some["dataset"].nunique()) for value, some in found.groupby("setting")} == {
        (0.1, 36, 3), (0.2, 36, 3),
    }  # fmt: skip
    again = with_circumstance(study(records, "p=0.2", "p=0.1"))
    assert (with_setting(again[again["method"] == "w_dropout"], ("p",), 0.1)["variant"] != "").all()


def test_settings_stand_in_order_with_the_default_lit(records: pd.DataFrame) -> None:
    figure = drop_rates_figure(study(records, "p=0.5", "p=0.05", "L=4"))
    assert [label.get_text() for label in figure.axes[-1].get_xticklabels()] == [".05", ".1", ".5"]
    assert len(figure.axes[0].patches) == 1
    assert "the usual p = 0.1" in [text.get_text() for text in figure.legends[0].get_texts()]
    figure = draws_figure(study(records, "L=20", "L=8", "p=0.5"))
    assert [label.get_text() for label in figure.axes[-1].get_xticklabels()] == ["5", "8", "20"]


def test_a_study_that_was_not_run_leaves_empty_panels(records: pd.DataFrame) -> None:
    assert all(ax.texts[0].get_text() == "not run" for ax in draws_figure(records).axes)
