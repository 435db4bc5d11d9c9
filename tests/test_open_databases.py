"""The check that no test leaves a database open, on tests that do."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.open_databases import OpenDatabases

ROOT = Path(__file__).parent.parent

CONFTEST = """
from tests.open_databases import OpenDatabases

def pytest_configure(config):
    config.pluginmanager.register(OpenDatabases(config.rootpath))
"""
TESTS = """\
import contextlib, sqlite3, threading, time

import pytest
from companion.apps.hub.database import Database, parse_url

@pytest.fixture(scope="module")
def closing(tmp_path_factory):
    path = tmp_path_factory.mktemp("closing") / "lasting.db"
    with contextlib.closing(sqlite3.connect(path)):
        yield path

@pytest.fixture(scope="module")
def forgetting():
    return sqlite3.connect(":memory:")

@pytest.fixture
def forgetting_too(tmp_path):
    return sqlite3.connect(tmp_path / "brief.db")

def test_closes():
    with contextlib.closing(sqlite3.connect(":memory:")):
        pass

def test_forgets():
    with sqlite3.connect(":memory:"):
        pass

def test_fixture_forgets(forgetting_too):
    pass

def test_pool_closes(tmp_path):
    Database(parse_url(f"sqlite:///{tmp_path}/hub.db")).close()

def test_pool_forgets(tmp_path):
    Database(parse_url(f"sqlite:///{tmp_path}/hub.db"))

def test_lasting_fixture_closes(closing):
    pass

def test_again_for_lasting_fixture(closing):
    sqlite3.connect(closing)

def test_thread_closes_in_time():
    def run():
        with contextlib.closing(sqlite3.connect(":memory:")):
            opened.set()
            time.sleep(0.1)
    opened = threading.Event()
    threading.Thread(target=run).start()
    opened.wait()

def test_lasting_fixture_forgets(forgetting):
    pass

def test_asks_it_no_more(forgetting):
    pass
"""


LEFT = [
    "test_it.py::test_forgets left databases open",
    ":memory:, opened at test_it.py:25",
    "test_it.py::test_fixture_forgets left databases open",
    "brief.db, opened at test_it.py:18",
    "test_it.py::test_pool_forgets left databases open",
    "hub.db, opened at test_it.py:35",
    "the fixture closing of test_it.py left databases open",
    "lasting.db, opened at test_it.py:41",
    "the fixture forgetting of test_it.py left databases open",
    ":memory:, opened at test_it.py:14",
]


def test_each_leak_is_told_with_its_own_test(tmp_path: Path) -> None:
    """What a test or its fixtures leave open fails that test, and no other.

    What a lasting fixture has opened, or a test once more for it, is asked for when that ends.
    """
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rN", "-p", "no:randomly", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = re.findall(
        r"(?:the [\w ]+ of )?[\w.:]+ left databases open|[\w.:]+, opened at \S+", ended.stdout
    )
    assert told == LEFT, ended.stdout
    assert "10 passed, 4 errors" in ended.stdout


def test_they_are_asked_here(pytestconfig: pytest.Config) -> None:
    """Every test of ours, by a plugin."""
    assert any(isinstance(each, OpenDatabases) for each in pytestconfig.pluginmanager.get_plugins())
