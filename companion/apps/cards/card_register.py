"""Cards that the owner has shown once, with their names: kept beside the log, for this user alone.

One file, written whole: a new one takes the old one's place only after it was read back.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import cv2
import numpy as np

from companion.files import OWN_CARDS, alone_in, write_whole
from companion.language.message import Message, say
from vision.capture.frame import Picture
from vision.cards.card_comparison import Compared, RegisteredCard
from vision.cards.registered_cards import find_most_similar, identify_among, recognise
from vision.cards.shown_card import KEPT_PX, ShownFault, crop_shown

FORMAT: Final = "tiki-cards"
VERSION: Final = 1
MAX_CARDS: Final = 300
MAX_NAME_CHARS: Final = 40
NOTHING_LOST: Final = "the cards saved before are still there"

Register: TypeAlias = tuple[RegisteredCard, ...]
"""The cards of a table, in the order of their names."""
Stamp: TypeAlias = tuple[int, int]
"""What changes when another file takes a file's place."""
COMPARED: Final = 12
"""A new card is compared with so many most similar cards while not all are compared yet."""
FAULTS: Final[dict[ShownFault, Message]] = {
    ShownFault.NO_CARD: say(
        "No card is visible in the picture; lay it on a plain table, show the whole card and"
        " no fingers, and take another picture"
    ),
    ShownFault.SMALL: say(
        "The card is too small in the picture; go closer, and take another picture"
    ),
    ShownFault.TILTED: say(
        "The card was photographed too much from the side; hold the camera straight above it,"
        " and take another picture"
    ),
    ShownFault.BRIGHT: say(
        "The card is too bright or there is glare on it, so that its colours are lost; turn"
        " it away from the lamp, and take another picture"
    ),
    ShownFault.DARK: say("The card is too dark; turn on a lamp, and take another picture"),
}
"""What is in the way of keeping a card, and what to do."""


class BadRegister(ValueError):
    """The file of registered cards, or what is to be put there, cannot be used; one line."""


def register_path(log: Path) -> Path:
    """Return where the cards of the table with that *log* are kept."""
    return log.with_suffix(f".{OWN_CARDS}")


def load_register(path: Path) -> tuple[RegisteredCard, ...]:
    """Return the cards kept in *path*, none if it is not there; raises BadRegister."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadRegister(f"{path} cannot be read ({error.strerror}); make it readable") from None
    return parse_register(data, path)


def with_shown(
    cards: Sequence[RegisteredCard], name: str, picture: Picture, compared: Compared | None = None
) -> tuple[RegisteredCard, ...]:
    """Return *cards* and the one that *picture* shows, called *name*; raises BadRegister."""
    shown = crop_shown(picture)
    if isinstance(shown, ShownFault):
        raise BadRegister(FAULTS[shown])
    more = with_card(cards, name, shown)
    if compared is not None:
        like = identify_among(picture, compared).card
    else:
        like = recognise(picture, find_most_similar(shown, cards, COMPARED))
    if like is not None:
        raise BadRegister(
            say("this card is already saved as “{name}”; remove that one first", name=like.name)
        )
    return more


def load_if_any(path: Path | None) -> tuple[RegisteredCard, ...]:
    """Return the cards kept in *path*; none for None, or where the file cannot be used.

    A card of the game is then named all the same; the owner is told by `tiki cards list`.
    """
    try:
        return () if path is None else _load_once(path, stamp(path))
    except BadRegister:
        return ()


def stamp(path: Path) -> Stamp:
    """Return what changes when another file takes the place of *path*."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino


@lru_cache(maxsize=1)
def _load_once(path: Path, at: Stamp) -> tuple[RegisteredCard, ...]:
    """Return the cards of *path* as it is *at* that stamp; they are decoded once."""
    del at
    return load_register(path)


def parse_register(data: bytes, path: Path) -> tuple[RegisteredCard, ...]:
    """Return the cards in the *data* of file *path*; raises BadRegister."""
    document = _open(data)
    if document is None:
        raise _damaged(path)
    if document["version"] > VERSION:
        raise BadRegister(
            f"{path} was written by a newer companion (version {document['version']}, this one"
            f" knows {VERSION}); update the companion"
        )
    cards: Any = document.get("cards")
    if _sum(cards) != document.get("sha256"):
        raise _damaged(path)
    try:
        return tuple(RegisteredCard(str(each["name"]), _decode(each["picture"])) for each in cards)
    except (ValueError, KeyError, TypeError):
        raise _damaged(path) from None


def _open(data: bytes) -> dict[str, Any] | None:
    """Return the document in *data*, None if it is not of this format."""
    try:
        document = json.loads(data)
    except ValueError:
        return None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    return document if isinstance(document.get("version"), int) else None


def _damaged(path: Path) -> BadRegister:
    return BadRegister(
        f"{path} is damaged; put it back from a backup with tiki restore, or move it away and show"
        " the cards again"
    )


def change_register(path: Path, change: Callable[[Register], Register]) -> Register:
    """Keep in *path* what *change* makes of the cards there, and return that.

    Nobody else, in this process or another, changes them meanwhile: a card would be lost.
    Raises OSError, BadRegister or what *change* raises, and the old file is still there.
    """
    with alone_in(path.parent):
        cards = change(load_register(path))
        save_register(path, cards)
    return cards


def save_register(path: Path, cards: Sequence[RegisteredCard]) -> None:
    """Keep *cards* in *path*, for this user alone; raises OSError, and the old file is still there.

    Where others may do so too, use `change_register`.
    What was written is read back before it takes the old file's place.
    """
    kept = [{"name": each.name, "picture": _encode(each.picture)} for each in cards]
    document = {"format": FORMAT, "version": VERSION, "sha256": _sum(kept), "cards": kept}
    data = json.dumps(document, ensure_ascii=False).encode()
    write_whole(path, data, is_verified=True)


def with_card(
    cards: Sequence[RegisteredCard], name: str, picture: Picture
) -> tuple[RegisteredCard, ...]:
    """Return *cards* and one more, in the order of their names; raises BadRegister."""
    words = " ".join(name.split())
    if not words or len(words) > MAX_NAME_CHARS or not words.isprintable():
        raise BadRegister(
            say(
                "a card’s name has 1 to {most} characters; this one has {given}",
                most=MAX_NAME_CHARS,
                given=len(words),
            )
        )
    if any(each.name.casefold() == words.casefold() for each in cards):
        raise BadRegister(
            say(
                "there is already a card “{name}”; remove it first, or give this one another name",
                name=words,
            )
        )
    if len(cards) >= MAX_CARDS:
        raise BadRegister(
            say(
                "{number} cards are saved, and there is no room for more; remove one first",
                number=MAX_CARDS,
            )
        )
    return tuple(sorted((*cards, RegisteredCard(words, picture)), key=lambda each: each.name))


def without_card(cards: Sequence[RegisteredCard], name: str) -> tuple[RegisteredCard, ...]:
    """Return *cards* without the one of that *name*; raises BadRegister if there is none."""
    words = " ".join(name.split()).casefold()
    kept = tuple(each for each in cards if each.name.casefold() != words)
    if len(kept) == len(cards):
        raise BadRegister(say("there is no card called “{name}”; check the list again", name=name))
    return kept


def _sum(cards: Any) -> str:
    return hashlib.sha256(json.dumps(cards, sort_keys=True).encode()).hexdigest()


def _encode(picture: Picture) -> str:
    return base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode("ascii")


def _decode(text: str) -> Picture:
    try:
        data = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
    except binascii.Error:
        raise ValueError("no base64") from None
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if picture is None or picture.shape[:2] != KEPT_PX:
        raise ValueError("no picture of a card")
    return np.asarray(picture, np.uint8)
