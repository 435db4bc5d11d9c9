"""A short film of a game in one room: what is played to try a room out.

It is the beginning of the game that ships with the companion: the table that teaches, the start and
some moves, each seen twice. It is judged as any film is, by a fresh reader and a fresh referee; the
lens is measured by the tiles, as at home.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.apps.evaluation.games import AsRecorded, evaluate_film
from companion.apps.evaluation.ground_truth import load_truth
from companion.apps.virtual.known_tables import open_table
from companion.apps.virtual.room import Room
from companion.language.message import Message
from companion.recording import load_recording
from companion.registry import recordings
from companion.table.readers import usual_table
from companion.table.table_look import inspect
from companion.table.table_problem import LaidTable, find_problem
from vision.capture.frame import load_frame
from vision.geometry.layout import parse_mat
from vision.geometry.lens import UNKNOWN, UNSURE_ERROR, NoSuchLens, measure_view
from vision.geometry.table_view import view_of

MOVES: Final = 6
"""After so many that show, a film ends; who had to tell one is not counted in the end."""
MOST_PICTURES: Final = 21
PLACES: Final = ("line", "cells", "piles", "discard")
LOOKS: Final = 2
"""How often each table is seen: in a game the companion looks again, too."""
SEED: Final = 64
KEPT: Final = ("start", "move", "moves", "goals", "idol")
"""What a row of truth.jsonl says besides, where it is the first to show something."""

Truth = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TrialScript:
    """What is played.

    rows: those of truth.jsonl.  tables: what lies there, with what is below it; one for each row.
    replay: what people and sensors say, as session.json has it.
    """

    game: str
    rows: tuple[dict[str, Any], ...]
    tables: tuple[Truth, ...]
    replay: Mapping[str, Any]

    def snapshots(self) -> list[dict[str, Any]]:
        """Return what is to be drawn of each table, still without a room."""
        table = usual_table(self.game)
        known = open_table(table, np.random.default_rng(SEED))
        shared = {"game": self.game, "table": table, "hands": []}
        drawn: list[dict[str, Any]] = []
        for at, truth in enumerate(self.tables):
            is_new = not at or truth is not self.tables[at - 1]
            drawn.append({**shared, **known.lay(truth)} if is_new else drawn[-1])
        return drawn


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of the tables in a room.

    read: those that were followed, of *tables*; the others were not, *wrong* were taken for others.
    refusal: why the table could not be learned, "" if it was.
    problem: what set-up says of the picture that teaches; None if nothing is wrong.
    """

    tables: int
    read: int
    wrong: int
    refusal: str
    problem: Message | None

    @property
    def is_whole(self) -> bool:
        """Whether everything was read."""
        return self.read == self.tables and not self.wrong

    @property
    def rank(self) -> tuple[int, int]:
        """What is larger for a better room."""
        return self.read - self.wrong, -self.wrong


def write_script(game: str) -> TrialScript:
    """Return what is played to try out a room for *game*; raises BadRecording and KeyError."""
    recording = load_recording(recordings()[game])
    rows: list[dict[str, Any]] = []
    tables: list[Truth] = []
    kept_as: dict[str, str] = {}
    moves = 0
    for row in load_truth(recording.folder / "truth.jsonl"):
        is_new = not rows or bool({"start", "move", "moves"} & row.keys())
        if is_new and row["kind"] in ("calibration", "settled") and not row.get("illegal"):
            if moves >= MOVES or len(rows) >= MOST_PICTURES:
                break
            lying = tables[-1] if tables else {}
            looks, now = _look_at(row, len(rows), LOOKS if rows else 1), _put_on(lying, row)
            moves += bool({"move", "moves"} & row.keys()) and _differ(lying, now)
            tables += [now] * len(looks)
            rows += looks
            kept_as[row["frame"]] = looks[0]["frame"]
        kept_as.setdefault(row["frame"], rows[-1]["frame"])
    replay = dict(recording.replay or {})
    for key in ("told", "sensors"):
        said = [each for each in replay.get(key, ()) if each["after_frame"] in kept_as]
        replay[key] = [{**each, "after_frame": kept_as[each["after_frame"]]} for each in said]
    return TrialScript(game, tuple(rows), tuple(tables), replay)


def _differ(lying: Truth, now: Truth) -> bool:
    """Return whether another piece lies there now."""
    return any(lying.get(key) != now[key] for key in PLACES if key in now)


def _look_at(row: Mapping[str, Any], first: int, looks: int) -> list[dict[str, Any]]:
    """Return *row* as so many pictures from the number *first* on show it."""
    marks = {key: row[key] for key in KEPT if key in row}
    shown = {"kind": row["kind"], "truth": row["truth"]}
    frames = [f"{number:03d}.jpg" for number in range(first, first + looks)]
    return [{"frame": frame, **shown, **({} if at else marks)} for at, frame in enumerate(frames)]


def _put_on(lying: Truth, row: Mapping[str, Any]) -> Truth:
    """Return what lies there once *row* is shown, with all that is below it, or beside."""
    found = dict(row["truth"])
    if "line" in found:
        gone = [name for name in lying.get("line", ()) if name not in found["line"]]
        found["toasted"] = [*lying.get("toasted", ()), *gone]
    if "piles" in found:
        below = lying.get("piles", [[] for _ in found["piles"]])
        found["piles"] = [_cover(*each) for each in zip(below, found["piles"], strict=True)]
        found["goals"] = row.get("goals", ())
    if "discard" in found:
        found["discard"] = _cover(lying.get("discard", []), found["discard"])
        face = row.get("idol")
        found["idol"] = face and {"color": "wild", "symbol": "tiki", "spin": False, "face": face}
    return found


def _cover(pile: Sequence[Any], top: Any) -> list[Any]:
    """Return *pile* with *top* on it, if that does not lie there already."""
    return [*pile] if pile and pile[-1] == top else [*pile, top]


def describe_film(script: TrialScript, room: Room) -> dict[str, Any]:
    """Return the session.json of *script* as a camera in *room* films it."""
    rows = script.rows
    return {
        "game": script.game,
        **usual_table(script.game),
        "image": {"width": room.width, "height": room.height},
        "calibration_frame": rows[0]["frame"],
        "frames": [{"frame": row["frame"], "kind": row["kind"]} for row in rows],
        "replay": script.replay,
    }


def judge_film(script: TrialScript, room: Room, folder: Path) -> Judgement:
    """Return what is read of the pictures of *script* that lie in *folder*.

    It takes some seconds.  Raises BadPicture.
    """
    lines = "".join(json.dumps(row) + "\n" for row in script.rows)
    (folder / "truth.jsonl").write_text(lines, "utf-8")
    (folder / "session.json").write_text(json.dumps(describe_film(script, room)), "utf-8")
    recording = load_recording(folder)
    tally = evaluate_film(recording, AsRecorded())
    problem = find_picture_problem(script.game, folder / script.rows[0]["frame"])
    refusal = tally.faults[0].partition(": ")[2] if tally.refused else ""
    return Judgement(tally.moves or MOVES, tally.right, tally.wrong, refusal, problem)


def find_picture_problem(game: str, path: Path) -> Message | None:
    """Return what set-up says of the picture at *path*; None if nothing is wrong.

    Raises BadPicture.
    """
    frame, table = load_frame(path), usual_table(game)
    lens = UNKNOWN
    with contextlib.suppress(NoSuchLens):
        seen = measure_view(view_of(frame), parse_mat(table))
        lens = seen if seen.error <= UNSURE_ERROR else UNKNOWN
    return find_problem(inspect(frame, LaidTable.of(game, table, lens)))
