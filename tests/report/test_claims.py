"""What becomes of a claim, told on evidence that is a bare number: it holds where that is above zero."""

from math import isnan

import pytest

from wdrop.report.claims import Claim, Finding, Judged, NotRunError, Verdict, counted, judge, words_table


def _positive(evidence: float) -> Finding:
    if evidence != evidence:  # NaN: nothing was run
        raise NotRunError
    return Finding(evidence > 0, f"it is {evidence}")


CLAIM = Claim("It is above zero.", "4.3", _positive)
GUESSED = Claim("It is above zero.", "4.3", _positive, guess="who knows")
NOTHING = float("nan")


@pytest.mark.parametrize(
    ("ours", "paper", "others", "told"),
    [
        (NOTHING, 1, [1], "not run"),
        (1, 1, [1] * 9 + [0], "agrees"),
        (1, NOTHING, [1, 0, 0], "undecided: it holds here, and in 33% of the seeds"),
        (1, 1, [1, 1, 0], "undecided: it holds here, and in 67% of the seeds"),
        (1, 1, [0], "agrees"),  # one other is no spread
        (1, 0, [], "agrees though the paper's own numbers do not show it"),
        (0, 0, [1], "differs because the paper's own numbers do not show it either"),
        (0, 1, [1, 0, 0], "undecided: it fails here, yet holds in 33% of the seeds"),
        (0, 0, [1, 0, 0], "undecided: it fails here, yet holds in 33% of the seeds"),
        (0, 1, [0, 0], "unexplained"),
        (0, NOTHING, [], "unexplained"),
    ],
)
def test_the_verdict_tells_the_first_reason_that_holds(
    ours: float, paper: float, others: list[float], told: str
) -> None:
    assert judge(CLAIM, ours, paper=paper, others=others, called="the seeds").told == told


@pytest.mark.parametrize(
    ("forms", "told"),
    [
        (
            (True, False),
            "differs because of the forms: with the published ones it holds on the data sets that have them",
        ),
        ((True, True), "differs, a guess: who knows"),  # it holds there with ours as well: the forms explain nothing
        (
            (False, False),
            "differs, a guess: who knows (with the published forms it fails too, on the data sets that have them)",
        ),
    ],
)
def test_published_forms_are_a_reason_only_where_they_make_the_difference(
    forms: tuple[bool | None, bool | None], told: str
) -> None:
    assert judge(GUESSED, 0, paper=1, others=[], called="the seeds", forms=forms).told == told


def test_what_was_not_run_comes_last_and_all_are_counted() -> None:
    judged = [Judged(CLAIM, None), Judged(CLAIM, Verdict.AGREES, "it is 1", 0.5, True)]
    table = words_table(judged, "seeds", "A seed is one training.")
    assert [row[1] for row in table.rows] == ["agrees", "not run"]
    assert table.headings[4] == "holds in seeds"
    assert counted([None, Verdict.AGREES]) == "1 agree, 1 not run, of 2"
    assert table.note == "1 agree, 1 not run, of 2. A seed is one training."


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.3, 0.5, 0.9, 0.95, 1.0])
def test_holding_and_failing_are_undecided_by_the_same_rule(share: float) -> None:
    n = round(20 * share)
    others, mirrored = [1.0] * n + [0.0] * (20 - n), [0.0] * n + [1.0] * (20 - n)
    holding = judge(CLAIM, 1, paper=NOTHING, others=others, called="the seeds")
    failing = judge(CLAIM, 0, paper=NOTHING, others=mirrored, called="the seeds")
    assert (holding.verdict is Verdict.UNDECIDED) is (failing.verdict is Verdict.UNDECIDED) is (share < 0.9)


def test_a_sentence_that_names_its_data_sets_is_not_tried_on_others() -> None:
    named = Claim("It is above zero on this set.", "4.3", _positive, resampled=False)
    found = judge(named, 0, paper=NOTHING, others=[1, 0, 1], called="resampled data sets")
    assert (found.verdict, isnan(found.share)) == (Verdict.UNEXPLAINED, True)
    assert words_table([found], "resamples", "").rows[0][4] == "–"


def test_numbers_that_tell_neither_are_undecided_whatever_they_say() -> None:
    unlike: Claim[float] = Claim(
        "It is above zero.", "4.3", lambda _: Finding(True, "it is 1", "they are not comparable")
    )
    assert judge(unlike, 1, paper=1, others=[1, 1], called="the seeds").told == "undecided: they are not comparable"
