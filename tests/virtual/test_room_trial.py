"""A room that is tried out: what is drawn, what is read of it, and what is said of that."""

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.apps.evaluation.ground_truth import load_truth
from companion.apps.virtual import trial_film
from companion.apps.virtual.known_tables import open_table
from companion.apps.virtual.laying import virtual_set
from companion.apps.virtual.room import Room, changed
from companion.apps.virtual.room_changes import list_changes
from companion.apps.virtual.room_trial import MOST_ROOMS, MOST_S, RoomTrial, TrialOver
from companion.apps.virtual.trial_film import Judgement, judge_film, write_script
from companion.apps.virtual.trial_words import describe_trial
from companion.language.message import say
from companion.recording import load_recording
from companion.registry import recordings
from companion.table.readers import usual_table
from vision.capture.frame import BadPicture

GAMES = sorted(recordings())
TABLES = 6
Counted = Callable[[Room], int]


def grey(room: dict[str, Any]) -> bytes:
    """Return a picture of nothing, as large as that of *room*."""
    picture = np.full((room["height"], room["width"], 3), 90, np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def tried_out(room: Room, read: Counted) -> tuple[list[str], list[Room]]:
    """Return what is said of *room* if so many tables are *read*, and all rooms drawn for it."""
    rooms: list[Room] = []

    def judge(_script: Any, there: Room, folder: Path) -> Judgement:
        assert len(list(folder.glob("*.jpg"))) == pictures
        rooms.append(there)
        count = read(there)
        return Judgement(TABLES, count, 0, "", None if count == TABLES else say("Too dark."))

    trial = RoomTrial("tiki_topple", room, judge)
    pictures = len(write_script("tiki_topple").rows)
    while (snapshot := trial.snapshot) is not None:
        trial.take(grey(snapshot["room"]))
    return [str(each) for each in describe_trial(trial.tried)], rooms


def test_nothing_is_recommended_where_all_is_read() -> None:
    """One room is drawn, the one that is there."""
    room = Room(light=0.9, cups=2)
    said, rooms = tried_out(room, lambda _: TABLES)
    assert rooms == [room]
    assert said == ["Read: 6 of 6 tables.", "Nothing has to be changed."]


def test_only_what_was_seen_to_help_is_recommended() -> None:
    """A lamp on the other side helps, everything else makes no difference."""
    said, rooms = tried_out(Room(lamp_side=40), lambda room: 6 if room.lamp_side == 220 else 5)
    assert said[0] == "Read: 5 of 6 tables."
    assert said[1] == "What stands in the way: Too dark."
    assert said[2:] == ["A lamp on the other side: 6 of 6."]
    assert len(rooms) == 1 + len(list_changes(Room(lamp_side=40)))


def test_two_things_are_changed_where_one_is_not_enough() -> None:
    """In a dark room with a coarse picture neither more light nor more pixels suffice alone."""
    dark = Room(light=0.2, width=480, height=270)

    def read(room: Room) -> int:
        return 3 * (room.light > 0.3) + 3 * (room.width >= 1280)

    said, rooms = tried_out(dark, read)
    assert said[0] == "Read: 0 of 6 tables."
    assert said[2:]
    assert all(each.endswith(": 6 of 6.") for each in said[2:])
    assert "A brighter lamp, and: A picture of 1280 × 720 pixels: 6 of 6." in said
    assert len(rooms) <= MOST_ROOMS


def test_it_is_said_that_nothing_helps() -> None:
    """Nothing is recommended then either."""
    said, _ = tried_out(Room(), lambda _: 4)
    assert said[-1] == "None of the changes that were tried would help."


def test_a_picture_that_was_not_asked_for_is_refused() -> None:
    """One of another size, and one that is none; the trial goes on after either."""
    trial = RoomTrial("tippi_toppi", Room(), lambda *_: pytest.fail("judged"))
    for wrong in (grey({"width": 640, "height": 360}), b"no picture", b""):
        with pytest.raises(BadPicture):
            trial.take(wrong)
    assert trial.number == 0
    assert trial.snapshot is not None
    trial.take(grey(trial.snapshot["room"]))
    assert trial.number == 1
    assert str(trial.words).startswith("The room as it is: picture 2 of ")
    trial.close()


def test_a_trial_ends_in_time() -> None:
    """A page that takes too long, or whose trial was ended, is told so."""
    now = [0.0]
    trial = RoomTrial("tippi_toppi", Room(), lambda *_: pytest.fail("judged"), lambda: now[0])
    assert trial.snapshot is not None
    picture = grey(trial.snapshot["room"])
    now[0] = MOST_S + 1
    with pytest.raises(TrialOver, match="too long"):
        trial.take(picture)
    assert trial.snapshot is None


@pytest.mark.parametrize("game", GAMES)
def test_what_lies_there_is_what_the_truth_says(game: str) -> None:
    """Each snapshot shows its row's truth, as the virtual table itself reads its pieces."""
    script, found = write_script(game), virtual_set(game)
    assert found is not None
    for row, snapshot in zip(script.rows, script.snapshots(), strict=True):
        lying: list[Any] = [_Lying(piece) for piece in snapshot["pieces"]]
        lies = found.lies(lying, idol_deg=row["truth"].get("idol_deg", 0.0))
        for key in ("line", "cells", "piles", "discard"):
            assert row["truth"].get(key) == lies.get(key)


class _Lying:
    """A piece of a snapshot as a virtual set looks at it."""

    def __init__(self, piece: dict[str, Any]) -> None:
        self.__dict__.update(piece)


@pytest.mark.parametrize("game", GAMES)
def test_what_nobody_touches_stays_as_it_lies(game: str) -> None:
    """From one table to the next most pieces are the very same."""
    snapshots = write_script(game).snapshots()
    for before, after in pairwise(snapshots[2:]):
        new = [piece for piece in after["pieces"] if piece not in before["pieces"]]
        assert len(new) <= 9
    again = write_script(game).snapshots()
    assert again == snapshots


def test_a_layout_of_an_unknown_form_is_refused() -> None:
    """Its keys are named."""
    with pytest.raises(KeyError, match="wheel"):
        open_table({"mat": {}, "layout": {"wheel": {}}}, np.random.default_rng(1))


@pytest.mark.parametrize(
    "room",
    [Room(), Room(light=3, noise=20, blur=3, k1=0.3, hfov=110, tile_scale=0.97, sleeves=True),
     Room(camera_height=250, camera_tilt=0, width=1920, height=1080, shadow=0, kelvin=2600)],
)  # fmt: skip
def test_every_change_is_one_and_can_be(room: Room) -> None:
    """Each leaves a room that is allowed, and another one; two words alike would confuse."""
    changes = list_changes(room)
    assert len({str(change.words) for change in changes}) == len(changes)
    for change in changes:
        assert changed(room, dict(change.entries)) != room


def film(game: str, folder: Path, light: float = 1.0) -> tuple[trial_film.TrialScript, Room]:
    """Fill *folder* with the pictures of the shipped game, and return what they are of."""
    script, recording = write_script(game), load_recording(recordings()[game])
    rows = load_truth(recording.folder / "truth.jsonl")
    shown = [
        row for row in rows
        if row["kind"] in ("calibration", "settled") and not row.get("illegal")
        and (row["kind"] == "calibration" or {"start", "move", "moves"} & row.keys())
    ]  # fmt: skip
    names = [shown[0]["frame"]]
    for row in shown[1:]:
        names += [row["frame"]] * trial_film.LOOKS
    for row, name in zip(script.rows, names, strict=False):
        source, target = recording.path(name), folder / row["frame"]
        if light == 1.0:
            shutil.copy(source, target)
        else:
            picture = cv2.imread(str(source))
            assert picture is not None
            cv2.imwrite(str(target), np.asarray(picture * light, np.uint8))
    picture = cv2.imread(str(folder / "000.jpg"))
    assert picture is not None
    return script, Room(width=picture.shape[1], height=picture.shape[0])


def test_a_good_picture_is_read(tmp_path: Path) -> None:
    """Pictures of the shipped film: every table is followed, and set-up finds no fault."""
    found = judge_film(*film("tiki_topple", tmp_path), tmp_path)
    assert (found.tables, found.read, found.wrong, found.refusal) == (6, 6, 0, "")
    assert found.problem is None
    assert found.is_whole


def test_a_dark_picture_is_not(tmp_path: Path) -> None:
    """The same in hardly any light: it is said that it is too dark."""
    found = judge_film(*film("tiki_topple", tmp_path, 0.04), tmp_path)
    assert found.read == 0
    assert not found.is_whole
    assert "dark" in str(found.problem)


def test_the_usual_tables_can_be_laid() -> None:
    """Every game with a film has a table of a known form."""
    for game in GAMES:
        open_table(usual_table(game), np.random.default_rng(1))
