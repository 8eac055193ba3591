import numpy as np
import pandas as pd

from wdrop.report.detection.domains import heatmaps_figure
from wdrop.report.detection.pictures import corruptions_figure
from wdrop.report.detection.trajectories import PANELS, trajectories_figure
from wdrop.report.figures import png


def test_heatmaps_show_who_was_trained_on_every_set(records: pd.DataFrame) -> None:
    figure = heatmaps_figure(records, "samples-kmeans")
    assert figure is not None
    maps = [ax for ax in figure.axes if ax.images]
    assert [ax.get_title() for ax in maps[:4]] == ["RMSE in pixels (log)", "ECE", "NLL (log)", "WS (log)"]
    assert [ax.get_ylabel() for ax in maps[::4]] == [f"{one}, trained on" for one in ("MC", "W", "W closed form")]
    assert [text.get_text() for text in maps[0].texts] == ["2.10", "10.50", "10.50", "2.10"]
    shown = figure.axes[0].images[0].get_array()
    assert shown is not None
    np.testing.assert_allclose(shown, [[2.1, 10.5], [10.5, 2.1]])
    assert png(figure).startswith(b"\x89PNG")
    alone = records[records["tested_on"] == records["dataset"]]
    assert heatmaps_figure(alone[alone["dataset"] == "carla"], "samples-kmeans") is None


def test_a_measures_colours_follow_one_rule_however_wide_it_spreads(records: pd.DataFrame) -> None:
    for factor in (1, 1000):
        wide = records.copy()
        wide.loc[wide["tested_on"] != wide["dataset"], ["rmse", "nll", "ece", "ws"]] *= factor
        figure = heatmaps_figure(wide, "samples-kmeans")
        assert figure is not None
        norms = [type(ax.images[0].norm).__name__ for ax in figure.axes if ax.images]
        assert norms == ["LogNorm", "Normalize", "SymLogNorm", "LogNorm"] * 3


def test_a_single_look_can_be_seen(records: pd.DataFrame) -> None:
    one = records[(records["part"] == "along") & (records["dataset"] == "kitti-mini") & (records["seed"] == 0)]
    one = one[one["step"] == one["step"].max()]
    figure = trajectories_figure(one)
    assert figure is not None
    named = [line for line in figure.axes[0].get_lines() if not str(line.get_label()).startswith("_")]
    assert named
    assert all(len(line.get_xdata()) == 1 and line.get_marker() not in ("", "None", None) for line in named)  # type: ignore[arg-type]


def test_trajectories_have_a_panel_for_each_score(records: pd.DataFrame) -> None:
    along = records[(records["part"] == "along") & (records["dataset"] == "kitti-mini")]
    figure = trajectories_figure(along)
    assert figure is not None
    assert [ax.get_title() for ax in figure.axes] == list(PANELS.values())
    lines = figure.axes[0].get_lines()
    assert len(lines) == 4 * (2 + 1)  # two seeds and their mean for each contestant
    np.testing.assert_array_equal(np.asarray(lines[0].get_xdata()), [50, 100])
    means = [line for line in lines if not str(line.get_label()).startswith("_")]
    assert len({(line.get_linestyle(), line.get_marker()) for line in means}) == 4  # not by colour alone


def test_a_logarithmic_panel_says_so_and_has_plain_numbers(records: pd.DataFrame) -> None:
    along = records[(records["part"] == "along") & (records["dataset"] == "kitti-mini")].copy()
    along.loc[along["step"] == 50, "ws"] *= 100
    figure = trajectories_figure(along)
    assert figure is not None
    ax = next(ax for ax in figure.axes if ax.get_title().startswith("WS"))
    assert (ax.get_title(), ax.get_yscale()) == ("WS (log)", "log")
    assert ax.yaxis.get_major_formatter()(0.5, 0) == "0.5"
    assert not any("log" in ax.get_title() for ax in figure.axes if ax.get_yscale() == "linear")

    assert trajectories_figure(along.iloc[:0]) is None


def test_the_same_scene_original_blurred_and_noisy() -> None:
    figure = corruptions_figure()
    original, blurred, noisy = (np.asarray(ax.images[0].get_array(), dtype=float) for ax in figure.axes)
    assert np.abs(np.diff(blurred, axis=1)).mean() < 0.8 * np.abs(np.diff(original, axis=1)).mean()
    assert np.abs(np.diff(noisy, axis=1)).mean() > 2 * np.abs(np.diff(original, axis=1)).mean()
