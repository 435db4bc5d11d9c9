"""A game that declares piles of discs is read, refereed and printed with no reader of its own."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import pytest

from companion.cli import main
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, Listed, game_of
from companion.table.calibration_check import check_calibration
from companion.table.readers import find_games, reader_setup_of, usual_table
from tests.cairns import rules
from tests.cairns.reader_setup import CairnsSetup
from tests.cairns.rules import COLOURS, START, State
from tests.drawn_tables import PileArtist
from tests.printing.pages import markers, render
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import simulate
from tests.tables import NAMES, open_log, told
from vision.columns.grid import parse_places
from vision.columns.stack_reader import StackReader
from vision.geometry.session_values import BadLayout
from vision.observation import Reason, Status

MOVES: Final = ("carry 0 5", "carry 2 5", "carry 0 3", "carry 4 5", "carry 6 0", "carry 5 2")
TRUTH: Final = {"cells": [list(map(list, START))]}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game as its one line would."""
    monkeypatch.setitem(GAMES, "cairns", Listed("cairns", 9, "tests.cairns", is_watched=True))


@pytest.fixture(scope="module")
def artist() -> PileArtist:
    """Return who draws its table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "cairns", Listed("cairns", 9, "tests.cairns"))
        return PileArtist(parse_places(usual_table("cairns"), COLOURS))


def learned(artist: PileArtist) -> StackReader:
    """Return a reader that has learned the start."""
    reader = reader_setup_of("cairns").open_reader(None)
    assert isinstance(reader, StackReader)
    reader.calibrate(artist.draw("start", START), TRUTH)
    return reader


def states_of(moves: Sequence[str]) -> list[State]:
    """Return the start, and the state after each of *moves*."""
    states = [rules.initial(2)]
    for move in moves:
        states.append(rules.apply(states[-1], rules.parse_action(move)))
    return states


def test_a_game_is_followed_through_its_moves(artist: PileArtist) -> None:
    """Learned at its start, then moves from picture to picture, and one that no rule allows."""
    live_session = LiveSession(open_log(), open_header(game_of("cairns"), NAMES[:2], {}, 0))
    game, setup = live_session.game, reader_setup_of("cairns")
    start = setup.calibration_truth(game.shown(live_session.session.state))
    assert start is not None
    assert setup.check(artist.draw("start", START), start) is None
    reader = setup.open_reader(None)
    reader.calibrate(artist.draw("start", START), start)

    def show(name: str, piles: Sequence[Sequence[str]]) -> None:
        live_session.observe(reader.read(artist.draw(name, piles)))
        reader.set_reference(name, game.shown(live_session.session.state))

    states = states_of(MOVES)
    for number, state in enumerate(states):
        show(str(number), state.piles)
    moves = [(move["seat"], move["action"]) for move in told(live_session, "move")]
    assert moves == [(number % 2, move) for number, move in enumerate(MOVES)]
    assert live_session.session.state == states[-1]
    stolen = [list(pile) for pile in states[-1].piles]
    stolen[3].append(stolen[2].pop())  # the disc that was carried last
    show("stolen", stolen)
    assert len(told(live_session, "move")) == len(MOVES)


def test_it_is_played_through_doubt() -> None:
    """With uncertain places, lost pictures, take-backs and illegal moves, as every game."""
    tally = simulate("cairns", 15, Faults(doubtful=0.05, lost=0.1, cheat=0.1, back=0.1))
    assert (tally.wrong, tally.believed, tally.stuck) == (0, 0, 0), tally.faults


def test_its_table_is_learned_well(artist: PileArtist) -> None:
    """The trial before a lesson finds nothing in doubt, in other light either."""
    trial = check_calibration(
        reader_setup_of("cairns"), None, artist.draw("start", START), {**TRUTH}
    )
    assert (trial.places, trial.empty, trial.doubts, trial.unseen) == (8, 4, (), ())
    assert trial.is_good


def test_a_whole_board_is_read_with_no_past(artist: PileArtist) -> None:
    """As `tiki read` does: the piles in one row, place by place, and one is left open at most."""
    observation = learned(artist).read(artist.draw("start", START))
    table = [f"{pile[-1]} {len(pile)}" if pile else "empty" for pile in START]
    told = [place.best for place in observation.places]
    wrong = [at for at, (best, true) in enumerate(zip(told, table, strict=True)) if best != true]
    assert set(wrong) <= set(observation.doubtful)
    assert len(observation.doubtful) <= 1


def test_nothing_is_guessed_before_anything_was_learned(artist: PileArtist) -> None:
    """A picture tells nothing before the first that is known."""
    reader = reader_setup_of("cairns").open_reader(None)
    observation = reader.read(artist.draw("start", START))
    assert (observation.status, observation.reason) == (Status.UNSETTLED, Reason.NOT_CALIBRATED)


def test_what_the_start_cannot_be_is_said(artist: PileArtist) -> None:
    """In a word for the place: it has no row or column."""
    setup, frame = reader_setup_of("cairns"), artist.draw("start", START)
    fuller = [[*map(list, START[:3]), ["pink"], *map(list, START[4:])]]
    assert setup.check(frame, {"cells": fuller}) == "nothing stands in place 4"
    assert "'cells' is" in (setup.check(frame, {"cells": fuller * 2}) or "")


def test_colours_are_learned_as_they_come(artist: PileArtist) -> None:
    """A game may begin with an empty board; each placed disc is read all the same."""
    reader = reader_setup_of("cairns").open_reader(None)
    piles: list[list[str]] = [[] for _ in START]
    reader.calibrate(artist.draw("none", piles), {"cells": [piles]})
    reader.read(artist.draw("none", piles))
    reader.set_reference("none", ("empty",) * len(START))
    for place, colour in zip((0, 3, 0, 5, 7, 3), (*COLOURS, *COLOURS), strict=False):
        piles[place].append(colour)
        observation = reader.read(artist.draw(f"{place} {colour}", piles))
        table = tuple(f"{pile[-1]} {len(pile)}" if pile else "empty" for pile in piles)
        assert tuple(each.best for each in observation.places) == table
        reader.set_reference(f"{place} {colour}", table)


def test_its_tiles_print_and_are_found(
    artist: PileArtist, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four of its own, by which a picture of the table tells the game."""
    monkeypatch.chdir(tmp_path)
    assert main(["print", "cairns"]) == 0
    printed = render((tmp_path / "tiki-cairns-a4.pdf").read_bytes())[0]
    assert sorted(markers(printed)) == [36, 37, 38, 39]
    assert find_games(artist.draw("start", START)) == ["cairns"]


def test_its_plan_is_drawn() -> None:
    """The outline of the board, and a shape for each place."""
    plan = reader_setup_of("cairns").plan(None)
    assert plan is not None
    assert len(plan.places) == len(START)
    assert plan.outline.points[0] == (40.0, 40.0)


def test_a_recording_of_it_is_replayed(
    artist: PileArtist, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its pictures need not say how the table is laid out: the game has declared it."""
    states = states_of(MOVES[:2])
    for number, state in enumerate((states[0], *states)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), artist.draw("", state.piles).picture)
    kinds = ("calibration", "settled", "settled", "settled")
    session: dict[str, Any] = {
        "game": "cairns",
        "frames": [{"frame": f"{at}.png", "kind": kind} for at, kind in enumerate(kinds)],
        "calibration_frame": "0.png",
        "replay": {"players": ["ann", "bob"], "actions": MOVES[:2]},
    }
    (tmp_path / "session.json").write_text(json.dumps(session))
    truth = {"frame": "0.png", "kind": "calibration", "truth": TRUTH}
    (tmp_path / "truth.jsonl").write_text(json.dumps(truth) + "\n")
    assert main(["replay", str(tmp_path), "--json"]) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    moves = [(row["action"], row["frame"]) for row in rows if row["type"] == "move"]
    assert moves == [("carry 0 5", "2.png"), ("carry 2 5", "3.png")]
    assert main(["read", str(tmp_path)]) == 0
    read = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [row["file"] for row in read] == [f"{at}.png" for at in range(4)]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"places": [{"x": 80.0, "y": 80.0}] * 4}, "at least 5 tables with x and y"),
        (
            {"places": [{"x": 80.0, "y": 80.0}, 7] * 3},
            "'layout.places.1' is 7; it must be a table with",
        ),
        ({"disc": 8}, "'layout.disc' is 8; it must be a table with diameter and height"),
    ],
)
def test_a_wrong_layout_is_refused(change: dict[str, Any], refusal: str) -> None:
    """In one line that names what is wrong."""
    table = usual_table("cairns")
    with pytest.raises(BadLayout, match=refusal):
        parse_places({**table, "layout": {**table["layout"], **change}}, COLOURS)


def test_a_place_beside_the_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that names it, as soon as the set-up is loaded."""
    monkeypatch.setattr(CairnsSetup, "board", (40.0, 40.0, 310.0, 220.0))
    with pytest.raises(BadLayout) as refused:
        CairnsSetup()
    assert (
        str(refused.value) == "cairns: place 4, 22 x 22 mm around 300, 90, is not all on the board"
    )
