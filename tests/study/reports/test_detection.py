"""The parts of a detectors' report that do not come from records alone."""

import numpy as np

from wdrop.study.plan import load_study
from wdrop.study.reports.detection_differences import recipe
from wdrop.study.reports.detection_examples import window


def test_a_picture_is_cut_to_its_objects_and_keeps_its_proportions() -> None:
    left, top, right, bottom = window(np.array([[100.0, 200.0, 200.0, 260.0], [250.0, 210.0, 300.0, 260.0]]), 640, 380)
    assert (right - left, bottom - top) == (300, 178)  # 200 wide, and a quarter of that on both sides
    assert left <= 100
    assert right >= 300
    assert window(np.array([[0.0, 0.0, 40.0, 30.0]]), 640, 380)[:2] == (0, 0)
    assert window(np.array([[5.0, 5.0, 630.0, 300.0]]), 640, 380) == (0, 0, 640, 380)


def test_the_report_says_which_form_of_the_recipe_ran() -> None:
    method = load_study("mini").runs[0].config()["method"]
    told = recipe([method])
    assert told.startswith("Our default form of the recipe ran. Unlike the published code: standard non-maximum")
    assert "Adam for SGD, the backbone in bfloat16. More in docs/detector.md" in told
    method["training"]["loss"]["as_published"] = True
    assert recipe([method]).startswith("In part our default, in part the published form of the recipe ran.")
    method["inference"]["as_published"] = True
    assert recipe([method]).startswith("The published form of the recipe ran. Unlike the published code: ECE from")
