"""Downloads from a server on this machine: whole and checked, or nothing left behind."""

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from wdrop.data.catalogue import CATALOGUE, TableFacts
from wdrop.data.download import fetch
from wdrop.data.fingerprint import fingerprint
from wdrop.data.sources import Source
from wdrop.data.uci import load_uci

NUMBERS = np.random.default_rng(0).normal(size=(200, 4))
TINY = TableFacts(
    name="tiny",
    rows=200,
    features=3,
    target="y",
    licence="none",
    home="http://home",
    fingerprint=fingerprint(NUMBERS[:, :3], NUMBERS[:, 3:]),
)


def text(numbers: np.ndarray) -> bytes:
    return "\n".join(" ".join(map(repr, row)) for row in numbers.tolist()).encode()


def read(content: bytes) -> np.ndarray:
    return np.loadtxt(io.BytesIO(content))


def zipped(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Readme.txt", "read me")
        archive.writestr("folder/data.txt", content)
    return out.getvalue()


def tarred(content: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        entry = tarfile.TarInfo("folder/data.txt")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


GOOD = zipped(text(NUMBERS))
TAMPERED = NUMBERS.copy()
TAMPERED[17, 1] += 0.01
PAGES = {
    "/good.zip": GOOD,
    "/good.tgz": tarred(text(NUMBERS)),
    "/plain.txt": text(NUMBERS),
    "/half.zip": GOOD[: len(GOOD) // 2],
    "/half.txt": text(NUMBERS)[: len(text(NUMBERS)) // 2],
    "/tampered.zip": zipped(text(TAMPERED)),
    "/page.zip": b"<html>Please log in</html>",
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        content = PAGES.get(self.path.removeprefix("/broken"))
        self.send_response(200 if content is not None else 404)
        content = content or b"not found"
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        # A broken connection: less arrives than was announced.
        self.wfile.write(content[:-100] if self.path.startswith("/broken") else content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a catalogue with one small table more."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("WDROP_DATA", raising=False)
    monkeypatch.setattr("wdrop.data.places.user_cache_path", lambda name: tmp_path / name)
    for room in ("download", "locate", "uci"):
        monkeypatch.setattr(f"wdrop.data.{room}.CATALOGUE", {**CATALOGUE, "tiny": TINY})
    return tmp_path / "wdrop" / "data"


@pytest.mark.parametrize(("page", "member"), [("good.zip", "data.txt"), ("good.tgz", "data.txt"), ("plain.txt", "")])
def test_a_good_file_lands_in_the_cache_and_loads(server: str, cache: Path, page: str, member: str) -> None:
    path = fetch("tiny", source=Source(f"{server}/{page}", member, read))
    assert [path] == list(cache.iterdir())
    points = load_uci("tiny")
    assert points.x.numpy() == pytest.approx(NUMBERS[:, :3].astype(np.float32), abs=0)
    assert fetch("tiny", source=Source(f"{server}/nowhere", member, read)) == path  # it is here: no second download


@pytest.mark.parametrize(
    ("page", "member", "error", "message"),
    [
        ("half.zip", "data.txt", ValueError, r"tiny: what came from .*half\.zip is damaged or another file"),
        ("half.txt", "", ValueError, r"tiny: (what came from .*half\.txt is damaged|expected 200 rows)"),
        ("broken/plain.txt", "", OSError, r"tiny: could not be downloaded from .*broken.*put tiny\.csv\.gz into"),
        ("tampered.zip", "data.txt", ValueError, "tiny: right size, other numbers than the table's"),
        ("page.zip", "data.txt", ValueError, "is damaged or another file .*not a zip file"),
        ("good.zip", "other.txt", ValueError, r"no other\.txt in the archive"),
        ("nowhere", "", OSError, "tiny: could not be downloaded from .*404"),
    ],
)
def test_nothing_is_left_of_a_bad_download(
    server: str, cache: Path, page: str, member: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        fetch("tiny", source=Source(f"{server}/{page}", member, read))
    assert list(cache.iterdir()) == []


def test_a_sum_of_the_file_is_checked_where_it_is_known(server: str, cache: Path) -> None:
    source = Source(f"{server}/plain.txt", "", read, sha256="0" * 64)
    with pytest.raises(ValueError, match="expected sha256 0000"):
        fetch("tiny", source=source)
    assert list(cache.iterdir()) == []
    fetch("tiny", source=replace(source, sha256=hashlib.sha256(PAGES["/plain.txt"]).hexdigest()))


def test_the_progress_is_told_in_bytes(server: str, cache: Path) -> None:
    class Count:
        total = 0
        done = 0

        def update(self, n: int) -> None:
            self.done += n

        def reset(self) -> None:
            self.done = 0

        def close(self) -> None:
            pass

    bar = Count()
    fetch("tiny", source=Source(f"{server}/good.zip", "data.txt", read), bar=bar)
    assert bar.total == bar.done == len(GOOD)


def test_what_needs_no_download_is_told(cache: Path) -> None:
    with pytest.raises(ValueError, match="diabetes comes with scikit-learn; there is nothing to fetch"):
        fetch("diabetes")
    with pytest.raises(ValueError, match=r"unknown table 'yatch', did you mean 'yacht'\?"):
        fetch("yatch")
