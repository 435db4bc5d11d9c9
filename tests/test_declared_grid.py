"""A game that declares 5 x 5 fields is read and refereed with no reader of its own."""

import dataclasses

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, Listed, game_of, recordings
from companion.table.readers import find_games, reader_setup_of, usual_table
from tests.hops.reader_setup import HopsSetup
from tests.tables import NAMES, open_log, told
from vision.capture.frame import Frame, load_frame
from vision.columns.grid import parse_stacks
from vision.geometry.session_values import BadLayout

PICTURED = "tactiki"
"""The game on whose table the pictures were rendered: its figures are blue and yellow."""


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game as its one line would, with the tiles that the pictures show."""
    shown = GAMES[PICTURED]
    monkeypatch.setitem(GAMES, "hops", Listed("hops", shown.mat, "tests.hops", is_watched=True))
    monkeypatch.setitem(GAMES, PICTURED, dataclasses.replace(shown, mat=9))


def frame_of(name: str) -> Frame:
    """Return a picture of the table."""
    return load_frame(recordings()[PICTURED] / name)


def test_a_game_is_followed_through_its_moves() -> None:
    """Learned at its start, then moves of both sides as the camera sees them, and one astray."""
    live_session = LiveSession(open_log(), open_header(game_of("hops"), NAMES[:2], {}, 0))
    setup = reader_setup_of("hops")
    start = setup.calibration_truth(live_session.game.shown(live_session.session.state))
    assert start is not None
    assert setup.check(frame_of("001.jpg"), start) is None
    reader = setup.open_reader(None)
    reader.calibrate(frame_of("001.jpg"), start)
    for name in ("001.jpg", "003.jpg", "005.jpg", "007.jpg", "008.jpg", "009.jpg"):
        live_session.observe(reader.read(frame_of(name)))
        accepted = live_session.game.shown(live_session.session.state)
        reader.set_reference(name, accepted)
    moves = [(move["seat"], move["action"]) for move in told(live_session, "move")]
    assert moves[:2] == [(0, "hop 22 21"), (0, "hop 22 17")]
    assert set(moves[2:4]) == {(1, "hop 3 2"), (1, "hop 1 2")}  # in one picture
    assert moves[4:] == [(0, "hop 20 21")]  # and no step aslant, which the last one shows


def test_its_table_is_what_it_declares() -> None:
    """Pictures are told by its tiles; its plan has a shape for each field."""
    assert find_games(frame_of("001.jpg")) == ["hops"]
    plan = reader_setup_of("hops").plan(None)
    assert plan is not None
    assert len(plan.places) == 25
    assert usual_table("hops")["layout"]["cells"][4][1] == {"x": 110.0, "y": 290.0}


def test_a_colour_that_no_piece_has_is_refused() -> None:
    """With those that are known."""
    with pytest.raises(
        BadLayout, match=r"'mauve' is not a colour of the pieces; it must be one of tac"
    ):
        parse_stacks(usual_table("hops"), ("blue", "mauve"))


def test_a_place_beside_the_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that names it, as soon as the set-up is loaded."""
    monkeypatch.setattr(HopsSetup, "board", (40.0, 22.0, 318.0, 318.0))
    with pytest.raises(BadLayout) as refused:
        HopsSetup()
    assert str(refused.value) == "hops: place 1, 26 x 26 mm around 50, 50, is not all on the board"
