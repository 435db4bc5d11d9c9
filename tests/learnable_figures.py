"""Does set-up say which tables cannot be played at? Ever harder tables, set up and then played.

Run as `python -m tests.learnable_figures [FOLDER...]`, with folders of recorded games; without any
the shipped ones are taken. Each game is learned on each step of each ladder of
`tests/hard_tables.py`: from the table with which it begins, or, if pieces are missing there, from
the one that was put up to be learned from. What set-up says stands beside what comes of the game:

* good: it says nothing; weak: it names a weakness and what would help; mend: the live picture says
  what has to be mended first; refused: it is not learned.
* moves, right, without a tap, wrong: as `tiki evaluate` counts them, without pictures of hands.
* A table is *playable* if nothing is wrong and few moves need a tap; silent: called good, and not
  playable; strict: refused, though it is.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import cv2

from companion.apps.evaluation.games import evaluate_film
from companion.apps.evaluation.ground_truth import load_scenes
from companion.recording import Recording, load_recording
from companion.registry import game_of, recordings
from companion.table.calibration_check import check_calibration
from companion.table.calibration_words import describe_result
from companion.table.reader_calibration import CalibrationResult
from companion.table.readers import ComparingReader, reader_setup_of
from companion.table.table_look import inspect
from companion.table.table_problem import LaidTable, find_problem
from tests.hard_tables import LADDERS, HardTable
from tests.set_up_figures import rows_of
from vision.capture.frame import Frame, load_frame

MAX_TAPPED_SHARE: Final = 0.3
"""Of the moves; more often than that nobody wants to be asked."""
Verdict = Literal["good", "weak", "mend", "refused"]


@dataclass(frozen=True, slots=True)
class SetUp:
    """What set-up says of a table; words: why."""

    verdict: Verdict
    words: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a game; see `FilmTally`."""

    refused: int
    moves: int
    right: int
    tapped: int
    wrong: int
    believed: int

    @property
    def is_playable(self) -> bool:
        """Whether nothing is wrong, and few moves need a tap."""
        by_itself = (self.right - self.tapped) / max(self.moves, 1)
        is_true = not (self.refused or self.wrong or self.believed)
        return is_true and by_itself >= 1.0 - MAX_TAPPED_SHARE


def begin_at_home(recording: Recording) -> Recording:
    """Return *recording*, learned from the table with which its game begins.

    If that does not show all pieces, the one that was put up is taken, as set-up advises.
    """
    setup, start = reader_setup_of(recording.game), rows_of(recording.folder)[0]
    known = setup.known_truth(setup.table_of(start["truth"]))
    assert known is not None
    reader = setup.open_reader(recording.layout)
    reader.calibrate(load_frame(recording.path(start["frame"])), known)
    if isinstance(reader, ComparingReader) and reader.list_unseen():
        return recording
    return replace(recording, calibration=(start["frame"], known))


def set_up(recording: Recording, table: HardTable) -> SetUp:
    """Return what set-up says of the picture from which *recording* is learned."""
    assert recording.calibration is not None
    name, truth = recording.calibration
    setup, layout = reader_setup_of(recording.game), recording.layout
    taken = load_frame(recording.path(name))
    frame = Frame(name, table.film(name, taken.picture), 0.0)
    problem = find_problem(inspect(frame, LaidTable.of(recording.game, layout)))
    if problem is not None:
        return SetUp("mend", str(problem))
    try:
        if trouble := setup.check(frame, truth, layout):
            return SetUp("refused", trouble)
        trial = check_calibration(setup, layout, frame, truth)
    except ValueError as error:
        return SetUp("refused", str(error))
    words = setup.class_words, game_of(recording.game).place_words
    said = describe_result(CalibrationResult(trial=trial), *words)[1:]
    return SetUp("good" if trial.is_good else "weak", " ".join(map(str, said)))


def play(recording: Recording, table: HardTable) -> Outcome:
    """Return what comes of the game of *recording* on *table*, without pictures of hands."""
    scenes = load_scenes(recording)
    hands = frozenset(scene.name for scene in scenes[1:] if not scene.is_settled)
    tally = evaluate_film(recording, HardTable(table.step, hands))
    return Outcome(
        tally.refused, tally.moves, tally.right, tally.tapped, tally.wrong, tally.believed
    )


def try_tables(folders: Sequence[Path], *, played: bool = True) -> Iterator[dict[str, Any]]:
    """Yield a row for each game on each step of each ladder."""
    games = list(map(begin_at_home, map(load_recording, folders)))
    for ladder in LADDERS:
        for strength in ladder.strengths:
            for recording in games:
                table = HardTable(ladder.step_of(recording.game, strength))
                said = set_up(recording, table)
                row = {"game": recording.game, "ladder": ladder.name, "strength": strength}
                row |= asdict(said)
                if played:
                    outcome = play(recording, table)
                    row |= asdict(outcome) | {"playable": outcome.is_playable}
                yield row


def judge(row: dict[str, Any]) -> str:
    """Return whether set-up was silent on a table, or too strict, "" for neither."""
    if row["verdict"] == "good" and not row["playable"]:
        return "silent"
    is_refused = row["verdict"] in ("mend", "refused")
    return "strict" if is_refused and row["playable"] else ""


def main(folders: list[str]) -> None:
    """Print the table, and how often each verdict was right."""
    cv2.setNumThreads(1)
    given = [Path(folder) for folder in folders] or list(recordings().values())
    headings = ("game", "ladder", "step", "set-up", "moves", "right", "tapped", "wrong", "")
    print("|", " | ".join(headings), "|\n|", "---|" * len(headings), sep="")
    rows = []
    for row in try_tables(given):
        rows.append(row)
        names = ("game", "ladder", "strength", "verdict", "moves", "right", "tapped", "wrong")
        print("|", " | ".join(str(row[name]) for name in names), "|", judge(row), "|", flush=True)
    for verdict in ("good", "weak", "mend", "refused"):
        of = [row for row in rows if row["verdict"] == verdict]
        well = sum(row["playable"] for row in of)
        print(
            f"\n{verdict}: {len(of)} tables, {well} playable; wrong: {sum(r['wrong'] for r in of)}"
        )
    print(json.dumps([row for row in rows if judge(row)], indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
