import numpy as np
import pandas as pd

from wdrop.report.detection.domains import heatmaps_figure
from wdrop.report.detection.pictures import corruptions_figure
from wdrop.report.detection.trajectories import PANELS, trajectories_figure
from wdrop.report.figures import png


def test_heatmaps_show_who_was_trained_on_every_set(records: pd.DataFrame) -> None:
    figure = heatmaps_figure(records, "samples-kmeans")
    assert figure is not None
    titles = [ax.get_title() for ax in figure.axes]
    assert titles[:2] == ["RMSE, MC", "ECE, MC"]
    assert len(titles) == 3 * 4
    assert not any("L=10" in title for title in titles)
    shown = figure.axes[0].images[0].get_array()
    assert shown is not None
    np.testing.assert_allclose(shown, [[2.1, 10.5], [10.5, 2.1]])
    assert png(figure).startswith(b"\x89PNG")
    alone = records[records["tested_on"] == records["dataset"]]
    assert heatmaps_figure(alone[alone["dataset"] == "carla"], "samples-kmeans") is None


def test_trajectories_have_a_panel_for_each_score(records: pd.DataFrame) -> None:
    along = records[(records["part"] == "along") & (records["dataset"] == "kitti-mini")]
    figure = trajectories_figure(along)
    assert figure is not None
    assert [ax.get_title() for ax in figure.axes] == list(PANELS.values())
    lines = figure.axes[0].get_lines()
    assert len(lines) == 4 * (2 + 1)  # two seeds and their mean for each contestant
    np.testing.assert_array_equal(np.asarray(lines[0].get_xdata()), [50, 100])
    assert trajectories_figure(along.iloc[:0]) is None


def test_the_same_scene_original_blurred_and_noisy() -> None:
    figure = corruptions_figure()
    original, blurred, noisy = (np.asarray(ax.images[0].get_array(), dtype=float) for ax in figure.axes)
    assert np.abs(np.diff(blurred, axis=1)).mean() < 0.8 * np.abs(np.diff(original, axis=1)).mean()
    assert np.abs(np.diff(noisy, axis=1)).mean() > 2 * np.abs(np.diff(original, axis=1)).mean()
