from math import isnan

import pandas as pd

from wdrop.report.claims import Judged, Verdict
from wdrop.report.detection.claims import (
    CLAIMS,
    detection_claims_text,
    detection_sentences_table,
    judge_detection_claims,
)
from wdrop.report.detection.evidence import paper_records


def _named(judged: list[Judged], words: str) -> Judged:
    [found] = [one for one in judged if words in one.claim.text]
    return found


def test_the_papers_own_tables_bear_out_every_sentence_that_they_can() -> None:
    found = [claim.tried(paper_records()) for claim in CLAIMS]
    tested = [finding for finding in found if finding is not None]
    assert len(tested) == 7
    assert all(finding.holds for finding in tested)


def test_every_sentence_is_judged_by_its_own_numbers(records: pd.DataFrame) -> None:
    hdbscan = records[records["protocol"] == "samples-kmeans"].assign(protocol="samples-hdbscan")
    judged = judge_detection_claims(pd.concat([records, hdbscan]))
    assert [one.claim.text for one in judged if one.verdict is None] == []
    # made-up W is half of MC in every score: boxes cannot be alike, uncertainty is better everywhere by the same factor
    assert _named(judged, "comparable in mIoU").verdict is Verdict.UNEXPLAINED
    assert _named(judged, "substantial advantages").verdict is Verdict.AGREES
    assert _named(judged, "each coordinate").ours == "W is better in 32 of 32"
    assert _named(judged, "on every data set").ours.startswith("2 of 2 data sets; mean ECE 1.05")
    assert _named(judged, "On other data sets").ours.startswith("2 of 2 transfers; mean ECE 5.25")
    assert _named(judged, "diagonal").verdict is Verdict.UNEXPLAINED  # 5 times as large for both
    assert _named(judged, "stds are larger").verdict is Verdict.UNEXPLAINED


def test_one_lost_coordinate_is_named(records: pd.DataFrame) -> None:
    w = (records["method"] == "wasserstein") & (records["variant"] == "") & (records["coordinate"] == "h")
    records.loc[w & (records["part"] == "train"), "ws"] = 99.0
    lost = _named(judge_detection_claims(records), "each coordinate")
    assert lost.verdict is Verdict.UNEXPLAINED
    assert lost.ours == "W is better in 31 of 32; not: WS h, train"


def test_a_variant_with_other_draws_has_no_say(records: pd.DataFrame) -> None:
    before = judge_detection_claims(records)
    records.loc[records["variant"] == "L=10", ["ece", "nll", "ws", "etl", "rmse"]] = 1e9
    assert judge_detection_claims(records) == before


def test_seeds_that_disagree_leave_it_open(records: pd.DataFrame) -> None:
    one_seed = (records["method"] == "wasserstein") & (records["corruption"] != "clean") & (records["seed"] == 1)
    records.loc[one_seed, "ece"] = 99.0
    found = _named(judge_detection_claims(records), "blurred and noisy")
    assert found.verdict is Verdict.UNDECIDED
    assert found.share == 0.5


def test_a_seed_counts_only_on_data_sets_that_all_seeds_have(records: pd.DataFrame) -> None:
    rows = records[(records["dataset"] == "kitti-mini") | (records["seed"] == 0)]  # carla was trained once
    rows = rows.assign(ece=rows["ece"].where(rows["dataset"] == "kitti-mini", 9.0))
    lost = _named(judge_detection_claims(rows), "on every data set")
    assert lost.ours.startswith("1 of 2 data sets")
    assert lost.share == 1.0  # of the seeds, on kitti-mini
    table = detection_sentences_table([lost], rows)
    assert table.headings[4] == "holds in seeds"
    assert "on kitti-mini alone" in table.note
    once = judge_detection_claims(records[records["seed"] == 0])
    assert all(isnan(one.share) for one in once)


def test_detectors_that_found_different_objects_are_not_compared(records: pd.DataFrame) -> None:
    by_density = records[records["protocol"] == "samples-kmeans"].assign(protocol="samples-hdbscan")
    w = by_density["method"] == "wasserstein"
    for recall, verdict in ((0.7, Verdict.AGREES), (0.55, Verdict.UNDECIDED)):  # of MC: 0.75
        rows = pd.concat([records, by_density.assign(recall=by_density["recall"].where(~w, recall))])
        found = _named(judge_detection_claims(rows), "HDBSCAN")
        assert found.verdict is verdict
        assert f"recall W minus MC at most {recall - 0.75:+.2f}" in found.ours


def test_a_mean_against_most_data_sets_decides_nothing(records: pd.DataFrame) -> None:
    assert _named(judge_detection_claims(_noisier(records, 0.2, 0.1)), "Blur").verdict is Verdict.AGREES
    assert _named(judge_detection_claims(_noisier(records, 0.3, -0.1)), "Blur").verdict is Verdict.UNDECIDED
    assert _named(judge_detection_claims(_noisier(records, -0.2, -0.1)), "Blur").verdict is Verdict.GUESS


def _noisier(records: pd.DataFrame, on_kitti: float, on_carla: float) -> pd.DataFrame:
    """The same with the ECE under noise that much above that under blur."""
    more = records["dataset"].map({"kitti-mini": on_kitti, "carla": on_carla})
    return records.assign(ece=records["ece"] + more.where(records["corruption"] == "gaussian-noise 1", 0.0))


def test_an_ece_beside_the_papers_is_rounded_as_the_papers(records: pd.DataFrame) -> None:
    rounded = records.assign(ece_rounded=records["ece"] + 0.5)
    assert "mean ECE 1.550 against 2.600" in _named(judge_detection_claims(rounded), "on every data set").ours
    text = detection_claims_text(judge_detection_claims(rounded), rounded)
    assert "2.600 (0.825)" in text
    assert "ECE is rounded as the paper's is" in text


def test_the_text_has_no_heading_and_says_what_was_not_run(records: pd.DataFrame) -> None:
    text = detection_claims_text(judge_detection_claims(records), records)
    assert "HDBSCAN gives the same order of methods. | not run" in text
    assert "(0.825)" in text  # the paper's ECE of MC stands beside ours
    assert "#" not in text
