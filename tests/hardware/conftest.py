"""What tests of hardware share."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hardware.picos import shared_pico


@pytest.fixture(scope="session", autouse=True)
def _shared_pico_ends() -> Iterator[None]:
    """Take the simulated Pico away that tests have shared."""
    yield
    if shared_pico.cache_info().currsize:
        pico = shared_pico()
        pico.close()
        shutil.rmtree(Path(pico.port).parent, ignore_errors=True)
        shared_pico.cache_clear()


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is all of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path
