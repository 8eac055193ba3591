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
    half = wdrop("study", "status", *where, cwd=plan).stdout
    assert half.startswith("1 done, 1 left, 0 of them failed")
    assert re.search(r"\nabout \d+ seconds to go with \d+ process", half)
    assert wdrop("study", "run", *where, cwd=plan).stdout.startswith("1 runs done")
    again = wdrop("study", "run", *where, cwd=plan)
    assert again.stdout.startswith("0 runs done")
    written = wdrop("study", "report", *where, "--out", "out", cwd=plan)
    assert written.stdout == f"{Path('out') / 'report.html'}\n"
    assert sorted(path.name for path in (plan / "out").iterdir()) == ["records.csv", "report.html", "tables"]
    assert len((plan / "out" / "records.csv").read_text().splitlines()) == 1 + 2 * 2
    assert "Wasserstein dropout" in (plan / "out" / "tables" / "main.md").read_text()
    wdrop("study", "run", "mine.toml", "--store", "no", "--only", "method=w_dropout", cwd=plan)
    fewer = wdrop("study", "report", "mine.toml", "--store", "no", "--out", "out", cwd=plan)
    path = Path("out") / "records.csv"
    told = f"{path} has 1 runs that are not in the store; take them in with --records {path}, or write elsewhere"
    assert told in fewer.stderr
    elsewhere = ("--records", "out/records.csv", "--store", "elsewhere", "--out", "again")
    assert wdrop("study", "report", "mine.toml", *elsewhere, cwd=plan).returncode == 0
    for name in ("records.csv", "tables/main.csv", "report.html"):
        assert (plan / "again" / name).read_bytes() == (plan / "out" / name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "tyo"], r"wdrop: unknown study 'tyo', did you mean 'toy'\?; known: .*toy, uci.*"),
        (["run", "mine.toml", "--only", "method"], r"wdrop: expected --only key=value, got 'method'"),
        (
            ["run", "mine.toml", "--only", "method=w_dropuot"],
            r"wdrop: unknown method of study 'mine' 'w_dropuot', did you mean 'w_dropout'\?; known: .*",
        ),
        (["run", "no_such.toml"], r"wdrop: no_such.toml: expected a file or folder there, found none; check the path"),
        (
            ["report", "mine.toml", "--store", "empty"],
            r"wdrop: study 'mine' has no records yet; first: wdrop study run mine.toml",
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


def test_records_are_looked_at_and_only_run_puts_them_into_the_store(plan: Path) -> None:
    where = ("mine.toml", "--store", "other")
    assert wdrop("study", "run", "mine.toml", "--store", "store", cwd=plan).returncode == 0
    wdrop("study", "report", "mine.toml", "--store", "store", "--out", "out", cwd=plan)
    table = (plan / "out" / "records.csv").read_text()
    records = ("--records", "out/records.csv")
    told = wdrop("study", "status", *where, *records, cwd=plan)
    assert told.stdout.startswith("2 done, 0 left")
    assert told.stderr == f"2 runs taken from {Path('out') / 'records.csv'}\n"
    assert wdrop("study", "run", *where, *records, "--dry-run", cwd=plan).stdout == "0 of 2 runs are left\n"
    wdrop("study", "report", *where, *records, "--out", "again", cwd=plan)
    assert (plan / "again" / "records.csv").read_text() == table
    assert not (plan / "other").exists()
    (plan / "out" / "records.csv").write_text(table[:-1])
    cut = wdrop("study", "run", *where, *records, cwd=plan)
    assert cut.stderr.startswith(f"1 runs taken from {Path('out') / 'records.csv'}, 1 left out: some of their rows")
    assert cut.stdout.startswith("1 runs done")
    assert wdrop("study", "status", *where, cwd=plan).stdout.startswith("2 done, 0 left")


@pytest.mark.skipif(sys.platform == "win32", reason="files of limited size stand for a full disk")
def test_a_full_disk_is_told_in_one_line_and_nothing_half_written_stays(plan: Path) -> None:
    limited = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); from wdrop.cli import main; main()"
    )
    command = [sys.executable, "-c", limited, "study", "run", "mine.toml", "--store", "store", "--jobs", "1"]
    done = subprocess.run(command, cwd=plan, capture_output=True, text=True, timeout=240)
    assert done.returncode == 2
    assert re.fullmatch(
        r"wdrop: cannot write to the store 'store': File too large; mend that and run the study again: .*\n",
        done.stderr,
    )
    assert [path.name for path in (plan / "store").iterdir()] == ["locks"]
    assert wdrop("study", "run", "mine.toml", "--store", "store", cwd=plan).stdout.startswith("2 runs done")
