import numpy as np
import pandas as pd
import pytest

from wdrop.report.detection.claims import judge_detection_claims
from wdrop.report.detection.control import control_text, gain_left
from wdrop.report.detection.ratio_bars import ratios_figure
from wdrop.report.detection.rows import Contestant, in_data, judged
from wdrop.report.detection.verdict import CONTROLLED, verdict

NAMES = ["kitti-mini", "carla"]
W = Contestant("wasserstein")


@pytest.fixture
def behind(records: pd.DataFrame) -> pd.DataFrame:
    """As `records`, but on carla in one pass W is worse than MC after one factor."""
    worse = (records["dataset"] == "carla") & (records["protocol"] == "closed_form")
    records.loc[worse & (records["method"] == "wasserstein"), ["ece_scaled", "nll_scaled"]] = 9.0
    return records


def test_the_verdict_is_in_sentences_beside_the_papers_ratios(behind: pd.DataFrame) -> None:
    by_density = behind[behind["protocol"] == "samples-kmeans"].assign(protocol="samples-hdbscan", recall=0.5)
    by_density.loc[by_density["method"] != "mc", "recall"] = 0.3
    records = pd.concat([behind, by_density])
    lines = verdict(records, NAMES, judge_detection_claims(records))
    assert lines[0].startswith(
        "On kitti-mini W's ECE is 0.50 times MC's (paper 0.52), its WS 0.50 times (0.32), NLL 0.50"
    )
    assert "below 1 is better" in lines[0]
    assert lines[1] == "W closed form: ECE 0.25, WS 0.25, NLL 0.25, ETL 0.25 times MC's, mIoU +0.000."
    assert "keeps 50% by draws (0.525 against 1.050), 50% in one pass (1.575 against 3.150)" in lines[3]
    assert lines[3].endswith("MC is then ahead on carla in one pass in ECE and NLL.")
    assert "recall is 0.50 (MC), 0.30 (W), 0.30 (W closed form)" in lines[4]
    assert lines[4].endswith("boxes of wide std get lost.")
    assert lines[5].startswith("The paper's sentences on its detectors: ")
    assert lines[5].endswith(", of 15.")
    assert "means over coordinates and 2 seeds" in lines[6]


def test_without_mc_there_is_no_verdict_and_no_control(records: pd.DataFrame) -> None:
    alone = records[records["method"] != "mc"]
    assert verdict(alone, NAMES, []) == ["Not enough was run yet for a verdict."]
    assert control_text(alone, NAMES, CONTROLLED) == []
    assert ratios_figure(alone, "kitti-mini") is None


def test_what_was_never_gained_cannot_be_kept(records: pd.DataFrame) -> None:
    rows = in_data(judged(records, protocol="samples-kmeans"), "carla")
    assert gain_left(rows, W, "ece") == pytest.approx(0.5)
    swapped = rows.assign(ece=-rows["ece"])
    assert pd.isna(gain_left(swapped, W, "ece"))
    assert "W (no gain)" in control_text(records.assign(ece=-records["ece"]), ["carla"], CONTROLLED)[1]


def test_the_control_says_where_mc_is_ahead_and_by_how_much(behind: pd.DataFrame) -> None:
    reason, *told = control_text(behind, NAMES, CONTROLLED)
    assert "more than that?" in reason
    assert told[0] == (
        "kitti-mini, by draws: left of the gain in ECE and NLL: W 50% and 50%, W closed form 50% and 50%, "
        "W L=10 50% and 50%."
    )
    assert told[3].endswith("MC is then ahead of W in ECE (3.150 against 9.000) and NLL (3.150 against 9.000).")


def test_the_first_figure_has_bars_seeds_rings_and_the_papers_ratio(records: pd.DataFrame) -> None:
    figure = ratios_figure(records, "kitti-mini")
    assert figure is not None
    published, one_pass = figure.axes
    assert len(published.patches) == len(one_pass.patches) == 3 * 4
    assert published.patches[0].get_height() == pytest.approx(0.5)  # type: ignore[attr-defined]
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["W", "W closed form", "W L=10", "the paper, W", "after one factor a coordinate"]
    papers = [line for line in published.lines if line.get_label() == "the paper, W"]
    assert [np.round(np.asarray(line.get_ydata()), 2)[0] for line in papers] == [0.25, 0.52, 0.32, 0.43]
    assert not any(line.get_label() == "the paper, W" for line in one_pass.lines)
