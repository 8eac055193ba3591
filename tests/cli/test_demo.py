"""The command as a user runs it: in a process, with files and a pipe."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def wdrop(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from wdrop.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    folder = tmp_path_factory.mktemp("demo")
    return wdrop("demo", "--epochs", "2", cwd=folder), folder


def test_it_prints_a_table_and_writes_a_page(short: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, folder = short
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (folder / "demo").iterdir()) == ["figure1.png", "report.html"]
    for expected in ("toy-noise", "toy-hf", "Wasserstein dropout", "MC dropout", "RMSE", "NLL", "ECE", "WS", "ETL"):
        assert expected in done.stdout
    html = (folder / "demo" / "report.html").read_text()
    assert html.count("data:image/png;base64,") == 3


def test_a_short_run_is_headed_so_and_shows_no_published_numbers(
    short: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    done, folder = short
    assert done.stdout.startswith("Short run")
    assert "(-0.330)" not in done.stdout + (folder / "demo" / "report.html").read_text()


def test_no_progress_characters_reach_a_file(short: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, _ = short
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", done.stdout)  # no escapes, no carriage returns
    assert "steps/s" not in done.stdout
    assert done.stderr == ""


def test_json_is_json(tmp_path: Path) -> None:
    done = wdrop("demo", "--epochs", "1", "--json", "--out", "elsewhere", cwd=tmp_path)
    answer = json.loads(done.stdout)
    assert answer["epochs"] == {"toy-noise": 1, "toy-hf": 1}
    assert {(run["dataset"], run["method"]) for run in answer["runs"]} == {
        (dataset, method) for dataset in ("toy-noise", "toy-hf") for method in ("w_dropout", "mc_dropout")
    }
    assert (tmp_path / answer["page"]).exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["demo", "--epochs", "0"], "Invalid value for '--epochs'"),
        (["demo", "--epochs", "many"], "Invalid value for '--epochs'"),
        (["demo", "--out", "a_file"], "a_file"),
        (["demo", "--sed", "1"], "No such option"),
        (["dmeo"], "No such command 'dmeo'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "a_file").write_text("in the way")
    done = wdrop(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.startswith("wdrop: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["a_file"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_found_before_training(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    done = wdrop("demo", "--out", "locked", cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot write to the folder 'locked'" in done.stderr


def test_help_and_version(tmp_path: Path) -> None:
    assert "demo" in wdrop("--help", cwd=tmp_path).stdout
    assert wdrop(cwd=tmp_path).stdout == wdrop("--help", cwd=tmp_path).stdout
    assert re.fullmatch(r"wdrop \d+\.\d+\.\d+\n", wdrop("--version", cwd=tmp_path).stdout)


def test_without_the_extras_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['typer'] = None; from wdrop.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "needs typer; install it with: pip install 'wdrop[cli,report,study,data]'" in done.stderr


def test_without_matplotlib_the_demo_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['matplotlib'] = None; from wdrop.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "demo"], cwd=tmp_path, capture_output=True, text=True)
    hint = "install it with: pip install 'wdrop[cli,report,study,data]'"
    assert done.returncode == 2
    assert done.stderr == f"wdrop: this command needs matplotlib; {hint}\n"


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing on Windows")
def test_ctrl_c_stops_cleanly(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from wdrop.cli import main; main()", "demo"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        time.sleep(8)
        demo.send_signal(signal.SIGINT)
        out, errors = demo.communicate(timeout=30)
    assert demo.returncode == 130
    assert errors == "wdrop: stopped; what was finished is kept\n"
    assert out == ""
    assert list((tmp_path / "demo").iterdir()) == []
