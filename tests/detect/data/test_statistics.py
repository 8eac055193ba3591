from pathlib import Path

import pytest
from detect.native_trees import build

from wdrop.detect.data import CLASSES, DETECTION_DATASETS
from wdrop.detect.data.classes import WORDS, harmonisation_rows
from wdrop.detect.data.facts import FACTS, top_n_for
from wdrop.detect.data.statistics import counted_rows, list_rows


def test_every_set_has_its_facts() -> None:
    assert set(FACTS) == set(DETECTION_DATASETS)
    assert [row["data set"] for row in list_rows()] == list(FACTS)
    assert {name for name, facts in FACTS.items() if facts.published} == {
        "kitti", "synscapes", "a2d2", "nightowls", "nuimages", "bdd100k",
    }  # fmt: skip


def test_each_set_of_the_paper_keeps_as_many_boxes_as_its_published_code() -> None:
    published = {"kitti": 64, "synscapes": 128, "a2d2": 25, "nightowls": 4, "nuimages": 18, "bdd100k": 32}
    assert {name: top_n_for(name) for name in published} == published
    assert {top_n_for(name) for name in (*FACTS, "my/folder") if name not in published} == {64}


def test_every_word_means_a_class_or_is_left_out() -> None:
    assert {meaning for words in WORDS.values() for meaning in words.values()} == {*CLASSES, None}
    rows = {row["data set"]: row for row in harmonisation_rows()}
    assert rows["kitti"]["vehicle"] == "Car"
    assert rows["nightowls"]["left out"] == "ignore"
    assert rows["carla"]["pedestrian"] == "–"


def test_the_list_says_where_a_set_lies_or_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("kitti", tmp_path / "detection" / "kitti", 3, 2)
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    rows = {row["data set"]: row for row in list_rows()}
    assert rows["kitti"]["here"] == str(tmp_path / "detection" / "kitti")
    assert rows["synscapes"]["here"].startswith("not found; goes into ")
    assert rows["rendered"]["here"] == "built in"
    assert (
        rows["bdd100k"]["in the paper"]
        == "train 69,281 pictures, 843,963 objects; test 9,919 pictures, 123,752 objects"
    )
    assert (rows["bdd100k"]["image size"], rows["bdd100k"]["crop"]) == ("1280 x 720", "none")
    assert rows["kitti"]["crop"] == "in x, the centre in the shape of the network's input"


def test_the_counted_table_calls_a_part_by_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("kitti", tmp_path / "detection" / "kitti", 3, 2)
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert counted_rows(["virtual_kitti"]) == []
    train, test, *elsewhere = counted_rows(["kitti", "a2d2"])
    assert train == {
        "data set": "kitti-part", "split": "train", "pictures": 3, "objects": 6, "skipped": 0,
        "pictures in the paper": 3622, "objects in the paper": 15254,
    }  # fmt: skip
    assert test["pictures"] == 2
    assert [(row["data set"], row["pictures"], row["pictures in the paper"]) for row in elsewhere] == [
        ("a2d2", None, 22731), ("a2d2", None, 4186),
    ]  # fmt: skip


def test_one_wrong_entry_does_not_hide_the_counts_of_all_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("kitti", tmp_path / "detection" / "kitti", 3, 2, ["unknown class"])
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rows = {(row["data set"], row["split"]): row for row in counted_rows()}
    assert rows["kitti-part", "train"]["skipped"] == 1
    assert {name for name, _ in rows} == {"kitti-part", "synscapes", "a2d2", "nightowls", "nuimages", "bdd100k"}


PAGE = (Path(__file__).parents[3] / "docs" / "detector-data.md").read_text()


@pytest.mark.parametrize("name", FACTS)
def test_the_page_tells_what_the_facts_say(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))
    assert f"| {FACTS[name].kind} | {FACTS[name].image_size.split(',')[0]} " in row
    assert FACTS[name].licence.split(",")[0].split(":")[0].removeprefix("BDD100K licence") in row


@pytest.mark.parametrize("name", WORDS)
def test_the_page_tells_what_is_left_out(name: str) -> None:
    row = [line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |")][1]
    left_out = [word for word, meaning in WORDS[name].items() if meaning is None]
    if name not in ("nuimages", "virtual_kitti"):
        assert all(word in row.split("|")[-2] for word in left_out)
