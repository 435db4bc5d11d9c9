"""Salvage: what can still be read of a damaged log.

The pages of the file are searched for rows, wherever they are and whatever is left of the trees
that led to them, so that damage costs what it covers and no more. See
https://www.sqlite.org/fileformat2.html for records, cells and overflow pages.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from companion.session.events import KINDS
from companion.session.schema import Extent, entry_sum, header_sum
from companion.session.spare import journal_of, read_spare

PAGE_BYTES: Final = 4096
"""SQLite's usual size since 2016; a log has no other."""
WAL_HEADER_BYTES: Final = 32
WAL_FRAME_BYTES: Final = 24 + PAGE_BYTES
MAX_RECORD_BYTES: Final = 1 << 20
MIN_HEAD_BYTES: Final = 4
MAX_HEAD_BYTES: Final = 12
MAX_BEFORE_JSON_BYTES: Final = 120
MAX_NUMBER_BYTES: Final = 3
MAX_VARINT_BYTES: Final = 8
"""Bounds of what is taken for a row: of a record, of its head, of all that stands before its JSON,
of a length or a session's number, and of any number."""
INDEX_LOCAL_BYTES: Final = (PAGE_BYTES - 12) * 64 // 255 - 23
TABLE_LOCAL_BYTES: Final = PAGE_BYTES - 35
MIN_LOCAL_BYTES: Final = (PAGE_BYTES - 12) * 32 // 255 - 23
"""What of a long row stays on its own page, see "B-tree Cell Format"."""
_INTEGER_BYTES: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
_FIRST_BLOB: Final = 12
_JSON: Final = b'{"'

Pages = dict[int, bytes]


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """A row of the table `entry`."""

    seq: int
    at: str
    kind: str
    body: str
    sum: str


@dataclass(slots=True)
class SavedSession:
    """A session as far as it can be read.

    entries: from the first on, without gaps.  left_out: how many were found behind one that is
    lost.  is_doubtful: whether the header is not as it was written.
    """

    number: int
    opened_at: str
    header: str
    sum: str
    entries: list[SavedEntry] = field(default_factory=list)
    left_out: int = 0
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Salvage:
    """What can be read of a log, the oldest session first.

    headless: the sessions of which there are entries, but no header, and how many entries.
    """

    sessions: tuple[SavedSession, ...]
    headless: dict[int, int]

    @property
    def extent(self) -> Extent:
        """How much that is."""
        return Extent(len(self.sessions), sum(len(each.entries) for each in self.sessions))


def salvage(path: Path) -> Salvage:
    """Return what can be read of the log at *path*, and of journal and spare beside it.

    Raises OSError.  Call it only where this process has not opened the file with SQLite: closing
    it here would take away SQLite's lock.
    """
    main = _pages(path.read_bytes())
    journal = journal_of(path)
    frames = _frames(journal.read_bytes()) if journal.exists() else []
    newest = main | dict(frames)
    headers: dict[int, list[SavedSession]] = defaultdict(list)
    entries: dict[tuple[int, int], list[SavedEntry]] = defaultdict(list)
    # The file itself comes first: what the journal alone holds may never have been finished.
    sources = [(main, page) for page in main.values()] + [(newest, page) for _, page in frames]
    for pages, page in sources:
        for row in _rows(pages, page):
            if isinstance(row, SavedSession):
                headers[row.number].append(row)
            else:
                entries[row[0], row[1].seq].append(row[1])
    for number, *fields in read_spare(path):
        if len(fields) == len(("opened_at", "header", "sum")):
            headers[number].append(SavedSession(number, *fields))
        else:
            entries[number, fields[0]].append(SavedEntry(*fields))
    return _assembled(headers, entries)


def _pages(data: bytes) -> Pages:
    places = range(0, len(data), PAGE_BYTES)
    return {at // PAGE_BYTES + 1: data[at : at + PAGE_BYTES] for at in places}


def _frames(data: bytes) -> list[tuple[int, bytes]]:
    """Return number and content of each page in a write-ahead log, in the order of writing."""
    places = range(WAL_HEADER_BYTES, len(data), WAL_FRAME_BYTES)
    frames = [data[at : at + WAL_FRAME_BYTES] for at in places]
    return [(int.from_bytes(frame[:4]), frame[24:]) for frame in frames]


def _assembled(
    headers: dict[int, list[SavedSession]], entries: dict[tuple[int, int], list[SavedEntry]]
) -> Salvage:
    counts = Counter(number for number, _ in entries)
    sessions, before = [], ""
    for number, found in sorted(headers.items()):
        sums = [header_sum(before, number, each.opened_at, each.header) for each in found]
        whole = [each for each, right in zip(found, sums, strict=True) if each.sum == right]
        session = whole[0] if whole else found[0]
        # Where the header before it is lost, nobody can tell.
        session.is_doubtful = not whole and (number == 1 or number - 1 in headers)
        link = before = session.sum
        while candidates := entries.get((number, len(session.entries) + 1)):
            whole_entry = next((each for each in candidates if _follows(each, number, link)), None)
            if whole_entry is None:
                break
            session.entries.append(whole_entry)
            link = whole_entry.sum
        session.left_out = counts[number] - len(session.entries)
        sessions.append(session)
    headless = {number: counts[number] for number in sorted(counts.keys() - headers.keys())}
    return Salvage(tuple(sessions), headless)


def _follows(entry: SavedEntry, number: int, link: str) -> bool:
    """Return whether *entry* of session *number* is whole, and comes after *link*."""
    return entry.sum == entry_sum(link, number, entry.seq, entry.at, entry.kind, entry.body)


def _rows(pages: Pages, page: bytes) -> Iterator[SavedSession | tuple[int, SavedEntry]]:
    """Yield every row of a header or an entry that begins on *page*."""
    tried = -1
    json_at = page.find(_JSON)
    while json_at >= 0:
        for start in range(max(tried + 1, json_at - MAX_BEFORE_JSON_BYTES), json_at):
            tried = start
            if not MIN_HEAD_BYTES <= page[start] <= MAX_HEAD_BYTES:
                continue
            kinds = _kinds(page, start)
            if kinds is None:
                continue
            size = page[start] + sum(map(_width, kinds))
            row = _row(pages, page, start, size, kinds)
            if row is not None:
                yield row
        json_at = page.find(_JSON, json_at + 1)


def _kinds(page: bytes, start: int) -> list[int] | None:
    """Return the types of the columns of a record at *start*, None if none of ours can be there."""
    end = start + page[start]
    at, kinds = start + 1, []
    while at < min(end, len(page)):
        kind, at = _varint(page, at)
        kinds.append(kind)
    return kinds if at == end and len(kinds) in (4, 6) and _width(kinds[2]) else None


def _row(
    pages: Pages, page: bytes, start: int, size: int, kinds: Sequence[int]
) -> SavedSession | tuple[int, SavedEntry] | None:
    """Return the row whose record of *size* bytes is at *start*; None if it is no row of ours."""
    if size > MAX_RECORD_BYTES:
        return None
    if kinds[0] != 0:
        is_cell = any(before == size for before, _ in _before(page, start))
        payload = _payload(pages, page, start, size, INDEX_LOCAL_BYTES) if is_cell else None
        return _entry(_values(payload, kinds)) if payload else None
    for number, at in _before(page, start):
        if any(before == size for before, _ in _before(page, at)):
            payload = _payload(pages, page, start, size, TABLE_LOCAL_BYTES)
            return _session(number, _values(payload, kinds)) if payload else None
    return None


def _before(page: bytes, end: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers that may stand right before *end*, and where they begin."""
    for at in range(end - 1, max(-1, end - MAX_NUMBER_BYTES - 1), -1):
        value, stop = _varint(page, at)
        if stop == end:
            yield value, at


def _entry(record: Sequence[Any]) -> tuple[int, SavedEntry] | None:
    match record:
        case [int(session), int(seq), str(at), str(kind), str(body), str(known)] if (
            kind in KINDS and _is_time(at) and _is_object(body)
        ):
            return session, SavedEntry(seq, at, kind, body, known)
    return None


def _session(number: int, record: Sequence[Any]) -> SavedSession | None:
    match record:
        # In `tail` there is a copy.
        case [None, str(opened_at), str(header), str(known)] | [
            None,
            int(),
            str(),
            str(opened_at),
            str(header),
            str(known),
        ] if _is_time(opened_at) and _is_object(header):
            return SavedSession(number, opened_at, header, known)
    return None


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _width(kind: int) -> int:
    """Return the bytes that a value of the type *kind* takes, see "Record Format"."""
    return _INTEGER_BYTES.get(kind, 0) if kind < _FIRST_BLOB else (kind - _FIRST_BLOB) // 2


def _values(payload: bytes, kinds: Sequence[int]) -> tuple[Any, ...]:
    """Return the values of a record; () if one is of a type that no row of ours has."""
    values: list[int | str | None] = []
    at = payload[0]
    for kind in kinds:
        piece, at = payload[at : at + _width(kind)], at + _width(kind)
        if kind in (8, 9):
            values.append(kind - 8)
        elif kind in _INTEGER_BYTES:
            values.append(int.from_bytes(piece, signed=True) if piece else None)
        elif kind > _FIRST_BLOB and kind % 2:
            try:
                values.append(piece.decode())
            except UnicodeDecodeError:
                return ()
        else:
            return ()
    return tuple(values)


def _payload(pages: Pages, page: bytes, start: int, size: int, max_local: int) -> bytes | None:
    """Return *size* bytes from *start* on, the overflow pages among them; None if some lack."""
    if size <= max_local:
        found = page[start : start + size]
        return found if len(found) == size else None
    local = MIN_LOCAL_BYTES + (size - MIN_LOCAL_BYTES) % (PAGE_BYTES - 4)
    local = local if local <= max_local else MIN_LOCAL_BYTES
    found = page[start : start + local]
    follows = int.from_bytes(page[start + local : start + local + 4])
    while len(found) < size:
        more = pages.get(follows)
        if more is None or len(more) < PAGE_BYTES:
            return None
        follows = int.from_bytes(more[:4])
        found += more[4 : 4 + size - len(found)]
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at *at* and where it ends; -1 and the end of *data* if it is cut off."""
    value = 0
    for count in range(MAX_VARINT_BYTES):
        if at + count >= len(data):
            break
        byte = data[at + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    return -1, len(data)
