"""What all tests of the companion's own seats share."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Return the event loop that the companion runs on."""
    return "asyncio"
