"""The registered cards of each table, compared with each other beside all else.

A photograph never waits for that: until it is done, the answer says so.
"""

import threading
from pathlib import Path
from typing import Final

from companion.apps.cards.card_register import Stamp, load_if_any, stamp
from companion.apps.cards.reading_thread import step_back
from vision.capture.frame import Picture
from vision.cards.card_comparison import Compared, compare_cards
from vision.cards.registered_cards import Recognition, Rejection, identify_among

MAX_TABLES: Final = 8
"""Of how many what was found is kept; that of 60 cards takes about 100 MB."""

_lock: Final = threading.Lock()
_one_at_a_time: Final = threading.Lock()
_found: Final[dict[Path, tuple[Stamp, Compared]]] = {}
_awaited: Final[set[Path]] = set()


def identify_kept(picture: Picture, path: Path | None) -> Recognition:
    """Return which of the cards kept in *path* the picture shows, or why none is named."""
    if path is None or not path.exists() or picture.ndim != 3:
        return Recognition(None, Rejection.OTHER)
    compared = find_compared(path)
    if compared is None:
        return Recognition(None, Rejection.COMPARING)
    return identify_among(picture, compared)


def find_compared(path: Path) -> Compared | None:
    """Return what was found of the cards in *path*; None if they changed, and it is begun."""
    now = stamp(path)
    with _lock:
        at, compared = _found.get(path, (None, None))
    if at == now:
        return compared
    begin_comparing(path)
    return None


def begin_comparing(path: Path) -> None:
    """Let the cards in *path* be compared with each other, without waiting for it."""
    with _lock:
        if path in _awaited:
            return  # it looks for changes once more before it ends
        _awaited.add(path)
    # Stopping the companion does not wait for it.
    threading.Thread(target=_compare_beside, args=(path,), name="cards", daemon=True).start()


def _compare_beside(path: Path) -> None:
    step_back()
    try:
        with _one_at_a_time:
            while not _is_compared(path):
                compare_kept(path)
    finally:
        with _lock:
            _awaited.discard(path)


def _is_compared(path: Path) -> bool:
    """Return whether nothing changed since the cards in *path* were compared."""
    with _lock:
        at, _ = _found.get(path, (None, None))
        is_same = at == stamp(path)
        if is_same:
            _awaited.discard(path)  # whoever adds a card from here on begins anew
    return is_same


def compare_kept(path: Path) -> Compared:
    """Return how the cards in *path* differ from each other; only new ones are compared."""
    with _lock:
        _, before = _found.get(path, (None, None))
    at = stamp(path)
    compared = compare_cards(load_if_any(path), before)
    with _lock:
        _found.pop(path, None)
        _found[path] = at, compared
        while len(_found) > MAX_TABLES:
            del _found[next(iter(_found))]
    return compared
