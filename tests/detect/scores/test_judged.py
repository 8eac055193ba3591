import pytest

from wdrop.detect.data import RenderedSet
from wdrop.detect.finding.inference import Inference
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluated import evaluated
from wdrop.detect.scores.evaluation import scores
from wdrop.detect.scores.judged import judged

SCENES = RenderedSet("test", 3, Size(96, 64))
ONE_PASS = Inference(how="closed_form", top_n=8)


def test_scores_are_told_with_their_intervals_if_asked_for(net: SqueezeDet) -> None:
    plain = judged(net, SCENES, ONE_PASS)
    assert plain == pytest.approx(scores(evaluated(net, SCENES, ONE_PASS)), nan_ok=True)
    sure = judged(net, SCENES, ONE_PASS, n_repeats=5)
    assert {name: value for name, value in sure.items() if name != "intervals"} == pytest.approx(plain, nan_ok=True)
    low, high = sure["intervals"]["found"]
    assert low <= high
    assert judged(net, SCENES, ONE_PASS, n_repeats=5)["intervals"]["found"] == sure["intervals"]["found"]


def test_a_detector_that_learnt_as_published_is_judged_so(net: SqueezeDet) -> None:
    published = ONE_PASS.following({"as_published": True})
    assert published.as_published
    assert not ONE_PASS.following({}).as_published
    matches = evaluated(net, SCENES, published)
    assert judged(net, SCENES, published) == pytest.approx(scores(matches, as_published=True), nan_ok=True)
