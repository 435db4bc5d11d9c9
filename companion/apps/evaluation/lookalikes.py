"""How well registered cards are recognised in photographs, measured against their labels.jsonl."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.apps.cards.card_photos import recognise_file
from companion.apps.cards.card_register import with_card
from companion.apps.evaluation.counts import Counts
from companion.apps.evaluation.labels import LABELS, first_line
from companion.recording import BadRecording
from vision.capture.frame import load_frame
from vision.cards.card_comparison import RegisteredCard
from vision.cards.shown_card import ShownFault, crop_shown


@dataclass(slots=True)
class LookalikeTally(Counts):
    """Counts over some photographs.

    registered: cards that were shown once; `unshown` others were not kept, as their pictures were
    not good enough.
    known: photographs of registered cards, of which `right` were named rightly, `wrong` wrongly.
    strangers: those of other cards, of which `taken` were named as a registered one.
    times_ms: of each photograph, without decoding the file.
    """

    registered: int = 0
    unshown: int = 0
    known: int = 0
    right: int = 0
    wrong: int = 0
    strangers: int = 0
    taken: int = 0
    times_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def has_lookalikes(folder: Path) -> bool:
    """Return whether *folder* holds cards to be registered, with their labels."""
    return '"register"' in (first_line(folder) or "")


def evaluate_lookalikes(folder: Path) -> LookalikeTally:
    """Register and recognise the cards in *folder*, and compare; raises BadRecording."""
    tally, path = LookalikeTally(), folder / LABELS
    cards: tuple[RegisteredCard, ...] = ()
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            label: dict[str, Any] = json.loads(text)
            if "register" in label:
                cards = _register(tally, cards, folder / label["register"], label["name"])
            else:
                _count(tally, cards, folder / label["file"], label["name"])
        except (ValueError, KeyError, TypeError) as error:
            raise BadRecording(
                f"{path}, line {number}: each line is an object with name, and register or file,"
                f" a picture ({error})"
            ) from None
    return tally


def _register(
    tally: LookalikeTally, cards: tuple[RegisteredCard, ...], path: Path, name: str
) -> tuple[RegisteredCard, ...]:
    """Return *cards* with the one shown in *path*; raises BadPicture or BadRegister."""
    shown = crop_shown(load_frame(path).picture)
    if isinstance(shown, ShownFault):
        tally.unshown += 1
        tally.faults.append(f"{path.name}: is not registered ({shown})")
        return cards
    tally.registered += 1
    return with_card(cards, name, shown)


def _count(
    tally: LookalikeTally, cards: tuple[RegisteredCard, ...], path: Path, name: str | None
) -> None:
    found, spent_ms = recognise_file(path, cards)
    tally.times_ms.append(spent_ms)
    is_known = any(card.name == name for card in cards)
    tally.known += is_known
    tally.strangers += not is_known
    tally.right += is_known and found == name
    tally.wrong += is_known and bool(found) and found != name
    tally.taken += not is_known and bool(found)
    if found != (name if is_known else ""):
        tally.faults.append(f"{path.name}: {name or 'a stranger'}, read as {found or 'unknown'}")
