import re
import subprocess
import sys
from pathlib import Path

import pytest

PLAN = """
title = "A small study"
[groups.main]
dataset = "toy-hf"
split = "iid-80/20"
method = ["mc_dropout", { name = "w_dropout", n_draws = 3 }]
net = { width = 6 }
training = { epochs = 1 }
"""


def wdrop(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from wdrop.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(PLAN)
    return tmp_path


def test_run_status_report_and_run_again(plan: Path) -> None:
    where = ("mine.toml", "--store", "store")
    listed = wdrop("study", "run", *where, "--dry-run", cwd=plan)
    assert listed.stdout.endswith("2 of 2 runs are left\n")
    nothing_yet = wdrop("study", "status", *where, cwd=plan).stdout
    assert nothing_yet.splitlines()[1:] == ["what it costs is not known before a run is done"]
    some = wdrop("study", "run", *where, "--only", "method=w_dropout", cwd=plan)
    assert some.stdout.startswith("1 runs done")
    assert some.stderr == ""
    assert wdrop("study", "status", *where, cwd=plan).stdout.startswith("1 done, 1 left, 0 of them failed")
    assert wdrop("study", "run", *where, cwd=plan).stdout.startswith("1 runs done")
    again = wdrop("study", "run", *where, cwd=plan)
    assert again.stdout.startswith("0 runs done")
    written = wdrop("study", "report", *where, "--out", "out", cwd=plan)
    assert written.stdout == f"{Path('out') / 'report.html'}\n"
    assert sorted(path.name for path in (plan / "out").iterdir()) == ["records.csv", "report.html", "tables"]
    assert len((plan / "out" / "records.csv").read_text().splitlines()) == 1 + 2 * 2
    assert "Wasserstein dropout" in (plan / "out" / "tables" / "main.md").read_text()
    elsewhere = ("--records", "out/records.csv", "--store", "elsewhere", "--out", "again")
    assert wdrop("study", "report", "mine.toml", *elsewhere, cwd=plan).returncode == 0
    for name in ("records.csv", "tables/main.csv", "report.html"):
        assert (plan / "again" / name).read_bytes() == (plan / "out" / name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "tyo"], r"wdrop: unknown study 'tyo', did you mean 'toy'\?; known: .*toy, uci.*"),
        (["run", "mine.toml", "--only", "method"], r"wdrop: expected --only key=value, got 'method'"),
        (["run", "mine.toml", "--only", "method=mine"], r"wdrop: no run of study 'mine' has method=mine"),
        (["run", "no_such.toml"], r"wdrop: no_such.toml: expected a file or folder there, found none; check the path"),
        (
            ["report", "mine.toml", "--store", "empty"],
            r"wdrop: study 'mine' has no records yet; first: wdrop study run mine",
        ),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(arguments: list[str], message: str, plan: Path) -> None:
    done = wdrop("study", *arguments, cwd=plan)
    assert done.returncode == 2
    assert re.fullmatch(message + r"\n", done.stderr)
    assert [path.name for path in plan.iterdir()] == ["mine.toml"]


def test_a_failed_run_is_told_and_the_exit_code_is_1(plan: Path) -> None:
    (plan / "mine.toml").write_text(PLAN.replace("[groups.main]", "[groups.main]\ndataset_options = { n = 1 }"))
    done = wdrop("study", "run", "mine.toml", "--store", "store", cwd=plan)
    assert done.returncode == 1
    assert done.stdout.startswith("0 runs done")
    assert len(done.stderr.splitlines()) == 2
    assert "expected at least one point to train on, got none" in done.stderr
