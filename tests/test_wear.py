"""What is written to the card: nothing at rest, and no more for a tap than it has to be."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import wear
from tests.soak.house import House

REST_S: Final = 4.0
MAX_ENTRY_BYTES: Final = 40_000
"""Two pages in the journal, two in the file, and what else a tap changes; see docs/reliability."""
PAGE_BYTES: Final = 4096


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder on a disk, not in memory, where nothing would be counted."""
    with tempfile.TemporaryDirectory(prefix="tiki-wear-", dir="/var/tmp") as name:
        yield Path(name)


@pytest.mark.timeout(120)
def test_a_tap_writes_a_few_pages(folder: Path) -> None:
    """The entry is on the disk when it is answered, and little else is."""
    found = wear.measure("uno_tiki", folder, None)
    if not found.given:
        pytest.skip("/var/tmp is in memory here")
    assert 2 * PAGE_BYTES < found.given / found.entries < MAX_ENTRY_BYTES


def test_a_table_at_rest_writes_nothing(folder: Path) -> None:
    """Not a byte, so that a companion may stay on for years."""
    house = House(folder)
    try:
        house.start()
        time.sleep(2.0)
        before = wear.given(house)
        time.sleep(REST_S)
        assert wear.given(house) == before
    finally:
        house.kill()
