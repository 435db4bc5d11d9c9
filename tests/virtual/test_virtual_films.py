"""Whole games that a browser draws, to be judged like films."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.apps.evaluation.ground_truth import load_ground_truth
from companion.cli import evaluate_virtual, main
from companion.recording import load_actions, load_recording
from companion.table.readers import reader_setup_of, usual_table
from companion.table.table_look import inspect
from companion.table.table_problem import LaidTable, find_problem
from rendering import virtual_browser
from rendering.films import PLOTS
from rendering.room import all_in_view
from rendering.virtual_browser import NoBrowser, VirtualBrowser
from rendering.virtual_films import Film, develop_film, film_folder, lay_film, seeds_from
from rendering.virtual_rooms import camera_of, random_room, usual_room
from rendering.virtual_sets import SETS
from vision.capture.frame import Frame, decode
from vision.geometry.layout import parse_mat
from vision.geometry.lens import UNKNOWN

MOVES = 5


@pytest.fixture(scope="module", params=PLOTS)
def film(request: pytest.FixtureRequest) -> tuple[str, Film]:
    """Lay a short film of each game in which many a rule is broken."""
    return request.param, lay_film(request.param, 3, moves=MOVES, faults=0.4)


def test_the_same_number_gives_the_same_film(film: tuple[str, Film]) -> None:
    """And another number another."""
    game, found = film
    again = lay_film(game, 3, moves=MOVES, faults=0.4)
    assert (again.rows, again.snapshots) == (found.rows, found.snapshots)
    assert lay_film(game, 5, moves=MOVES).snapshots != found.snapshots


def test_one_room_for_a_whole_film(film: tuple[str, Film]) -> None:
    """Table, light and camera stay; all tiles are in view, from where set-up wants them."""
    game, found = film
    rooms = [snapshot["room"] for snapshot in found.snapshots]
    assert all(room == rooms[0] for room in rooms)
    mat, setup = parse_mat(usual_table(game)), reader_setup_of(game)
    assert all_in_view(camera_of(rooms[0], mat), mat)
    assert setup.slants.least <= rooms[0]["camera_tilt"] <= setup.slants.best[1]
    image = found.session["image"]
    assert image == {
        "width": rooms[0]["width"], "height": rooms[0]["height"], "hfov_deg": rooms[0]["hfov"],
    }  # fmt: skip


def test_what_nobody_touches_stays_as_it_lies(film: tuple[str, Film]) -> None:
    """Between tables at rest only what was moved lies otherwise."""
    game, found = film
    rest = [
        snapshot["pieces"]
        for snapshot, row in zip(found.snapshots, found.rows, strict=True)
        if row["truth"]["settled"]
    ]
    for before, after in pairwise(rest[1:]):
        new = [piece for piece in after if piece not in before]
        assert len(new) <= (9 if game == "tiki_topple" else 4)


def test_hands_reach_in_from_their_sides(film: tuple[str, Film]) -> None:
    """A hand is there in every picture that has one in the truth, and holds what it is said to."""
    _, found = film
    shown = list(zip(found.snapshots, found.rows, strict=True))
    busy = [(snapshot, row) for snapshot, row in shown if row["kind"] == "occluded"]
    assert busy
    for snapshot, row in busy:
        (hand,) = snapshot["hands"]
        assert hand["side"] in ("near", "right", "far", "left")
        held = [piece for piece in snapshot["pieces"] if piece["held"] is not None]
        assert len(held) == ("in_hand" in row["truth"])
        assert all(piece["held"] == hand["seat"] for piece in held)
    assert any(row.get("illegal") for row in found.rows)


def test_a_developed_film_is_a_recording(film: tuple[str, Film], tmp_path: Path) -> None:
    """Its pictures, truth and layout are what readers and judges take, and the game is whole."""
    game, found = film
    drawn: list[dict[str, Any]] = []

    def draw(snapshot: dict[str, Any]) -> bytes:
        drawn.append(snapshot)
        grey = np.full((54, 96, 3), 120, np.uint8)
        return cv2.imencode(".jpg", grey)[1].tobytes()

    assert develop_film(found, tmp_path, draw) == len(found.rows) == len(drawn)
    recording = load_recording(tmp_path)
    assert recording.calibration is not None
    assert all(recording.path(frame).is_file() for frame in recording.frames)
    truth = load_ground_truth(recording)
    assert len(truth.steps) == len(load_actions(recording))
    reader_setup_of(game).open_reader(recording.description)


def test_odd_films_are_to_judge_by() -> None:
    """Films of one half follow each other by two."""
    assert list(seeds_from(2, 3)) == [2, 4, 6]
    assert film_folder(Path("films"), "g", 1) == Path("films/judge/g-0001")
    assert film_folder(Path("films"), "g", 2) == Path("films/develop/g-0002")


@pytest.mark.parametrize("game", SETS)
def test_homes_differ(game: str) -> None:
    """Each number gives another ordinary home; its settings are some that a page could have."""
    mat = parse_mat(usual_table(game))
    rooms = [random_room(np.random.default_rng(seed), game, mat) for seed in range(12)]
    assert len({json.dumps(room) for room in rooms}) == len(rooms)
    assert usual_room(game).keys() >= rooms[0].keys()
    assert {room["ground"] for room in rooms} > {"wood"}


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--virtual", "somewhere"], "makes its own films"), (["--films", "2"], "--virtual only"),
     ([], "name a folder"), (["--virtual", "--films", "0"], "the line above says why")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line that says what would do."""
    assert main(["evaluate", *words]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


def test_without_the_sources_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where the companion was installed from a wheel."""
    monkeypatch.setattr(evaluate_virtual, "SOURCES", tmp_path)
    assert main(["evaluate", "--virtual"]) == 1
    assert "./run evaluate --virtual" in capsys.readouterr().err


def test_without_chromium_it_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line."""
    monkeypatch.setattr(virtual_browser, "CHROMIUMS", (Path("/nowhere/chromium"),))
    with pytest.raises(NoBrowser, match="sudo apt install chromium"), VirtualBrowser():
        pytest.fail("there is none")


@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_film_is_drawn_and_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line of tikis in the usual room: all moves are right, and the films are kept."""
    words = ["--games", "tiki_topple", "--films", "1", "--seed", "2", "--moves", "3", "--plain"]
    assert main(["evaluate", "--virtual", *words, "--keep", str(tmp_path), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (counts["moves"], counts["right"], counts["wrong"]) == (3, 3, 0)
    folder = film_folder(tmp_path, "tiki_topple", 2)
    assert (folder / "session.json").is_file()


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_set_up_finds_all_tiles_of_a_coarse_picture() -> None:
    """One of 960 x 540 pixels: two of Topple's tiles are found by finer thresholds alone."""
    drawn = subprocess.run(
        [sys.executable, "-m", "tests.virtual.draw_calibration", "topple"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    frame = Frame("000.jpg", decode(drawn, "000.jpg"), 0.0)
    found = inspect(frame, LaidTable.of("topple", usual_table("topple"), UNKNOWN))
    assert sorted(found.seen) == [8, 9, 10, 11]
    assert "hidden" not in str(find_problem(found))
