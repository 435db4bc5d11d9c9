"""Photographs of a whole hand of cards: what they show, as JSON and for the pages."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from companion.registry import load, with_hands
from vision.capture.frame import BadPicture, decode, load_frame
from vision.cards.hand_photo import HandCard, read_hand
from vision.cards.sweep_registration import Sighting

UNREADABLE: Final[dict[str, Any]] = {
    "status": "unreadable", "cards": [], "points": None, "impossible": [], "ms": 0.0,
}  # fmt: skip


def read_photographed(encoded: bytes) -> tuple[list[HandCard], tuple[int, int]]:
    """Return the cards in the bytes of a picture, and its width and height in pixels.

    Raises BadPicture.
    """
    picture = decode(encoded, "the photograph")
    return read_hand(picture), (picture.shape[1], picture.shape[0])


def sightings_of(cards: Sequence[HandCard]) -> list[Sighting]:
    """Return *cards* as a sweep joins them."""
    return [
        Sighting(
            (card.reading.color, card.reading.symbol) if card.reading else None,
            card.reading.confidence if card.reading else 0.0,
            (float(card.at[0]), float(card.at[1])),
            card.size_px,
        )
        for card in cards
    ]


def read_hand_file(path: Path) -> tuple[dict[str, Any], str | None]:
    """Return what the photograph in file *path* shows as `tiki read --hand` prints it.

    Without the file's name; and what is wrong with the file, if it is. The time is without
    decoding it.
    """
    try:
        picture = load_frame(path).picture
    except BadPicture as error:
        return dict(UNREADABLE), str(error)
    began = time.perf_counter()
    cards = read_hand(picture)
    return hand_to_json(cards, 1000 * (time.perf_counter() - began)), None


def hand_to_json(cards: Sequence[HandCard], spent_ms: float) -> dict[str, Any]:
    """Return *cards* with their points, as far as all are named, and what there is too much of."""
    named = [(card.reading.color, card.reading.symbol) for card in cards if card.reading]
    counts = _counts_of(named)
    is_whole = bool(cards) and len(named) == len(cards)
    return {
        "status": "ok" if is_whole else "unknown" if cards else "no_card",
        "cards": [_card_to_json(card) for card in cards],
        "points": counts.sum_points(named) if is_whole else None,
        "impossible": [
            {"color": each.card[0], "symbol": each.card[1], "seen": each.seen,
             "possible": each.possible}
            for each in counts.find_excess(named)
        ],
        "ms": round(spent_ms, 2),
    }  # fmt: skip


def _counts_of(named: Sequence[tuple[str, str]]) -> Any:
    """Return the `hand_counts` of the game that has all those cards, else of the first one."""
    found = [load(game, "hand_counts") for game in with_hands()]
    return next((each for each in found if {*named} <= {*each.CARDS}), found[0])


def _card_to_json(card: HandCard) -> dict[str, Any]:
    """Return one card; an unknown one has neither colour nor symbol."""
    reading = card.reading
    return {
        "color": reading.color if reading else None,
        "symbol": reading.symbol if reading else None,
        "confidence": round(reading.confidence, 4) if reading else 0.0,
        "at": [round(float(each)) for each in card.at],
        "size": round(card.size_px),
    }
