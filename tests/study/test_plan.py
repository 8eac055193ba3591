from pathlib import Path
from typing import Any

import pytest

from wdrop.methods import MCDropout, WDropout
from wdrop.study.plan import load_study, parse_study, studies

TABLE: dict[str, Any] = {
    "title": "A test",
    "regimes": {"small": {"datasets": ["toy-hf"], "training": {"epochs": 7}, "folds": [0, 3]}},
    "groups": {
        "main": {
            "dataset": ["toy-hf", "noisy-line"],
            "split": ["iid", "iid-80/20"],
            "method": ["mc_dropout", {"name": "w_dropout", "n_draws": 3, "training": {"epochs": 2}, "variant": "L3"}],
            "net": {"width": 5},
            "seed": [0, 1],
        }
    },
}


def test_all_combinations_are_planned_with_the_settings_of_their_regime() -> None:
    study = parse_study("test", TABLE)
    assert len(study.runs) == len({run.key for run in study.runs}) == 16
    mc = next(run for run in study.runs if run.method_name == "mc_dropout" and run.dataset == "toy-hf")
    assert isinstance(mc.method, MCDropout)
    assert (mc.method.training.epochs, mc.method.training.weight_decay, mc.method.net.width) == (7, 1e-6, 5)
    assert list(mc.folds) == [0, 3]
    wasserstein = next(run for run in study.runs if run.method_name == "w_dropout" and run.dataset == "noisy-line")
    assert isinstance(wasserstein.method, WDropout)
    assert (wasserstein.method.training.epochs, wasserstein.method.n_draws, wasserstein.variant) == (2, 3, "L3")
    assert "w_dropout (L3) on noisy-line" in wasserstein.title


def test_a_run_is_known_by_all_that_decides_its_result() -> None:
    first = parse_study("test", TABLE).runs[0]
    assert first.key == parse_study("another name", TABLE).runs[0].key
    changed = {**TABLE, "groups": {"main": {**TABLE["groups"]["main"], "net": {"width": 6}}}}
    assert first.key != parse_study("test", changed).runs[0].key


def test_only_some() -> None:
    study = parse_study("test", TABLE)
    assert len(study.only({"method": ["w_dropout"], "seed": ["1"]}).runs) == 4
    assert len(study.only({"seed": ["0", "1"]}).runs) == len(study.runs)  # either
    with pytest.raises(ValueError, match=r"unknown condition 'metod', did you mean 'method'\?"):
        study.only({"metod": ["w_dropout"]})
    with pytest.raises(ValueError, match=r"unknown dataset of study 'test' 'toy-fh', did you mean 'toy-hf'\?"):
        study.only({"dataset": ["toy-fh"]})
    with pytest.raises(ValueError, match=r"unknown seed of study 'test' '2'; known: 0, 1"):
        study.only({"seed": ["2"]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset": "toy-fh"}, r"unknown data set 'toy-fh', did you mean 'toy-hf'\?"),
        ({"method": "wdropout"}, r"unknown method 'wdropout', did you mean 'w_dropout'\?"),
        ({"split": "idd"}, r"unknown split 'idd', did you mean 'iid'\?"),
        ({"sed": 1}, r"unknown key of groups.main 'sed', did you mean 'seed'\?"),
        ({"net": {"widht": 3}}, r"groups.main.method 'mc_dropout'.net: unknown key 'widht', did you mean 'width'\?"),
        ({"net": 3}, r"groups.main.method 'mc_dropout'.net: expected a table, got 3"),
        ({"kind": 3}, r"groups.main.kind: expected a string, got 3"),
        ({"dataset": 3}, r"groups.main.dataset: expected a string, or a list of such, got 3"),
        ({"dataset": []}, r"groups.main.dataset: expected a string, or a list of such, got \[\]"),
        ({"dataset_options": 3}, r"groups.main.dataset_options: expected a table, or a list of such, got 3"),
        ({"split": ["iid", 3]}, r"groups.main.split: expected a string, or a list of such, got \['iid', 3\]"),
        ({"method": 3}, r"groups.main.method: expected a string or a table, or a list of such, got 3"),
        ({"method": {"n_draws": 3}}, r"groups.main.method: expected a table with a 'name', got {'n_draws': 3}"),
        ({"method": {"name": "pu", "variant": 0.1}}, r"groups.main.method.variant: expected a string, got 0.1"),
        ({"method": {"name": "pu", "calibrate": 3}}, r"groups.main.method 'pu'.calibrate: expected a table, got 3"),
        ({"seed": "a"}, r"groups.main.seed: expected a whole number, or a list of such, got 'a'"),
        ({"seed": True}, r"groups.main.seed: expected a whole number, or a list of such, got True"),
        ({"folds": 3}, r"groups.main.folds: expected a list, got 3"),
        ({"folds": [0, 12]}, r"groups.main.folds: expected a list of folds from 0 to 9, each once, got \[0, 12\]"),
        ({"folds": [0, 0]}, r"groups.main.folds: expected a list of folds from 0 to 9, each once, got \[0, 0\]"),
        ({"folds": [0, 1.0]}, r"groups.main.folds: expected a whole number, or a list of such, got \[0, 1.0\]"),
        ({"folds": []}, r"groups.main.folds: expected a list of folds from 0 to 9, each once, got \[\]"),
        ({"scale_y": "no"}, r"groups.main.scale_y: expected true or false, got 'no'"),
        ({"curve": 1}, r"groups.main.curve: expected true or false, got 1"),
        ({"ways": 3}, r"groups.main.ways: expected a string, or a list of such, got 3"),
    ],
)
def test_wrong_plans_are_refused_with_what_was_meant(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_study("test", {"groups": {"main": {**TABLE["groups"]["main"], **change}}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fold": [0]}, r"unknown key of regimes.small 'fold', did you mean 'folds'\?"),
        ({"trainig": {}}, r"unknown key of regimes.small 'trainig', did you mean 'training'\?"),
        ({"backbone": "any"}, r"unknown key of regimes.small 'backbone'; known: datasets, training, folds"),
        ({"training": 3}, r"regimes.small.training: expected a table, got 3"),
        ({"folds": [10]}, r"regimes.small.folds: expected a list of folds from 0 to 9, each once, got \[10\]"),
        ({"datasets": "toy-hf"}, r"regimes.small.datasets: expected a list, got 'toy-hf'"),
        ({"datasets": ["toy-fh"]}, r"unknown data set of regimes.small 'toy-fh', did you mean 'toy-hf'\?"),
    ],
)
def test_wrong_regimes_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_study("test", {**TABLE, "regimes": {"small": {**TABLE["regimes"]["small"], **change}}})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"regimes": {"small": {"folds": [0]}}}, r"regimes.small: expected 'datasets', a list of .*, got none"),
        ({"regimes": {"small": 3}}, r"regimes.small: expected a table, got 3"),
        ({"regimes": 3}, r"regimes: expected a table, got 3"),
        ({"groups": 3}, r"groups: expected a table, got 3"),
        ({"groups": {"main": 3}}, r"groups.main: expected a table, got 3"),
        ({"groups": {}}, r"study 'test': expected a group, \[groups.<name>\] with dataset and method, got none"),
        ({"title": 3}, r"title: expected a string, got 3"),
        ({"results": ["a"]}, r"results: expected a string, got \['a'\]"),
        ({"plugins": 3}, r"plugins: expected a string, or a list of such, got 3"),
    ],
)
def test_wrong_tables_are_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_study("test", {**TABLE, **table})


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"unknown study 'tyo', did you mean 'toy'\?"):
        load_study("tyo")
    (tmp_path / "mine.toml").write_text("not = valid = toml")
    with pytest.raises(ValueError, match=r"mine.toml: not valid TOML"):
        load_study(str(tmp_path / "mine.toml"))
    with pytest.raises(ValueError, match=r"unknown key of study 'x' 'group', did you mean 'groups'\?"):
        parse_study("x", {"group": {}})
    with pytest.raises(ValueError, match=r"groups.g: expected a 'method', got none"):
        parse_study("x", {"groups": {"g": {"dataset": "toy-hf"}}})


@pytest.mark.parametrize("name", studies())
def test_the_studies_that_come_along_are_plans(name: str) -> None:
    assert load_study(name).runs


def test_other_numbers_in_a_file_of_the_same_name_are_other_runs(tmp_path: Path) -> None:
    file = tmp_path / "house.csv"
    group = {"dataset": str(file), "dataset_options": {"target": "y"}, "method": "mc_dropout"}
    keys = []
    for last in (3, 4, 3):
        file.write_text(f"x,y\n1,2\n2,{last}\n")
        keys.append(parse_study("test", {"groups": {"main": group}}).runs[0].key)
    assert keys[0] == keys[2] != keys[1]


def test_runs_on_data_that_have_a_name_keep_their_keys() -> None:
    assert "table_sha256" not in parse_study("test", TABLE).runs[0].config()
