"""Whole films through lenses that bend lines: `python -m tests.vision.bent_films [GAME ...]`.

The shipped films are bent, and nobody tells the angle or the bend.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.apps.evaluation.games import evaluate_film
from companion.recording import load_recording
from companion.registry import recordings
from tests.recordings import untold
from tests.vision.lenses import bend
from vision.capture.frame import Picture

HFOV_DEG = 66.0
BENDS = (-0.25, -0.1, 0.06)


class Bent:
    """Filmed by a lens with radial distortion *k1*; see `Conditions`."""

    lost: frozenset[str] = frozenset()

    def __init__(self, k1: float) -> None:
        self._k1 = k1

    def film(self, name: str, picture: Picture) -> Picture:
        """Return what that lens shows of *picture*."""
        del name
        return bend(picture, HFOV_DEG, self._k1)


def print_films(games: Sequence[str]) -> None:
    """Print how many moves of each film are followed."""
    for game in games:
        for k1 in BENDS:
            with TemporaryDirectory() as folder:
                recording = untold(load_recording(recordings()[game]), Path(folder))
                tally = evaluate_film(recording, Bent(k1))
            print(f"{game}, k1 {k1:g}: {tally.right} of {tally.moves}, {tally.wrong} wrong")


if __name__ == "__main__":
    print_films(sys.argv[1:] or tuple(recordings()))
