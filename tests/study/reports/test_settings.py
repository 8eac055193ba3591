from wdrop.study.plan import load_study
from wdrop.study.reports.settings import left_out_told, settings_told


def test_the_large_table_is_told_as_it_is_trained_and_the_other_tables_as_left_out() -> None:
    study = load_study("uci-year")
    assert settings_told(study) == (
        "Networks of 2 x 100 units, but 3 x 100 units of w_dropout_last_layer; Adam at 0.001; batches of 500; "
        "150 epochs; folds 0, 3, 5, 7, 9."
    )
    tables, methods = left_out_told(study)
    assert tables.startswith("Tables of the paper that are not part of this study: yacht, diabetes, ")
    assert "year" not in tables
    assert methods == "Methods of wdrop that are not part of it: w_dropout_closed."


def test_what_differs_within_the_benchmark_is_told_with_where() -> None:
    study = load_study("uci")
    told = settings_told(study)
    assert (
        "2 x 50 units on toy-hf and toy-noise; Adam at 0.001; batches of 100; 1000 epochs, but 150 epochs on " in told
    )
    assert told.endswith("superconduct, protein and toy-noise.")
    assert left_out_told(study)[0] == "Tables of the paper that are not part of this study: year."


def test_what_is_the_same_for_all_is_told_once() -> None:
    study = load_study("uci").only({"dataset": ["yacht"], "group": ["small"]})
    assert "ten folds." in settings_told(study)
    assert "on " not in settings_told(study)
