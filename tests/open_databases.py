"""Who opened a SQLite connection and did not close it: each test is asked when it ends.

Python 3.13 warns of such a connection when it is collected, in whatever test runs by then; earlier
versions say nothing.
"""

import inspect
import sqlite3
import sqlite3.dbapi2
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

MEMORY: Final = ":memory:"
MAX_CALLS: Final = 4
DEADLINE_S: Final = 60.0
"""So long a server's thread has time to end an answer whose page the test has already left."""
_connect = sqlite3.connect


class Owner:
    """A test, or a fixture that outlives it, and what it has yet to close."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._threads = {*threading.enumerate()}
        self.unclosed: dict[object, tuple[str, str, threading.Thread]] = {}
        """By a mark of each connection: its database, which lines opened it, and its thread."""

    def has_open(self, database: str) -> bool:
        """Return whether *database* is a file that this one has open."""
        return database != MEMORY and any(each[0] == database for each in [*self.unclosed.values()])

    def check(self) -> None:
        """Fail if anything was left open, and forget it, so that nobody else is blamed."""
        until_s = time.monotonic() + DEADLINE_S
        while self._waits() and time.monotonic() < until_s:
            time.sleep(0.01)
        left = [f"{database}, opened at {calls}" for database, calls, _ in self.unclosed.values()]
        self.unclosed.clear()
        if left:
            advice = "close each where it is opened: contextlib.closing, Log in a with statement"
            pytest.fail(
                "\n".join((f"{self.name} left databases open; {advice}", *left)), pytrace=False
            )

    def _waits(self) -> bool:
        """Return whether another thread may yet close something."""
        left = [*self.unclosed.values()]
        threads = {thread for _, _, thread in left} | ({*threading.enumerate()} - self._threads)
        threads.discard(threading.current_thread())
        return bool(left) and any(each.is_alive() for each in threads)


class Connection(sqlite3.Connection):
    """A connection that tells when it is closed."""

    on_close: Callable[[], object] = object

    def close(self) -> None:
        """Close it."""
        super().close()
        self.on_close()


class OpenDatabases:
    """What pytest calls: it sees every connection, those of SQLAlchemy too, from now on.

    root: where the lines are that are told.
    """

    def __init__(self, root: Path) -> None:
        self._root = f"{root}/"
        self._owners: list[Owner] = []
        self._lasting: list[Owner] = []
        """Fixtures that outlive a test, set up and not yet torn down."""
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr(sqlite3, "connect", self.connect)
        self._patch.setattr(sqlite3.dbapi2, "connect", self.connect)

    def pytest_unconfigure(self) -> None:
        """Let `sqlite3` be as it was."""
        self._patch.undo()

    def connect(self, database: Any, *args: Any, **more: Any) -> sqlite3.Connection:
        """Open *database* as `sqlite3.connect` does, and note for whom.

        What a lasting fixture has open is its own, even if a test makes it open it once more: so
        do the pools of SQLAlchemy.
        """
        opened: sqlite3.Connection = _connect(database, *args, **{"factory": Connection, **more})
        name = str(database)
        owner = next((each for each in self._lasting if each.has_open(name)), None)
        owner = owner or (self._owners[-1] if self._owners else None)
        if owner is not None and isinstance(opened, Connection):
            mark = object()
            owner.unclosed[mark] = (name, self._calls(), threading.current_thread())
            opened.on_close = partial(owner.unclosed.pop, mark, None)
        return opened

    @contextmanager
    def _opening_for(self, owner: Owner) -> Generator[None]:
        self._owners.append(owner)
        try:
            yield
        finally:
            self._owners.remove(owner)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Whatever is opened from now on is this test's, unless a lasting fixture opens it."""
        with self._opening_for(Owner(item.nodeid)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None, object, object]:
        """Ask the test, once its fixtures are torn down."""
        result = yield
        self._owners[-1].check()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        """Ask a fixture that outlives the test when it is torn down itself."""
        if fixturedef.scope == "function":
            return (yield)
        owner = Owner(f"the fixture {fixturedef.argname} of {fixturedef.baseid}")
        self._lasting.append(owner)
        # Finalizers run in reverse: after its own end.
        fixturedef.addfinalizer(partial(self._finish, owner))
        with self._opening_for(owner):
            return (yield)

    def _finish(self, owner: Owner) -> None:
        self._lasting.remove(owner)
        owner.check()

    def _calls(self) -> str:
        """Return which of our lines are being run, the innermost first."""
        found: list[str] = []
        frame = inspect.currentframe()  # a traceback costs far more
        while frame is not None and len(found) < MAX_CALLS:
            path = frame.f_code.co_filename
            if path.startswith(self._root) and path != __file__:
                found.append(f"{path.removeprefix(self._root)}:{frame.f_lineno}")
            frame = frame.f_back
        return " < ".join(found) or "an unknown place"
