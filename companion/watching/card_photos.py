"""Photographs of one UNO card, such as a phone takes: what they show, as JSON and in words.

A photograph that a card was read in names it; the others say why not, and what to do.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.language.message import Message, say
from vision.capture.frame import BadPicture, Picture, decode, load_frame
from vision.cards.card_photo import CardPhoto, PhotoProblem, PhotoStatus, read_card
from vision.cards.registered_cards import RegisteredCard, recognise

PROBLEMS: Final[dict[PhotoProblem, Message]] = {
    PhotoProblem.DARK: say("The picture is too dark to read a card. Turn on a lamp."),
    PhotoProblem.BLURRED: say("The picture is blurred. Hold still, and not too near."),
    PhotoProblem.SMALL: say("The card is too small in the picture. Go closer."),
    PhotoProblem.NOTHING: say("There is no card to be seen. Show all of it, few fingers on it."),
    PhotoProblem.FOREIGN: say(
        "The card is not one of this game, or its sign is covered. Show its sign and its corners."
    ),
}
"""Why no card was named, and what to do."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the photograph of a card shows.

    card: colour and symbol, None if no card of the game is named.  name: what its owner calls it,
    "" if it is not registered.  problem: why it has no name at all.
    """

    card: tuple[str, str] | None
    name: str
    problem: Message | None


def name_photographed(encoded: bytes, cards: Sequence[RegisteredCard] = ()) -> Named:
    """Return which card the bytes of a picture show, of the game and of the owner's *cards*.

    Raises BadPicture.
    """
    picture = decode(encoded, "the photograph")
    found, name = read_card(picture), _find_name(picture, cards)
    card = (found.reading.color, found.reading.symbol) if found.reading else None
    problem = PROBLEMS[found.problem] if found.problem is not None and not name else None
    return Named(card, name, problem)


def _find_name(picture: Picture, cards: Sequence[RegisteredCard]) -> str:
    """Return what the owner calls the card in *picture*, "" if it is none of *cards*."""
    own = recognise(picture, cards) if cards and picture.ndim == 3 else None
    return own.name if own is not None else ""


def photo_to_json(found: CardPhoto, spent_ms: float, name: str | None = None) -> dict[str, Any]:
    """Return *found* as `tiki read --card` prints it, without the file's name.

    name: what the owner calls it, "" if it is none that is registered; None if none is.
    """
    reading = found.reading
    line: dict[str, Any] = {
        "status": PhotoStatus.OK.value if name else found.status.value,
        "card": reading and {"color": reading.color, "symbol": reading.symbol},
        "confidence": round(reading.confidence, 4) if reading else 0.0,
        "ms": round(spent_ms, 2),
    }
    if name is not None:
        line["name"] = name or None
    if found.problem is not None and not name:
        line["reason"] = str(PROBLEMS[found.problem])
    return line


def read_file(
    path: Path, cards: Sequence[RegisteredCard] = ()
) -> tuple[dict[str, Any], str | None]:
    """Return the same of the photograph in file *path*, and what is wrong with the file, if it is.

    cards: those that the owner has registered.  The time is without decoding the file.
    """
    try:
        picture = load_frame(path).picture
    except BadPicture as error:
        line = {"status": "unreadable", "card": None, "confidence": 0.0, "ms": 0.0}
        return line, str(error)
    began = time.perf_counter()
    found, name = read_card(picture), _find_name(picture, cards) if cards else None
    return photo_to_json(found, 1000 * (time.perf_counter() - began), name), None


def recognise_file(path: Path, cards: Sequence[RegisteredCard]) -> tuple[str, float]:
    """Return which of *cards* the photograph in file *path* shows, "" for none, and the ms it took.

    Raises BadPicture.
    """
    picture = load_frame(path).picture
    began = time.perf_counter()
    return _find_name(picture, cards), 1000 * (time.perf_counter() - began)
