"""What becomes of a claim, told on evidence that is a bare number: it holds where that is above zero."""

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
        (1, 1, [1, 1, 0], "agrees"),
        (1, NOTHING, [1, 0, 0], "agrees though it holds in only 33% of the seeds"),
        (1, 0, [], "agrees though the paper's own numbers do not show it"),
        (0, 0, [1], "differs because the paper's own numbers do not show it either"),
        (0, 1, [1, 0], "differs because it is too close to call: it holds in 50% of the seeds"),
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
    table = words_table(judged)
    assert [row[1] for row in table.rows] == ["agrees", "not run"]
    assert table.note == counted([None, Verdict.AGREES]) == "1 agree, 1 not run, of 2"
