"""How well whole hands of cards are read in photographs, measured against their labels.jsonl."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.apps.cards.hand_photos import read_hand_file
from companion.apps.evaluation.counts import Counts
from companion.apps.evaluation.labels import first_line, read_labels


@dataclass(slots=True)
class HandTally(Counts):
    """Counts over some photographs.

    hands: those read, of which in `whole` ones all cards were named and nothing was left open.
    cards: all of them, of which `right` were named; `wrong` were named that are not there.
    unknown: places left open.  unnoticed: cards neither named nor left open, beyond those places.
    needless: places left open beyond the cards that are missing.
    times_ms: of each photograph, without decoding the file.
    """

    hands: int = 0
    whole: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0
    unknown: int = 0
    unnoticed: int = 0
    needless: int = 0
    unreadable: int = 0
    times_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def has_hands(folder: Path) -> bool:
    """Return whether *folder* holds photographs of hands with their labels."""
    return '"cards"' in (first_line(folder) or "")


def evaluate_hands(folder: Path) -> HandTally:
    """Read every labelled photograph in *folder* and compare; raises BadRecording."""
    tally = HandTally()
    right = "an object with file and cards, a list of objects with color and symbol"
    for name, expected in read_labels(folder, _take, right):
        line, trouble = read_hand_file(folder / name)
        if trouble:
            tally.unreadable += 1
            tally.faults.append(trouble)
            continue
        tally.times_ms.append(line["ms"])
        _count(tally, name, expected, line)
    return tally


def _take(label: Any) -> tuple[str, Counter[tuple[str, str]]]:
    cards = Counter((card["color"], card["symbol"]) for card in label["cards"])
    return str(label["file"]), cards


def _count(
    tally: HandTally, name: str, expected: Counter[tuple[str, str]], line: Mapping[str, Any]
) -> None:
    named = Counter((card["color"], card["symbol"]) for card in line["cards"] if card["color"])
    unknown = len(line["cards"]) - named.total()
    wrong, missing = named - expected, expected - named
    tally.hands += 1
    tally.whole += named == expected and not unknown
    tally.cards += expected.total()
    tally.right += (named & expected).total()
    tally.wrong += wrong.total()
    tally.unknown += unknown
    tally.unnoticed += max(0, missing.total() - unknown)
    tally.needless += max(0, unknown - missing.total())
    if wrong or missing or unknown:
        parts = (("not there", wrong), ("not named", missing))
        words = [f"{what}: {_list(cards)}" for what, cards in parts if cards]
        tally.faults.append("; ".join([f"{name}: {unknown} unknown", *words]))


def _list(cards: Counter[tuple[str, str]]) -> str:
    return ", ".join(" ".join(card) for card in sorted(cards.elements()))
