"""How well a hand is named by a phone moved across it, measured against labels.jsonl."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.apps.cards.hand_photos import sightings_of
from companion.apps.evaluation.counts import Counts
from companion.apps.evaluation.labels import first_line, read_labels
from companion.recording import BadRecording
from vision.capture.frame import BadPicture, load_frame
from vision.cards.hand_photo import read_hand
from vision.cards.sweep import Sweep

WITHIN_S: Final = 5.0
PICTURES_PER_S: Final = 4.0
MAX_PICTURES: Final = int(WITHIN_S * PICTURES_PER_S)


@dataclass(slots=True)
class SweepTally(Counts):
    """Counts over some hands.

    hands: those swept, of which all cards of `whole` ones were named in time, and none wrongly.
    cards: all of them, of which `right` were sure in the end; `wrong` were that are not there.
    pictures: how many each whole hand took.  times_ms: of reading each, without decoding it.
    """

    hands: int = 0
    whole: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0
    pictures: list[float] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def has_sweeps(folder: Path) -> bool:
    """Return whether *folder* holds pictures of a phone moved across hands, with their labels."""
    return '"pictures"' in (first_line(folder) or "")


def evaluate_sweeps(folder: Path) -> SweepTally:
    """Read the pictures of every hand in *folder* until all are sure; raises BadRecording."""
    tally = SweepTally()
    right = "an object with pictures, a list of files, and cards, of objects with color and symbol"
    for names, expected in read_labels(folder, _take, right):
        sweep = Sweep(expected.total())
        read = 0
        for name in names[:MAX_PICTURES]:
            read += 1
            _add(sweep, folder / name, tally)
            if sweep.findings().is_done:
                break
        _count(tally, names[0], expected, sweep, read)
    return tally


def _take(label: Any) -> tuple[list[str], Counter[tuple[str, str]]]:
    cards = Counter((card["color"], card["symbol"]) for card in label["cards"])
    return [str(name) for name in label["pictures"]], cards


def _add(sweep: Sweep, path: Path, tally: SweepTally) -> None:
    try:
        picture = load_frame(path).picture
    except BadPicture as error:
        raise BadRecording(str(error)) from None
    began = time.perf_counter()
    cards = read_hand(picture)
    tally.times_ms.append(1000 * (time.perf_counter() - began))
    sweep.add(sightings_of(cards), (picture.shape[1], picture.shape[0]))


def _count(
    tally: SweepTally, name: str, expected: Counter[tuple[str, str]], sweep: Sweep, read: int
) -> None:
    findings = sweep.findings()
    named: Counter[Any] = Counter(findings.sure)
    wrong, missing = named - expected, expected - named
    tally.hands += 1
    tally.cards += expected.total()
    tally.right += (named & expected).total()
    tally.wrong += wrong.total()
    if findings.is_done and not wrong:
        tally.whole += 1
        tally.pictures.append(float(read))
    else:
        words = f"not there: {_list(wrong) or '-'}; not named: {_list(missing) or '-'}"
        tally.faults.append(f"{name}: {words}")


def _list(cards: Counter[Any]) -> str:
    return ", ".join(" ".join(card) for card in sorted(cards.elements()))
