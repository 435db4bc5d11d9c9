"""Photographs of one UNO card, such as a phone takes: what they show, as JSON and in words.

A photograph that a card was read in names it; the others say why not, and what to do.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.language.message import Message, say
from vision.capture.frame import BadPicture, Picture, decode, load_frame
from vision.cards.card_comparison import RegisteredCard
from vision.cards.card_photo import CardPhoto, PhotoProblem, PhotoStatus, read_card
from vision.cards.registered_cards import Recognition, Rejection, identify

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
REJECTIONS: Final[dict[Rejection, Message]] = {
    Rejection.COMPARING: say(
        "Your own cards are still being compared with each other. Take another picture in a minute."
    ),
    Rejection.DARK: PROBLEMS[PhotoProblem.DARK],
    Rejection.BRIGHT: say(
        "The card is too bright, or there is glare on it. Turn it away from the lamp and take"
        " another picture."
    ),
    Rejection.COVERED: say(
        "Part of the card is covered, or it is not one of your own cards. Hold it by its edge"
        " and take another picture."
    ),
    Rejection.STRANGE: say(
        "It resembles your own cards, but matches none of them. If you have saved it, take"
        " another picture: closer, from straight above, in even light."
    ),
    Rejection.UNSURE: say(
        "It may be one of several cards that look alike. Take another picture: closer, from"
        " straight above."
    ),
}
"""The same for cards of the kind that the owner has shown."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the photograph of a card shows.

    card: colour and symbol, None if no card of the game is named.  name: what its owner calls it,
    "" if it is not registered.  problem: why it has no name at all.
    """

    card: tuple[str, str] | None
    name: str
    problem: Message | None


def name_photographed(encoded: bytes, find_own: Callable[[Picture], Recognition]) -> Named:
    """Return which card the bytes of a picture show, of the game and of the owner's.

    find_own: finds one of the owner's in a picture.  Raises BadPicture.
    """
    picture = decode(encoded, "the photograph")
    found, own = read_card(picture), find_own(picture)
    card = (found.reading.color, found.reading.symbol) if found.reading else None
    return Named(card, _name(own), _find_problem(found, own))


def _identify(picture: Picture, cards: Sequence[RegisteredCard]) -> Recognition:
    """Return which of the owner's *cards* is in *picture*."""
    if not cards or picture.ndim != 3:
        return Recognition(None, Rejection.OTHER)
    return identify(picture, cards)


def _name(own: Recognition) -> str:
    """Return what the owner calls the card, "" if none is recognised."""
    return own.card.name if own.card is not None else ""


def _find_problem(found: CardPhoto, own: Recognition) -> Message | None:
    """Return why nothing is named, None if something is."""
    if found.problem is None or own.card is not None:
        return None
    return REJECTIONS.get(own.rejection or Rejection.OTHER, PROBLEMS[found.problem])


def photo_to_json(
    found: CardPhoto, spent_ms: float, own: Recognition | None = None
) -> dict[str, Any]:
    """Return *found* as `tiki read --card` prints it, without the file's name.

    own: which card of the owner's it is; None if none is registered.
    """
    reading, name = found.reading, _name(own) if own is not None else ""
    line: dict[str, Any] = {
        "status": PhotoStatus.OK.value if name else found.status.value,
        "card": reading and {"color": reading.color, "symbol": reading.symbol},
        "confidence": round(reading.confidence, 4) if reading else 0.0,
        "ms": round(spent_ms, 2),
    }
    if own is not None:
        line["name"] = name or None
    problem = _find_problem(found, own or Recognition(None, Rejection.OTHER))
    if problem is not None:
        line["reason"] = str(problem)
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
    found, own = read_card(picture), _identify(picture, cards) if cards else None
    return photo_to_json(found, 1000 * (time.perf_counter() - began), own), None


def recognise_file(path: Path, cards: Sequence[RegisteredCard]) -> tuple[str, float]:
    """Return which of *cards* the photograph in file *path* shows, "" for none, and the ms it took.

    Raises BadPicture.
    """
    picture = load_frame(path).picture
    began = time.perf_counter()
    return _name(_identify(picture, cards)), 1000 * (time.perf_counter() - began)
