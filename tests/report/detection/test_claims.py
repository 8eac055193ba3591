import pandas as pd

from wdrop.report.claims import Judged, Verdict
from wdrop.report.detection.claims import CLAIMS, detection_claims_text, judge_detection_claims
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
    assert found.verdict is Verdict.DIFFERS
    assert found.share == 0.5


def test_the_text_has_no_heading_and_says_what_was_not_run(records: pd.DataFrame) -> None:
    text = detection_claims_text(judge_detection_claims(records), records)
    assert "HDBSCAN gives the same order of methods. | not run" in text
    assert "(0.825)" in text  # the paper's ECE of MC stands beside ours
    assert "#" not in text
