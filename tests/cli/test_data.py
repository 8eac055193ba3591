import json
import subprocess
import sys
from pathlib import Path

import pytest

from wdrop.cli.app import run
from wdrop.data.catalogue import CATALOGUE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of WDROP_DATA; the cache is empty."""
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setattr("wdrop.data.places.user_cache_path", lambda name: tmp_path / "cache")
    return tmp_path


def wdrop(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["wdrop", *arguments])
        with pytest.raises(SystemExit) as ended:
            run()
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


def test_list_shows_every_table_and_where_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "yacht.csv").write_text("only its name is looked at here\n")
    code, out, err = wdrop("data", "list", "--json", capsys=capsys)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert [table["name"] for table in told] == list(CATALOGUE)
    where = {table["name"]: table["where"] for table in told}
    assert where["yacht"] == str(folder / "yacht.csv")
    assert where["diabetes"] == "comes with scikit-learn"
    assert where["power"] == "not here; wdrop data fetch power"
    _, out, _ = wdrop("data", "list", capsys=capsys)
    assert "boston: 506 rows, 13 features, target: median value of homes" in out
    assert "Ethical note: column B" in out
    assert "https://archive.ics.uci.edu/dataset/243/yacht+hydrodynamics, licence: CC BY 4.0" in out


def test_path_prints_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "uci").mkdir()
    path = folder / "uci" / "yacht.csv.gz"
    path.write_bytes(b"")
    assert wdrop("data", "path", "yacht", capsys=capsys) == (0, f"{path}\n", "")
    assert wdrop("data", "fetch", "yacht", capsys=capsys) == (0, f"{path}\n", "")  # it is here


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["path", "yatch"], "wdrop: unknown table 'yatch', did you mean 'yacht'?; known: yacht, "),
        (["fetch", "yatch"], "wdrop: unknown table 'yatch', did you mean 'yacht'?; known: yacht, "),
        (["path", "yacht"], "wdrop: table 'yacht' is not here: expected yacht.csv.gz in "),
        (["path", "diabetes"], "wdrop: diabetes has no file here and needs none"),
        (["fetch", "diabetes"], "wdrop: diabetes comes with scikit-learn; there is nothing to fetch"),
    ],
)
def test_wrong_use_ends_in_one_line_and_exit_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = wdrop("data", *arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_telling_where_tables_are_needs_neither_torch_nor_pandas() -> None:
    code = "import sys, wdrop.cli.data; from wdrop.data.overview import overview; overview(); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "pandas"} & set(shown.stdout.split())
