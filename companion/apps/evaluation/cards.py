"""How well single cards are read in photographs, measured against their labels.jsonl."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.apps.cards.card_photos import read_file
from companion.apps.evaluation.counts import Counts
from companion.apps.evaluation.labels import first_line, read_labels

COLOURS: Final = frozenset(("red", "yellow", "green", "blue"))
SYMBOLS: Final = frozenset((*"0123456789", "skip", "reverse"))
WILDS: Final = frozenset((("wild", "wild"), ("wild", "tiki")))
"""What the deck has; any other label is of a card that it has not, or of none."""


@dataclass(slots=True)
class CardTally(Counts):
    """Counts over some photographs.

    deck: those of a card of the game, of which `right` were named rightly and `wrong` wrongly.
    foreign: those of other cards or of none, of which `taken` were named as one of the game.
    located: of the deck's cards not named, those in which a card was seen.
    times_ms: of each photograph, without decoding the file.
    """

    deck: int = 0
    right: int = 0
    wrong: int = 0
    located: int = 0
    foreign: int = 0
    taken: int = 0
    unreadable: int = 0
    times_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def is_labelled(folder: Path) -> bool:
    """Return whether *folder* holds photographs of single cards with their labels."""
    return first_line(folder) is not None


def is_of_deck(label: Mapping[str, Any]) -> bool:
    """Return whether *label* names a card of the game.

    >>> is_of_deck({"color": "red", "symbol": "7"}), is_of_deck({"color": "red", "symbol": "draw2"})
    (True, False)
    >>> is_of_deck({"color": "wild", "symbol": "wild"}), is_of_deck({"symbol": "empty"})
    (True, False)
    """
    colour, symbol = label.get("color"), label.get("symbol")
    return (colour, symbol) in WILDS or (colour in COLOURS and symbol in SYMBOLS)


def evaluate_cards(folder: Path) -> CardTally:
    """Read every labelled photograph in *folder* and compare; raises BadRecording."""
    tally = CardTally()
    for label in read_labels(folder, _take, "an object with file, color and symbol"):
        line, trouble = read_file(folder / label["file"])
        if trouble:
            tally.unreadable += 1
            tally.faults.append(trouble)
            continue
        tally.times_ms.append(line["ms"])
        _count(tally, label, line)
    return tally


def _count(tally: CardTally, label: Mapping[str, Any], line: Mapping[str, Any]) -> None:
    card, expected = line["card"], {"color": label.get("color"), "symbol": label.get("symbol")}
    if not is_of_deck(label):
        tally.foreign += 1
        tally.taken += card is not None
        if card is not None:
            tally.faults.append(f"{label['file']}: not of the deck, read as {_words(card)}")
        return
    tally.deck += 1
    if card == expected:
        tally.right += 1
        return
    tally.wrong += card is not None
    tally.located += card is None and line["status"] == "unknown"
    seen = _words(card) if card else line["status"]
    tally.faults.append(f"{label['file']}: {_words(expected)}, read as {seen}")


def _words(card: Mapping[str, Any]) -> str:
    return f"{card['color']} {card['symbol']}"


def _take(label: dict[str, Any]) -> dict[str, Any]:
    label["file"] = str(label["file"])
    return label
