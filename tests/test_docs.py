"""The code in README, docs and examples runs, and what they promise is there."""

import re
import runpy
from pathlib import Path

import pytest

import wdrop
from wdrop.measures import MEASURES
from wdrop.methods import METHODS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_CODE = [page for page in PAGES if "```python" in page.read_text()]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.name)
@pytest.mark.moves_global_stream
def test_the_code_on_a_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("wdrop.methods.METHODS", dict(METHODS))  # a page may add its own
    monkeypatch.setattr("wdrop.estimators.budget.N_STEPS", 100)  # what pages leave to the default takes a minute
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.csv").write_text("rooms,garden,price\n" + "".join(f"{i % 7},{i % 3},{i}\n" for i in range(60)))
    namespace: dict[str, object] = {"__name__": "page"}
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(page), "exec"), namespace)


def test_pages_with_code_are_found() -> None:
    assert len(WITH_CODE) >= 5


def test_the_cnn_example_learns_which_pictures_are_noisy() -> None:
    found = runpy.run_path(str(ROOT / "examples" / "cnn.py"))["main"]()
    assert found[0.5] < 0.9
    assert found[2.0] > 1.3


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_its_page(name: str) -> None:
    assert (ROOT / "docs" / "methods" / f"{name}.md").exists()
    assert f"methods/{name}.md" in (ROOT / "mkdocs.yml").read_text()


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_explained(name: str) -> None:
    assert f"| `{name}` |" in (ROOT / "docs" / "measures.md").read_text()


def test_the_version_in_the_citation_is_ours() -> None:
    assert f"version: {wdrop.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_pages_leave_no_place_holder() -> None:
    for page in [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]:
        assert not re.findall(r"\b[WMG]_[A-Z]{2,}\b|TODO", page.read_text()), page
