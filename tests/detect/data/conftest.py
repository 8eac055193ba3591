from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests out of the user's cache."""

    def elsewhere(name: str) -> Path:
        return tmp_path_factory.getbasetemp() / "cache" / name

    monkeypatch.setattr("wdrop.data.places.user_cache_path", elsewhere)
