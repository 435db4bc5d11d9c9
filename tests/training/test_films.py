"""Films of whole games: what is played, what is described, and what becomes of it once rendered."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.recording import load_actions, load_recording, load_script, replay_header
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.table.readers import reader_setup_of
from rendering.film_shots import Shot
from rendering.films import PLOTS, SCENES, develop_film, lay_film
from rendering.plot_columns import empty_cells, lean_of
from rendering.scenes import PICTURE_PX

pytestmark = pytest.mark.slow

MOVES = 9
SEEN = ("place", "move", "back", "play", "spin", "up", "topple", "toast")
"""What the actions begin with that a table shows; all others are said."""
Film = tuple[str, Path, list[Shot]]


@pytest.fixture(scope="module", params=PLOTS)
def film(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Film:
    """Lay a short film in which many a rule is broken: its game, folder and pictures."""
    folder = tmp_path_factory.mktemp("film")
    return request.param, folder, lay_film(request.param, folder, 3, MOVES, 0.4)


def seen(row: dict[str, Any]) -> dict[str, Any]:
    """Return what a picture of a table at rest shows."""
    return {key: value for key, value in row["truth"].items() if key != "settled"}


def lies(scene: dict[str, Any]) -> list[Any]:
    """Return all that lies on the table of a scene, as it lies."""
    columns = [piece for column in scene.get("columns", ()) for piece in column["pieces"]]
    return [*columns, *scene["things"]]


def test_a_film_is_one_table_from_its_start(film: Film, tmp_path: Path) -> None:
    """One camera, one light, one set; the same seed lays the same film."""
    game, _, shots = film
    first, start, *_ = (shot.row for shot in shots)
    assert (first["kind"], start["kind"], start["start"]) == ("calibration", "settled", True)
    for shot in shots:
        for same in ("camera", "lights", "tiles", "ground"):
            assert shot.scene[same] == shots[0].scene[same]
    assert [shot.row["frame"] for shot in shots] == [f"{at:03d}.jpg" for at in range(len(shots))]
    again = lay_film(game, tmp_path, 3, MOVES, 0.4)
    assert [(shot.scene, shot.row) for shot in again] == [(shot.scene, shot.row) for shot in shots]


@pytest.mark.parametrize("game", PLOTS)
def test_what_nobody_touches_stays_as_it_lies(tmp_path: Path, game: str) -> None:
    """From one table at rest to the next only what was moved lies otherwise."""
    shots = lay_film(game, tmp_path, 4, MOVES, 0.0)
    rest = [shot.scene for shot in shots if shot.row["truth"]["settled"]]
    for before, after in pairwise(rest[1:]):
        new = [thing for thing in lies(after) if thing not in lies(before)]
        if game == "uno_tiki":  # the idol is many things
            new = [thing for thing in new if thing["form"] == "slab"]
        # At most what two moves leave, or a card, the one it lies on and the goals it has met.
        assert len(new) <= (9 if game == "tiki_topple" else 4)  # the line makes room


def test_every_move_is_seen(film: Film) -> None:
    """Each has its table at rest, in order; at all others only a hand or a camera was about."""
    _, folder, shots = film
    rows = [shot.row for shot in shots]
    legal = [row for row in rows if not row.get("illegal")]
    moves = [move for row in legal for move in row.get("moves", [row.get("move")]) if move]
    replay = json.loads((folder / "film.json").read_text("utf-8"))["session"]["replay"]
    shown = [action for action in replay["actions"] if action.startswith(SEEN)]
    assert [move.get("action") or f"{move['card']} {move['tiki']}" for move in moves] == shown
    assert replay["moves"] >= MOVES
    rest = [row for row in rows if row["truth"]["settled"]]
    for before, after in pairwise(rest):
        if not {"move", "moves", "start"} & after.keys():
            assert seen(before) == seen(after)


def test_a_forbidden_table_is_corrected(film: Film) -> None:
    """The next table at rest is what a legal move makes of the one before the forbidden one."""
    rest = [shot.row for shot in film[2] if shot.row["truth"]["settled"]]
    wrong = [at for at, row in enumerate(rest) if row.get("illegal")]
    assert wrong
    for at in wrong:
        fault, corrected, before = rest[at], rest[at + 1], rest[at - 1]["truth"]
        assert fault["why"]
        assert corrected["corrected"]
        assert not corrected.get("illegal")
        known = next(
            before[name] for name in ("cells", "piles", "discard", "line") if name in before
        )
        assert fault["legal_before"] == corrected["legal_before"] == known
        assert seen(fault) != seen(rest[at - 1])
        assert seen(fault) != seen(corrected)


def test_the_game_can_be_entered(film: Film) -> None:
    """The referee takes all its actions, and what is said between pictures is among them."""
    game, folder, _ = film
    session = json.loads((folder / "film.json").read_text("utf-8"))["session"]
    (folder / "session.json").write_text(json.dumps(session), "utf-8")
    recording = load_recording(folder)
    reader_setup_of(game).open_reader(recording.description)
    header, secrets = replay_header(recording)
    actions = load_actions(recording)
    assert {said.action for said in load_script(recording)} <= set(actions)
    with Log(":memory:") as log:
        live_session = LiveSession(log, header, secrets)
        for action in actions:
            live_session.referee.enter(action)


def test_all_prints_are_drawn(film: Film) -> None:
    """The renderer finds each print by its name."""
    _, folder, shots = film
    for shot in shots:
        prints = [thing["print"] for thing in shot.scene["things"] if "print" in thing]
        prints += [shot.scene["ground"], *([shot.scene["print"]] if "print" in shot.scene else [])]
        assert all((folder / SCENES / name).is_file() for name in prints)


def test_a_developed_film_is_a_recording(tmp_path: Path) -> None:
    """It waits for all renders; then its pictures, truth and layout are what readers take."""
    shots = lay_film("topple", tmp_path, 3, 1, 0.0)
    assert develop_film(tmp_path) == len({shot.scene["name"] for shot in shots})
    grey = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), 120, np.uint8)
    for path in (tmp_path / SCENES).glob("????.json"):
        cv2.imwrite(str(path.with_suffix(".png")), grey)
    assert develop_film(tmp_path) == 0
    recording = load_recording(tmp_path)
    assert recording.calibration is not None
    assert len(recording.frames) == len(shots) - 1
    assert all(recording.path(frame).is_file() for frame in recording.frames)
    lines = (tmp_path / "truth.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [shot.row for shot in shots]


def test_a_board_goes_down_where_it_is_laden() -> None:
    """A disc to the right and near makes it tilt there; one opposite makes up for it."""
    cells = empty_cells()
    assert lean_of(cells)[0] == 0.0
    cells[3][4] = ["pink"]
    tilt, *way = lean_of(cells)
    assert tilt > 0.0
    assert way == [72.0, 36.0]
    cells[1][0] = ["blue"]
    assert lean_of(cells)[0] == 0.0
