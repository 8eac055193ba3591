from collections.abc import Callable
from math import isnan

import numpy as np
import pandas as pd
import pytest

from wdrop.report.benchmark import claims
from wdrop.report.benchmark.claims import FEWEST, claims_text, judge_claim, judge_claims
from wdrop.report.benchmark.evidence import Evidence, Ours, Paper
from wdrop.report.benchmark.findings import leads
from wdrop.report.benchmark.numbers import all_numbers
from wdrop.report.benchmark.paper_claims import CLAIMS
from wdrop.report.benchmark.scores import DATASETS
from wdrop.report.benchmark.tails import tail_losses, tail_rows
from wdrop.report.claims import Claim, Finding, NotRunError, Verdict

Make = Callable[..., pd.DataFrame]
FORM = "as published"
LOWEST = Claim("W-dropout has the lowest mean ECE.", "4.3", leads("ece", "test", "w_dropout"))


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "N_RESAMPLES", 8)


def every(make: Make) -> pd.DataFrame:
    """Records of all kinds that the study has."""
    named = ["yacht", "boston", "abalone", "superconduct", "naval"]
    sweep = [
        make(named, [method], ["iid", "label", "pca"], group=group, variant=value)
        for group, method, values in (
            ("rate", "w_dropout", ("0.05", "0.5")), ("draws", "w_dropout", ("4", "20")),
            ("lambda_mc", "mc_dropout", ("0", "1e-5")), ("lambda_ev", "pu_evidential", ("1e-4", "0.5")),
        )
        for value in values
    ]  # fmt: skip
    methods = ["swag", "deep_ensemble", "pu", "pu_evidential", "pu_ensemble", "pu_mc", "concrete_dropout", "mc_dropout"]
    main = make(named, [*methods, "w_dropout", "mc_dropout_last_layer"], ["iid", "label", "pca"])
    main = main.assign(drop_rate_1=0.3, drop_rate_2=0.1)
    toys = make(
        ["toy-hf", "toy-noise"], ["w_dropout", "mc_dropout", "pu", "pu_ensemble", "pu_mc"], ["iid", "label", "pca"]
    )
    theirs = make(["yacht", "boston"], ["pu", "mc_dropout"], group="published", variant="as published")
    return pd.concat([main, toys, theirs, *sweep])


def test_every_claim_can_be_judged_and_the_text_counts_them(make_records: Make) -> None:
    records = every(make_records)
    judged = judge_claims(records, CLAIMS)
    assert [j.claim.text for j in judged if j.verdict is None] == []
    assert all(j.ours for j in judged)
    assert len({(c.text, c.where) for c in CLAIMS}) == len(CLAIMS) >= 55
    text = claims_text(judged, all_numbers(records))
    assert f"of {len(CLAIMS)}." in text
    assert "| holds in resamples |" in text
    assert '"Holds in resamples": the share of' in text
    assert "chosen after the numbers had been seen" in text
    assert "#" not in text  # headings are those of the whole
    assert all(line.count(" | ") == 6 for line in text.splitlines() if line.startswith("| In-data, W-dropout has"))


def test_sentences_that_name_their_data_sets_are_not_tried_on_others(make_records: Make) -> None:
    judged = judge_claims(every(make_records), CLAIMS)
    named = {j.claim.text for j in judged if isnan(j.share)}
    words = ("toy sets", "non-parametric", "abalone and superconduct", "naval")
    assert all(any(word in text for text in named) for word in words)
    assert len(named) == len(words)


def test_without_records_every_claim_says_so(make_records: Make) -> None:
    nothing = make_records(["yacht"]).head(0)
    text = claims_text(judge_claims(nothing, CLAIMS), all_numbers(nothing))
    assert f"{len(CLAIMS)} not run" in text
    assert "none were run" in text


def test_the_papers_own_14_tables_bear_out_every_sentence_that_they_can() -> None:
    paper, found = Paper(DATASETS), []
    for claim in CLAIMS:
        try:
            found.append((claim.test(paper).holds, claim.text))
        except NotRunError:
            continue
    assert len(found) == 25
    assert [text for holds, text in found if not holds] == []


def test_the_papers_lowest_mean_ece_does_not_hold_on_its_own_small_tables() -> None:
    small = Paper(DATASETS[:6])
    assert not LOWEST.test(small).holds  # W-dropout 0.707, PU-MC 0.704
    assert LOWEST.test(Paper(DATASETS)).holds


def test_a_claim_that_fails_here_and_in_the_paper_is_said_to(make_records: Make) -> None:
    records = make_records(noise=0)
    records.loc[records["method"] == "w_dropout", "ece_rounded"] += 0.5
    judged = judge_claim(LOWEST, Ours(records))
    assert judged.verdict is Verdict.DIFFERS
    assert "the paper's own numbers on the same data sets do not show it either" in judged.told
    assert judged.paper_holds is False


def test_a_claim_that_holds_with_published_forms_alone_differs_by_form(make_records: Make) -> None:
    ours = make_records(["kin8nm", "power"], ["w_dropout", "pu"], noise=0)
    ours.loc[ours["method"] == "pu", ["ece_rounded", "ece"]] = 0.01
    unstable = Claim("PU's ECE is above W-dropout's.", "4.3", _pu_is_worse)
    theirs = make_records(["kin8nm", "power"], ["pu"], group="published", variant="as published", noise=0)
    theirs["ece_rounded"] = 1.5
    judged = judge_claim(unstable, Ours(pd.concat([ours, theirs])))
    assert judged.verdict is Verdict.DIFFERS
    assert "with the published ones it holds" in judged.told
    assert judge_claim(unstable, Ours(ours)).verdict is Verdict.UNEXPLAINED
    theirs["ece_rounded"] = 0.01
    assert "with the published forms it fails too" in judge_claim(unstable, Ours(pd.concat([ours, theirs]))).told
    guessed = Claim("PU's ECE is above W-dropout's.", "4.3", _pu_is_worse, guess="who knows")
    assert judge_claim(guessed, Ours(ours)).told == "differs, a guess: who knows"


def _pu_is_worse(evidence: Evidence) -> Finding:
    if isinstance(evidence, Paper):
        raise NotRunError
    means = evidence.means("ece", "test")
    return Finding(bool(means["pu"] > means["w_dropout"]), "")


def test_published_forms_stand_in_wherever_records_are_asked(make_records: Make) -> None:
    shifts = ["iid", "label", "pca"]
    theirs = make_records(["yacht", "boston"], ["pu_mc", "pu_ensemble"], shifts, group="published", variant=FORM)
    theirs = theirs.assign(etl=99.0, seconds=77.0, tail_error_worst=5.0, tail_error_rest=10.0)
    everything = pd.concat([every(make_records), theirs])
    published, ours = Ours(everything).in_published_forms()
    assert (published.tails()["pu_mc"] == 99).all()
    assert (ours.tails()["pu_mc"] < 50).all()
    assert published.tails()["w_dropout"].equals(ours.tails()["w_dropout"])
    assert (published.seconds()["pu_ensemble"] > ours.seconds()["pu_ensemble"]).all()
    worst = [one.tail_errors().set_index(["split", "method"])["tail_error_worst"] for one in (published, ours)]
    assert (worst[0].xs("pu_mc", level="method") == 5).all()
    assert (worst[1].xs("pu_mc", level="method") < 5).all()
    for setting in ("lambda of PU-EV", "lambda of MC", "p"):
        with pytest.raises(NotRunError):
            published.sweep(setting, "ece", "test")
    with pytest.raises(NotRunError):
        published.toys("rmse")


def test_nothing_stands_in_where_no_published_form_was_run(make_records: Make) -> None:
    for evidence in Ours(make_records(["yacht", "boston"])).in_published_forms():
        with pytest.raises(NotRunError):
            evidence.table("ece", "test")
    text = make_records(["yacht", "boston"], ["concrete_dropout"], group="published", variant=FORM)
    for evidence in Ours(pd.concat([make_records(["yacht", "boston"]), text])).in_published_forms():
        with pytest.raises(NotRunError):  # its published form is our default
            evidence.table("ece", "test")


def test_both_forms_are_seen_on_the_same_seeds(make_records: Make) -> None:
    three = make_records(["yacht"], ["w_dropout", "pu"], seeds=[0, 1, 2])
    three.loc[three["seed"] > 0, "rmse"] = 99.0
    theirs = make_records(["yacht"], ["pu"], group="published", variant=FORM)
    for evidence in Ours(pd.concat([three, theirs])).in_published_forms():
        assert (evidence.table("rmse", "test") < 1).all(axis=None)


def test_a_claim_that_hangs_on_one_data_set_is_undecided(make_records: Make) -> None:
    records = make_records(["kin8nm", "power", "california"], ["w_dropout", "mc_dropout"], noise=0)
    for name, by in (("kin8nm", -0.3), ("power", -0.3), ("california", 0.7)):
        w = (records["dataset"] == name) & (records["method"] == "w_dropout")
        mc = (records["dataset"] == name) & (records["method"] == "mc_dropout")
        records.loc[w, "ece_rounded"] = 0.5 + by
        records.loc[mc, "ece_rounded"] = 0.5
    judged = judge_claim(LOWEST, Ours(records))
    assert judged.verdict is Verdict.UNDECIDED
    assert "it fails here, yet holds in" in judged.told
    assert 0.1 < judged.share < 0.9


def test_tails_of_drawn_data_sets_are_those_of_their_folds(make_records: Make) -> None:
    records = make_records(["yacht", "power"], ["w_dropout", "pu"], ["iid", "label", "pca"])
    whole = tail_losses(tail_rows(records))
    assert np.allclose(Ours(records).tails().loc[whole.index, whole.columns], whole)
    drawn = Ours(records).on(["power", "power"]).tails()
    alone = tail_losses(tail_rows(records[records["dataset"] == "power"]))
    assert np.allclose(drawn.loc[alone.index, alone.columns], alone)


def test_a_sentence_on_means_waits_for_enough_data_sets(make_records: Make) -> None:
    named = list(DATASETS[:FEWEST])
    [enough] = judge_claims(make_records(named, noise=0), [LOWEST])
    [too_few] = judge_claims(make_records(named[1:], noise=0), [LOWEST])
    assert enough.verdict is not None
    assert too_few.told == "not run"


def test_tails_are_compared_on_data_sets_that_all_three_have(make_records: Make) -> None:
    three = ["w_dropout", "pu_ensemble", "pu_mc"]
    whole = make_records(["yacht", "power"], three, ["iid", "label", "pca"])
    lone = make_records(["kin8nm"], ["pu_mc"], ["iid"])
    assert Ours(pd.concat([whole, lone.assign(etl=1e6)])).tails().equals(Ours(whole).tails())


def test_a_sweep_compares_values_on_the_same_seeds(make_records: Make) -> None:
    usual = make_records(["yacht"], ["w_dropout"], seeds=[0, 1, 2])
    usual.loc[usual["seed"] > 0, "ece_rounded"] = 9.0
    varied = make_records(["yacht"], ["w_dropout"], group="draws", variant="20")
    table = Ours(pd.concat([usual, varied])).sweep("L", "ece", "test")
    assert (table < 2).all(axis=None)


def test_a_sweep_finds_its_usual_value_in_the_main_runs(make_records: Make) -> None:
    table = Ours(every(make_records)).sweep("L", "ece", "test")
    assert np.allclose(table.columns.to_numpy(), [4, 5, 20])
    assert np.allclose(
        Ours(every(make_records)).sweep("lambda of MC", "ece", "test").columns.to_numpy(), [0, 1e-6, 1e-5]
    )
    assert np.isfinite(table.to_numpy()).all()
    with pytest.raises(NotRunError):
        Ours(make_records(["yacht"])).sweep("p", "ece", "test")
