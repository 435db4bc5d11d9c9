"""Setting the camera up in the middle of each game: nothing of the game is lost or changed.

Each game stands as its recording has it, where that is most awkward: the camera shows that very
table, the real reader learns it from the page, and what it reads then goes to the referee.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from companion.recording import load_recording
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of, recordings
from tests.enterable import enterable
from tests.referee.entering import acts, handle, tell, tower
from tests.set_up_tables import PATIENCE_S, Table
from tests.tables import open_log
from tests.web.setting_up import picture_of
from tests.web.visitors import open_pub
from vision.capture.frame import Picture
from vision.observation import Status

LOOKS: Final = 2
"""So many pictures that were read are told to the referee."""
LINE: Final = "line nani hookipa lokahi eepo kapu nui wikiwiki huhu akamai"


@dataclass(frozen=True)
class Moment:
    """A moment of a game, which is in *phase* once *actions* have been entered.

    recorded: how many of its recording's come first.  drawn: from which number on others are drawn
        at random until the phase comes.  falls: whether the tower falls then.
    frame: which picture shows that table; read afterwards, too, unless the card is another.
    then: what happens next.
    """

    game: str
    frame: str
    then: str
    phase: str
    actions: tuple[str, ...] = ()
    recorded: int = 0
    drawn: int | None = None
    falls: bool = False
    position: str = "now"


MOMENTS: Final = {
    "line": Moment("tiki_topple", "003.jpg", "topple nani", "play", (LINE, "up3 kapu")),
    "clash": Moment("tactiki", "047.jpg", "clash tie", "clash", recorded=26),
    "lying tower": Moment(
        "topple", "001.jpg", "roll 2", "roll", ("roll 3", "place 20 pink", "roll 2"), falls=True
    ),
    "half a pile": Moment("tippi_toppi", "003.jpg", "play green1 2", "play", recorded=9),
    "spin due": Moment("uno_tiki", "007.jpg", "spin 0", "spin", recorded=5, position="put-up"),
    "hand counted": Moment(
        "uno_tiki", "001.jpg", "", "count", ("turn red-9",), drawn=1, position="put-up"
    ),
}


def begin(moment: Moment, path: Path) -> LiveSession:
    """Return the game as it stands at *moment*, in a log at *path*."""
    said = load_recording(recordings()[moment.game]).description["replay"]
    options = said.get("options", {})
    header = open_header(game_of(moment.game), said["players"], options, said["first_player"])
    live_session = LiveSession(open_log(path), header)
    tell(live_session, *said.get("actions", ())[: moment.recorded], *moment.actions)
    if moment.falls:
        handle(live_session, tower("topple"))
    rng = random.Random(moment.drawn)
    while moment.drawn is not None and live_session.session.state.phase != moment.phase:
        tell(live_session, rng.choice(enterable(live_session)))
    assert getattr(live_session.session.state, "phase", moment.phase) == moment.phase
    return live_session


def rows_of(live_session: LiveSession) -> list[str]:
    """Return all that the log's file holds, as SQL; the log alone may open it meanwhile."""
    return [*live_session.session.log._file.db.iterdump()]


@contextmanager
def nothing_changes(live_session: LiveSession) -> Iterator[None]:
    """Fail if a row of the log, the game, its question or its phase is another one afterwards."""
    before = all_of(live_session)
    yield
    for one, other in zip(before, all_of(live_session), strict=True):
        assert one == other


def all_of(live_session: LiveSession) -> tuple[object, ...]:
    """Return all that a game is made of."""
    session = live_session.session
    entries, question = [*session.entries], live_session.referee.question
    return rows_of(live_session), session.number, entries, session.state, question


class Evening(Table):
    """A camera over a game whose host has the set-up page open.

    What the camera reads is told to the referee.
    """

    def __init__(self, live_session: LiveSession, picture: Picture, folder: Path) -> None:
        super().__init__(live_session, picture, folder)
        pub = open_pub(live_session)
        pub.app.state.site.table.table_setup = self.setup
        self.host = pub.host()

    def let_learn(self, position: str) -> str:
        """Let the host choose *position* on the page; return what came of it."""
        assert self.host.post("/set-up/learn", position=position).status_code == 303
        while (state := self.host.get("/set-up/state").json())["learning"]:
            self.acts.get(timeout=PATIENCE_S)()
        return " ".join(state["lesson"])

    def watch(self, looks: int) -> None:
        """Tell the referee what the camera reads, until so many pictures have been read."""
        read = 0
        while read < looks:
            found = self.seen.get(timeout=PATIENCE_S)
            self.live_session.observe(found)
            read += found.status is Status.OK


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.slow(keep=["line", "hand counted"])
def test_a_game_goes_on_as_if_nothing_had_been_set_up(name: str, tmp_path: Path) -> None:
    """Learned in mid-game, the table read, and not a byte of the log is another one."""
    moment, path = MOMENTS[name], tmp_path / "games.db"
    live_session = begin(moment, path)
    picture = picture_of(moment.game, moment.frame)
    with Evening(live_session, picture, tmp_path / "camera") as table:
        with nothing_changes(live_session):
            assert "The camera is calibrated for this table." in table.let_learn(moment.position)
            if moment.drawn is None:  # else another card lies in the picture
                table.watch(LOOKS)
        then = moment.then or enterable(live_session)[0]
        tell(live_session, then)
    assert_goes_on(live_session, path, then)


def assert_goes_on(live_session: LiveSession, path: Path, newest: str) -> None:
    """Fail unless *newest* is the last action that counts, also after a restart."""
    assert acts(live_session)[-1] == newest
    live_session.session.log.close()
    again = LiveSession(open_log(path), live_session.header)
    assert again.resumed
    assert again.session.state == live_session.session.state
    assert acts(again) == acts(live_session)


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.slow(keep=["clash", "lying tower"])
def test_a_lesson_that_is_refused_costs_the_game_nothing(name: str, tmp_path: Path) -> None:
    """The camera is dark, or looks at something else."""
    moment, path = MOMENTS[name], tmp_path / "games.db"
    live_session = begin(moment, path)
    dark = (picture_of(moment.game, moment.frame) * 0.02).astype(np.uint8)
    with Evening(live_session, dark, tmp_path / "camera") as table:
        with nothing_changes(live_session):
            said = table.let_learn(moment.position)
            assert said.startswith("Not calibrated: "), said
            assert "Too dark" in said
        then = moment.then or enterable(live_session)[0]
        tell(live_session, then)
    assert_goes_on(live_session, path, then)


def test_a_fallen_tower_is_not_learned_while_discs_lie_on_the_board(tmp_path: Path) -> None:
    """The game has an empty board by then; it is offered in these words, and checked."""
    path = tmp_path / "games.db"
    live_session = begin(MOMENTS["lying tower"], path)
    with Evening(live_session, picture_of("topple", "005.jpg"), tmp_path / "camera") as table:
        assert "The empty board, without any pieces" in table.host.get("/desk/set-up").text
        with nothing_changes(live_session):
            assert table.let_learn("now").startswith("Not calibrated: ")
    live_session.session.log.close()


def test_an_arm_that_is_turned_for_the_lesson_is_no_spin(tmp_path: Path) -> None:
    """A spin is due, and the camera sees the arm turn: it may ask, and nothing is logged."""
    path, moment = tmp_path / "games.db", MOMENTS["spin due"]
    live_session = begin(moment, path)
    rows = rows_of(live_session)
    with Evening(live_session, picture_of("uno_tiki", "007.jpg"), tmp_path / "camera") as table:
        table.let_learn("put-up")
        table.watch(1)
        table.show(picture_of("uno_tiki", "009.jpg"))
        table.watch(1)
        table.show(picture_of("uno_tiki", "007.jpg"))
        table.watch(1)
        assert "is calibrated" in table.let_learn("put-up")
        assert rows_of(live_session) == rows
        tell(live_session, moment.then)
    assert_goes_on(live_session, path, moment.then)


def test_a_log_that_is_changed_is_noticed(tmp_path: Path) -> None:
    """The judging helper fails on one more entry, on one less, and on a question."""
    path = tmp_path / "games.db"
    live_session = begin(MOMENTS["half a pile"], path)
    with pytest.raises(AssertionError), nothing_changes(live_session):
        tell(live_session, "play green1 2")
    with pytest.raises(AssertionError), nothing_changes(live_session):
        live_session.referee.undo()
    with nothing_changes(live_session):
        pass
    live_session.session.log.close()
