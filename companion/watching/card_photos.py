"""Photographs of one UNO card, such as a phone takes: what they show, as JSON and in words.

A photograph that a card was read in names it; the others say why not, and what to do.
"""

import time
from pathlib import Path
from typing import Any, Final

from companion.language.message import Message, say
from vision.capture.frame import BadPicture, Picture, decode, load_frame
from vision.cards.card_photo import CardPhoto, PhotoProblem, read_card

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


def name_photographed(encoded: bytes) -> tuple[str, str] | Message:
    """Return colour and symbol of the card in the bytes of a picture, or why there are none.

    Raises BadPicture.
    """
    found = read_card(decode(encoded, "the photograph"))
    if found.reading is not None:
        return found.reading.color, found.reading.symbol
    assert found.problem is not None
    return PROBLEMS[found.problem]


def read_timed(picture: Picture) -> tuple[CardPhoto, float]:
    """Return what *picture* shows, and how long reading it took in ms."""
    began = time.perf_counter()
    found = read_card(picture)
    return found, 1000 * (time.perf_counter() - began)


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

    The time is without decoding it.
    """
    try:
        picture = load_frame(path).picture
    except BadPicture as error:
        line = {"status": "unreadable", "card": None, "confidence": 0.0, "ms": 0.0}
        return line, str(error)
    return photo_to_json(*read_timed(picture)), None
