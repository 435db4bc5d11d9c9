"""The log's file: opened, verified, and kept where it belongs."""

import contextlib
import logging
import os
import shlex
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

from companion.files import PRIVATE, begin_private, make_table_private, scratch_folder
from companion.session.log_errors import (
    MEMORY,
    CannotWrite,
    LogError,
    LogInUse,
    code_of,
    in_one_line,
    remedy_for,
    write_error,
)
from companion.session.log_place import copy_log, is_in_use, obstacle
from companion.session.salvage import salvage
from companion.session.schema import (
    APPLICATION_ID,
    SCHEMA,
    Damage,
    Extent,
    create,
    verify,
)
from companion.session.spare import Row, Spare, bring_in, journal_of, read_spare

T = TypeVar("T")

BUSY_TIMEOUT_S: Final = 1.0
COPIED_TOGETHER: Final = 10
"""After so many transactions SQLite's journal is copied into the file."""
_DAMAGED: Final = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR))
"""What SQLite says of a file that it cannot make sense of; the last of texts that are none, too,
and of tables that are not there."""

logger = logging.getLogger(__name__)


class _NotOurs(Damage):
    """A database without the mark of a log."""


class LogFile:
    """One SQLite file that this process alone has open.

    path: where it is; another one once it was replaced.  extent: how much it held when opened.
    behind: why the journal has something that the file lacks, "" mostly.
    moved: what to say of it when it was deleted or replaced and has been written anew, else "".
    is_open: whether it can be read and written, until it is closed.
    is_changed: whether a new one becomes a log, and what its journal has is copied into it. One
        that is only read, and cannot be written where it lies, is read in a copy; that is said.
    Raises LogError.
    """

    def __init__(self, path: str, *, is_changed: bool = True) -> None:
        self.path = path
        self._is_changed = is_changed
        self.moved = self.behind = ""
        self.is_open = False
        self._uncopied = 0
        self._spare: Spare | None = None
        self._scratch = contextlib.ExitStack()
        self._at = path  # where SQLite opens it: at its path, or a copy
        if is_changed and path != MEMORY:
            with contextlib.suppress(OSError):  # it is there already, or SQLite will say why not
                # Secrets are in it: for nobody else on this machine to read.
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        elif path != MEMORY and (reason := obstacle(Path(path))):
            self._at = self._copied(reason)
        try:
            self.extent = self._open()
        except BaseException:
            self._scratch.close()
            raise

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *change* returns; the first one begins a transaction.

        Raises LogError.
        """
        try:
            if not self.db.in_transaction:
                self._stay()
                self.db.execute("BEGIN IMMEDIATE")
            return change(self.db)
        except sqlite3.IntegrityError as error:
            raise LogError(f"{self.path}: {error}") from None
        except sqlite3.Error as error:
            raise write_error(self.path, error) from None

    def commit(self) -> None:
        """End the transaction if there is one; raises CannotWrite.

        What it wrote is on the disk twice then, in the journal and in the spare; or the journal is
        copied into the file, as it is after some transactions.
        """
        try:
            if self.db.in_transaction:
                self.db.execute("COMMIT")
                self._uncopied += 1
                is_kept = self._spare is not None and self._spare.keep()
                if not is_kept or self._uncopied >= COPIED_TOGETHER:
                    self.copy_journal()
        except sqlite3.Error as error:
            raise write_error(self.path, error) from None

    def copy_journal(self) -> None:
        """Copy what the journal has into the file, or else `behind` says why it is not."""
        self.behind = ""
        try:
            _, pages, copied = self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            self.behind = str(write_error(self.path, error))
        else:
            if copied < pages:
                self.behind = f"{self.path}: what is in its journal cannot be copied into it"
            else:
                self._uncopied = 0
                if self._spare is not None:
                    self._spare.outdate()

    def roll_back(self) -> None:
        """Forget what was written since the transaction began."""
        with contextlib.suppress(sqlite3.Error):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")

    def read(self, query: str, row: tuple[object, ...] = ()) -> list[Any]:
        """Return all rows that *query* finds; raises LogError."""
        try:
            return self.db.execute(query, row).fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error) from None

    def close(self) -> None:
        """Let the file go; may be called twice."""
        if not self.is_open:
            return
        try:
            self._stay()
        except (LogError, sqlite3.Error) as error:
            logger.error("%s", error)  # noqa: TRY400 - one line for people
        self._close()
        self._scratch.close()
        self.is_open = False

    def _close(self) -> None:
        self.db.close()  # which copies the journal into the file
        if self._spare is not None:
            self._spare.close()

    def _copied(self, reason: str) -> str:
        """Return a copy that goes when this is closed; *reason*: why it is wanted.

        Raises LogError.
        """
        log = Path(self.path)
        try:
            if is_in_use(log):
                raise self._in_use()
            folder = self._scratch.enter_context(scratch_folder("log"))
            copy = copy_log(log, folder)
        except OSError as error:
            self._scratch.close()
            if isinstance(error, LogError):
                raise
            said = error.strerror or error
            raise LogError(f"{log} cannot be read: {said}{remedy_for(error)}") from None
        logger.warning("%s cannot be written (%s); it is read in a copy, %s", log, reason, copy)
        return str(copy)

    def _open(self) -> Extent:
        path, journal, kept = Path(self._at), journal_of(Path(self._at)), b""
        try:
            if self.path != MEMORY and journal.exists():
                kept = journal.read_bytes()
            spared = read_spare(path) if self.path != MEMORY else []
            has_games = bool((kept or spared) and salvage(path).sessions)
            self.db = sqlite3.connect(self._at, isolation_level=None, timeout=BUSY_TIMEOUT_S)
        except (OSError, sqlite3.Error) as error:
            raise self._trouble(error) from None
        try:
            extent = self._prepare(spared, has_games=has_games)
            self._identity = _inode(path) if self._at == self.path != MEMORY else None
            self._journal = _inode(journal)
        except (OSError, sqlite3.Error, Damage, UnicodeError) as error:
            self.db.close()
            if kept and not journal.exists():  # SQLite has put away what it did not understand
                with contextlib.suppress(OSError):
                    journal.write_bytes(kept)
                    journal.chmod(PRIVATE)
            raise error if isinstance(error, LogError) else self._opening_error(error) from None
        self.is_open = True
        if self.path != MEMORY:
            make_table_private(path)  # whoever put it there
        return extent

    def _prepare(self, spared: list[Row], *, has_games: bool) -> Extent:
        """Return how much the file holds; *spared*: what of it a spoilt journal may hide.

        has_games: whether it, its journal or its spare has some.
        Raises LogError, Damage or sqlite3.Error.
        """
        execute = self.db.execute
        # Held until the process ends, however it ends: two referees on one log would both be wrong.
        execute("PRAGMA locking_mode=EXCLUSIVE")
        (mark,) = execute("PRAGMA application_id").fetchone()
        (schema,) = execute("PRAGMA user_version").fetchone()
        (tables,) = execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (pages,) = execute("PRAGMA page_count").fetchone()
        is_new = tables == 0 and pages <= 1 and not has_games
        extent = Extent(0, 0)
        if not is_new:
            if mark != APPLICATION_ID:
                raise _NotOurs("it is not marked as a game log")
            if schema != SCHEMA:
                raise LogError(
                    f"{self.path} was written by another version (format {schema}, this one reads"
                    f" {SCHEMA}); update the companion, or choose another file for the log"
                )
            extent = self._verified(spared)
        if not self._is_changed:
            return extent
        execute("PRAGMA journal_mode=WAL")
        execute("PRAGMA synchronous=FULL")
        execute("PRAGMA wal_autocheckpoint=0")
        if is_new:
            create(self.db)
        # `commit` copies it; and now what the process that had the file before did not come to, and
        # the marks of a new file, by which others know it.
        self.copy_journal()
        if self.path != MEMORY:
            self._spare = Spare(Path(self.path), self.db)
        return extent

    def _verified(self, spared: list[Row]) -> Extent:
        """Return how much the file holds, with what a spoilt journal hid brought in again.

        Raises Damage or sqlite3.Error.
        """
        extent = verify(self.db)
        self.db.execute("BEGIN")
        try:
            count = bring_in(self.db, spared)
            extent = verify(self.db) if count else extent
            if count and not self._is_changed:
                raise Damage("its journal is spoilt")
            self.db.execute("COMMIT")
        finally:
            self.roll_back()
        if count:
            logger.warning("%s: its journal is spoilt; nothing is lost", self.path)
        return extent

    def _opening_error(self, error: Exception) -> LogError:
        """Return in one line why the file cannot be opened, and what can be saved of it."""
        if isinstance(error, OSError) or code_of(error) not in _DAMAGED:
            return self._trouble(error)
        words = in_one_line(str(error))
        try:
            found = salvage(Path(self.path)).extent
        except OSError as unreadable:
            return self._trouble(unreadable)
        if found.sessions:
            return LogError(
                f"{self.path} is damaged ({words}); {found} can be saved to a new file:"
                f" tiki log recover {shlex.quote(self.path)} NEW.db"
            )
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            reason = "is not a game log; choose another file, or move this one away"
        elif isinstance(error, _NotOurs):
            reason = "is another program's database; choose another file for the log"
        else:
            reason = (
                f"is damaged ({words}), and no game can be read in it; move it away, or choose"
                " another file for the log"
            )
        return LogError(f"{self.path} {reason}")

    def _trouble(self, error: Exception) -> LogError:
        if code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return self._in_use()
        return LogError(str(write_error(self.path, error)))

    def _in_use(self) -> LogInUse:
        return LogInUse(
            f"{self.path} is in use by another tiki; stop that one or name another log file"
        )

    def _stay(self) -> None:
        """See to it that the open file is the one at its path; raises CannotWrite."""
        if self._identity is None:
            return
        try:
            found = _inode(Path(self.path))
            if found != self._identity:
                self._move(is_replaced=found is not None)
        except (OSError, sqlite3.Error) as error:
            raise error if isinstance(error, LogError) else write_error(self.path, error) from None

    def _move(self, *, is_replaced: bool) -> None:
        """Write all games to a new file; SQLite can still read the one that is no longer there.

        Where it was if there is nothing now; else beside it, for the other file is someone's too.
        """
        old, gone = self.path, Path(self.path)
        target = _free_name(gone) if is_replaced else gone
        words = "was replaced by another file" if is_replaced else "was deleted or moved away"
        try:
            _copy(self.db, target)
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise CannotWrite(
                f"{old} {words} while the companion ran, and {target} cannot be written ({reason});"
                " put the folder back or free some space, and do not stop the companion before"
            ) from None
        self._let_go()
        self.path = self._at = str(target)
        self._open()
        now = (
            f"all games are in {target} now, and this one continues there"
            if is_replaced
            else "all games in it were written again"
        )
        self.moved = f"{old} {words} while the companion ran; {now}"
        logger.warning("%s", self.moved)

    def _let_go(self) -> None:
        """Close the file that is no longer at its path."""
        journal = journal_of(Path(self.path))
        # SQLite removes the journal by its name, whoever's that is by now.
        aside = journal.with_name(f"{journal.name}.aside")
        is_foreign = _inode(journal) not in (None, self._journal)
        if is_foreign:
            journal.rename(aside)
        self.copy_journal()  # if it was only moved, it is whole there
        self.db.close()
        if not is_foreign:
            journal.unlink(missing_ok=True)
        if self._spare is not None:
            self._spare.close()
        if is_foreign:
            aside.rename(journal)


def _inode(path: Path) -> tuple[int, int] | None:
    """Return which file is at *path*, None if there is none; raises OSError."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in names if not name.exists())


def _copy(db: sqlite3.Connection, target: Path) -> None:
    """Write all of *db* to *target*, whole or not at all; raises OSError or sqlite3.Error."""
    draft = target.with_name(f"{target.name}.part")
    begin_private(draft)
    with contextlib.closing(sqlite3.connect(draft)) as copy:
        db.backup(copy)
    draft.replace(target)
