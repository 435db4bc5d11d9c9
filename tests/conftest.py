"""What all tests share."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.tables import OPENED

# Time limits belong to benchmarks: a busy machine must not fail a property.
settings.register_profile(
    "tiki", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tiki")


@pytest.fixture(autouse=True)
def logs_closed() -> Iterator[None]:
    """Close every log that a test's tables have opened."""
    yield
    while OPENED:
        # A log that was opened in a server's thread is closed there.
        with contextlib.suppress(sqlite3.ProgrammingError):
            OPENED.pop().close()
