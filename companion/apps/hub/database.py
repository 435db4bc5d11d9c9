"""The database: where it is, whether it can be used, and what is told if not."""

import errno
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final

from sqlalchemy import URL, Engine, create_engine, event, inspect, make_url, select, update
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from companion.apps.hub.schema import SCHEMA, Base, HubRow
from companion.files import PRIVATE
from companion.validation import one_line

EXAMPLES: Final = "sqlite:////var/lib/tiki/hub.db or postgresql://tiki@db.local/tiki"
WAIT_S: Final = 5
"""So long a database has time to let us in, or another process to end what it writes."""
_DRIVERS: Final = {
    "sqlite": "sqlite", "sqlite+pysqlite": "sqlite",
    "postgresql": "postgresql+psycopg", "postgresql+psycopg": "postgresql+psycopg",
}  # fmt: skip
_DISK_FULL: Final = ("53100", "53200")
"""PostgreSQL's codes of a full disk and of memory that ran out; see its appendix A."""
MAX_REASON_CHARS: Final = 200


class DatabaseTrouble(Exception):
    """The database cannot be used; the message is one line for people, without a password.

    is_ours: whether what was to be written is at fault, so that trying again does not help.
    """

    def __init__(self, message: str, *, is_ours: bool = False) -> None:
        super().__init__(message)
        self.is_ours = is_ours


def parse_url(text: str) -> URL:
    """Return the database that *text* names; raises DatabaseTrouble.

    >>> parse_url("postgresql://db.local/tiki").drivername
    'postgresql+psycopg'
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # Without what was given: it may hold a password.
        raise DatabaseTrouble(
            f"that is not the address of a database; write it like {EXAMPLES}"
        ) from None
    driver = _DRIVERS.get(url.drivername)
    if driver is None:
        raise DatabaseTrouble(
            f"the hub knows no database {one_line(url.drivername)}; it takes SQLite and"
            f" PostgreSQL: {EXAMPLES}"
        )
    if driver == "sqlite" and url.database in (None, "", ":memory:"):
        raise DatabaseTrouble(f"that database keeps nothing; name a file, like {EXAMPLES}")
    return url.set(drivername=driver)


class Database:
    """An open database.

    client_id: by which the broker knows the hub that keeps its events here.
    Raises DatabaseTrouble if it is not to be had, or is a newer hub's.
    """

    def __init__(self, url: URL) -> None:
        self.shown = _shown(url)
        self._engine = _engine(url)
        # SQLite refuses at once what has read before another wrote.
        self._writing = Lock()
        self._is_closed = False
        try:
            with self._explained():
                self.client_id = self._open()
        except BaseException:
            self._engine.dispose()
            raise

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session whose changes are kept as a whole when it ends; raises DatabaseTrouble.

        One at a time, from whatever thread.
        """
        with self._writing, self.read() as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session that changes nothing; raises DatabaseTrouble."""
        pool = self._engine.pool
        try:
            with self._explained(), Session(self._engine) as session:
                yield session
        finally:
            if self._is_closed:
                pool.dispose()

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's own."""
        return self._engine

    def close(self) -> None:
        """Let go of it; a thread that is still at it does so when it is done."""
        self._is_closed = True
        self._engine.dispose()

    def _open(self) -> str:
        """Make the tables where there are none; return the id that is kept there."""
        if not inspect(self._engine).has_table(HubRow.__tablename__):
            Base.metadata.create_all(self._engine)
        with Session(self._engine) as session, session.begin():
            row = session.scalar(select(HubRow))
            if row is None:
                client_id = f"tiki-hub-{secrets.token_hex(4)}"
                row = HubRow(id=1, schema=SCHEMA, client_id=client_id, made_at=datetime.now(UTC))
                session.add(row)
            if row.schema > SCHEMA:
                raise DatabaseTrouble(
                    f"the database {self.shown} is of a newer version (schema {row.schema}; this"
                    f" one knows {SCHEMA}); update the companion, or name another database"
                )
            # One that may only be read is refused now, not with the first event.
            session.execute(update(HubRow).values(schema=SCHEMA))
            return row.client_id

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, ModuleNotFoundError, OSError) as error:
            raise trouble_of(error, self.shown) from error


def _shown(url: URL) -> str:
    """Return *url* without its password, and as what it is that people know."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        timeouts = {"connect_timeout": WAIT_S, "options": f"-c statement_timeout={WAIT_S * 2000}"}
        wanted = {name: value for name, value in timeouts.items() if name not in url.query}
        return create_engine(url, pool_pre_ping=True, pool_size=2, connect_args=wanted)
    path = Path(str(url.database))
    if not path.exists():
        try:
            path.touch(mode=PRIVATE)
        except OSError as error:
            raise trouble_of(error, _shown(url)) from None
    engine = create_engine(url, connect_args={"timeout": WAIT_S})
    event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    """Let what is committed survive a power cut: only then the broker forgets it."""
    for line in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {line}")


def trouble_of(error: Exception, shown: str) -> DatabaseTrouble:
    """Return what people are told of *error*, with what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(getattr(cause, "strerror", None) or cause).strip().splitlines() or [""]
    reason = one_line(lines[0].strip().removeprefix("connection failed: "))[:MAX_REASON_CHARS]
    remedy = _remedy(cause, " ".join(lines).lower())
    is_gone = isinstance(error, PoolTimeout) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )
    is_ours = type(error).__name__ in ("DataError", "IntegrityError", "StatementError")
    return DatabaseTrouble(
        f"the database {shown} cannot be used: {reason}; {remedy}",
        is_ours=is_ours and not is_gone,
    )


def _remedy(cause: BaseException, words: str) -> str:
    """Return what to do about *cause*, by its code or by the words it is said in."""
    number = getattr(cause, "errno", None)
    if isinstance(cause, ModuleNotFoundError):
        return "install what the hub needs: ./run hub, or pip install 'tiki-companion[hub]'"
    if getattr(cause, "sqlstate", None) in _DISK_FULL or number in (errno.ENOSPC, errno.EDQUOT):
        return "free some space on its disk"
    known = {
        "is full": "free some space on its disk",
        "no space left": "free some space on its disk",
        "password": "correct user and password in the database's address, or in ~/.pgpass",
        "authentication": "correct user and password in the database's address, or in ~/.pgpass",
        "does not exist": "make it: sudo -u postgres createuser tiki; sudo -u postgres createdb -O"
        " tiki tiki",
        "not a database": "name another file; this one is something else",
        "malformed": "restore it from a backup, or name another file",
        "readonly": "let the user that runs the hub write to it",
        "permission denied": "let the user that runs the hub read and write there",
        "no such file": "make its folder, or correct the path",
        "unable to open": "make its folder, and let the user that runs the hub write to it",
        "locked": "stop the other program that writes to it",
    }
    for word, remedy in known.items():
        if word in words:
            return remedy
    return "see whether it runs and can be reached from here, and correct its address"
