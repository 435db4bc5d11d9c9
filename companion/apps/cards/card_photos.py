"""Photographs of one UNO card, such as a phone takes: what they show, as JSON and in words.

A photograph that a card was read in names it; the others say why not, and what to do.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.language.message import Message, say
from vision.capture.frame import BadPicture, decode, load_frame
from vision.cards.card_photo import CardPhoto, PhotoProblem, read_card

PROBLEMS: Final[dict[PhotoProblem, Message]] = {
    PhotoProblem.DARK: say("The picture is too dark to read a card. Turn on a lamp."),
    PhotoProblem.BLURRED: say("The picture is blurred. Hold the phone still and not too close."),
    PhotoProblem.SMALL: say("The card is too small in the picture. Go closer."),
    PhotoProblem.NOTHING: say("No card is visible. Show the whole card, with few fingers on it."),
    PhotoProblem.FOREIGN: say(
        "The card does not belong to this game, or its symbol is covered. Show its symbol and"
        " its corners."
    ),
}
"""Why no card was named, and what to do."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the photograph of a card shows.

    card: colour and symbol, None if no card of the game is named.  problem: why none is.
    """

    card: tuple[str, str] | None
    problem: Message | None


def name_photographed(encoded: bytes) -> Named:
    """Return which card the bytes of a picture show; raises BadPicture."""
    found = read_card(decode(encoded, "the photograph"))
    card = (found.reading.color, found.reading.symbol) if found.reading else None
    return Named(card, PROBLEMS[found.problem] if found.problem else None)


def photo_to_json(found: CardPhoto, spent_ms: float) -> dict[str, Any]:
    """Return *found* as `tiki read --card` prints it, without the file's name."""
    reading = found.reading
    line: dict[str, Any] = {
        "status": found.status.value,
        "card": reading and {"color": reading.color, "symbol": reading.symbol},
        "confidence": round(reading.confidence, 4) if reading else 0.0,
        "ms": round(spent_ms, 2),
    }
    if found.problem is not None:
        line["reason"] = str(PROBLEMS[found.problem])
    return line


def read_file(path: Path) -> tuple[dict[str, Any], str | None]:
    """Return the same of the photograph in file *path*, and what is wrong with the file, if it is.

    The time is without decoding the file.
    """
    try:
        picture = load_frame(path).picture
    except BadPicture as error:
        line = {"status": "unreadable", "card": None, "confidence": 0.0, "ms": 0.0}
        return line, str(error)
    began = time.perf_counter()
    found = read_card(picture)
    return photo_to_json(found, 1000 * (time.perf_counter() - began)), None
