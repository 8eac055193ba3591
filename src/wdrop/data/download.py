"""Tables from their public homes into the user's cache: whole and checked, or not at all."""

import hashlib
import os
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import pandas as pd

from wdrop._checks import known
from wdrop.data.catalogue import CATALOGUE, TableFacts
from wdrop.data.locate import comes_with_scikit_learn, find_table
from wdrop.data.places import cache_folder
from wdrop.data.recognise import checked
from wdrop.data.sources import SOURCES, Numbers, Source


class Bar(Protocol):
    """What a download tells about its progress, in bytes; the names are those of tqdm."""

    total: int

    def update(self, n: int) -> object: ...
    def reset(self) -> object: ...
    def close(self) -> object: ...


def fetch(name: str, *, source: Source | None = None, bar: Bar | None = None) -> Path:
    """The table's file: the one that is here, or a new one in the user's cache.

    Nothing is left behind by a download that fails, or that brings other numbers than the table's.
    """
    known("table", name, CATALOGUE)
    facts = CATALOGUE[name]
    here = find_table(name)
    if here is not None:
        return here
    if comes_with_scikit_learn(facts):
        raise ValueError(f"{name} comes with scikit-learn; there is nothing to fetch")
    source = source or SOURCES[name]
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".fetch-") as temporary:  # on the same disk, so that a move is at once
        archive = _downloaded(facts, source, Path(temporary), bar)
        numbers = _read(facts, source, archive)
        checked(facts, numbers[:, :-1], numbers[:, -1:])
        written = Path(temporary) / facts.file_names[0]
        headings = [*(f"x{i + 1}" for i in range(facts.features)), "target"]
        pd.DataFrame(numbers, columns=headings).to_csv(written, index=False)
        os.replace(written, folder / written.name)
    return folder / facts.file_names[0]


def _downloaded(facts: TableFacts, source: Source, folder: Path, bar: Bar | None) -> Path:
    import pooch  # with requests behind it: half a second that only a download needs

    pooch.get_logger().setLevel("WARNING")  # it tells of hashes that nobody asked for
    downloader = pooch.HTTPDownloader(progressbar=bar if bar is not None else False)
    try:
        return Path(pooch.retrieve(source.url, None, fname="archive", path=folder, downloader=downloader))
    except Exception as error:  # of requests, of urllib3, of the disk
        raise OSError(
            f"{facts.name}: could not be downloaded from {source.url} ({_one_line(error)}); without network, put "
            f"{facts.file_names[0]} into {cache_folder()}"
        ) from error


def _read(facts: TableFacts, source: Source, archive: Path) -> Numbers:
    try:
        content = _member(archive, source.member)
        if source.sha256 and hashlib.sha256(content).hexdigest() != source.sha256:
            raise ValueError(f"expected sha256 {source.sha256}, got {hashlib.sha256(content).hexdigest()}")
        return source.read(content)
    except ImportError as error:  # pandas needs a package of its own for each kind of sheet
        raise ValueError(f"{facts.name}: {_one_line(error)}; pip install 'wdrop[data]'") from None
    except Exception as error:  # a damaged file fails in as many ways as there are readers
        raise ValueError(
            f"{facts.name}: what came from {source.url} is damaged or another file ({_one_line(error)}); try again, or "
            f"get it by hand from {facts.home}"
        ) from error


def _member(archive: Path, member: str) -> bytes:
    """The file of that name, in whatever folder of the archive it lies."""
    if not member:
        return archive.read_bytes()
    if tarfile.is_tarfile(archive):
        with tarfile.open(archive) as tar:
            for entry in tar.getmembers():
                file = tar.extractfile(entry) if Path(entry.name).name == member else None
                if file is not None:
                    return file.read()
    else:
        with zipfile.ZipFile(archive) as zipped:
            for name in zipped.namelist():
                if Path(name).name == member:
                    return zipped.read(name)
    raise ValueError(f"no {member} in the archive")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
