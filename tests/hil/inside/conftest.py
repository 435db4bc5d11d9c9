"""What the tests in the machine share."""

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.inside import panel
from tests.hil.inside.house import USER
from tests.hil.inside.wires import KernelBench


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Path:
    """Return a folder of the user's own."""
    who = pwd.getpwnam(USER)
    found = Path(who.pw_dir) / str(request.node.name)
    found.mkdir()
    os.chown(found, who.pw_uid, who.pw_gid)
    return found


@pytest.fixture
def bench() -> KernelBench:
    """Return the header's wires."""
    return KernelBench()


@pytest.fixture
def oled() -> Iterator[None]:
    """See to it that the OLED is plugged in, before and after."""
    panel.plug(there=True)
    yield
    panel.plug(there=True)
