"""What is written to the card: nothing at rest, and no more for a tap than it has to be."""

import tempfile
import time
from pathlib import Path
from typing import Final

import pytest

from tests import wear

REST_S: Final = 3.0
SETTLED_S: Final = 60.0
"""By then even a busy machine has written what a start writes."""
MAX_ENTRY_BYTES: Final = 40_000
"""Two pages in the journal, two in the file, and what else a tap changes; see docs/reliability."""
PAGE_BYTES: Final = 4096


@pytest.mark.timeout(300)
def test_a_table_at_rest_writes_nothing_and_a_tap_a_few_pages() -> None:
    """Not a byte, so that it may stay on for years; and the entry is there when it is answered."""
    with (  # on a disk: in memory nothing would be counted
        tempfile.TemporaryDirectory(prefix="tiki-wear-", dir="/var/tmp") as name,
        wear.running(Path(name)) as house,
    ):
        until_s, before = time.monotonic() + SETTLED_S, -1
        while (found := wear.given(house)) != before:
            assert time.monotonic() < until_s, "a table at rest goes on writing"
            before = found
            time.sleep(REST_S)
        spent = wear.measure(house, "tiki_topple", None)
    if not spent.given:
        pytest.skip("/var/tmp is in memory here")
    assert 2 * PAGE_BYTES < spent.given / spent.entries < MAX_ENTRY_BYTES
