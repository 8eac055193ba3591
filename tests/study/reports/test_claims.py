import shutil
from pathlib import Path

import pytest

from wdrop.study.reports.claims import write_claims

RESULTS = Path(__file__).parents[3] / "results"


def test_the_text_in_the_repository_is_that_of_its_records(tmp_path: Path) -> None:
    for name in ("uci", "detection"):
        (tmp_path / name).mkdir()
        shutil.copy(RESULTS / name / "records.csv", tmp_path / name)
    assert write_claims(tmp_path).read_text() == (RESULTS / "claims.md").read_text(), "run: wdrop study claims"


def test_a_study_without_results_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "detection").mkdir()
    shutil.copy(RESULTS / "detection" / "records.csv", tmp_path / "detection")
    text = write_claims(tmp_path).read_text()
    assert "## Detector" in text
    assert "## Tables" not in text


def test_a_folder_without_results_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"uci/records.csv' nor .*detection/records.csv'; .* --results"):
        write_claims(tmp_path)
    assert list(tmp_path.iterdir()) == []
