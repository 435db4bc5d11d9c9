"""The mat of another game, put on the table in mid-game: a question, and nothing is lost."""

import random
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from companion.config import table_header
from companion.referee.notices import Ask
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of, with_mats
from companion.session.events import SessionClosed
from companion.table.view_reader import VIEW_DEVICES
from companion.table.watcher import Watcher
from companion.web.pages.again import begin
from tests.daemons import running
from tests.referee.entering import acts, handle, said, tell, tower
from tests.unharmed import assert_one_line, nothing_changes, play_on
from vision.capture.camera import RecordedCamera
from vision.capture.motion_gate import MotionGate

PAIRS: Final = tuple(permutations(with_mats(), 2))


@pytest.mark.parametrize("game", with_mats())
def test_another_games_mat_in_mid_game_is_a_question(settings: Path, game: str) -> None:
    """Whichever it is; "go on" loses nothing, and the next move is taken as if none had lain."""
    with running(settings, game) as daemon:
        live_session = daemon.live_session
        for other in (each for each in with_mats() if each != game):
            known, question = list(live_session.session.entries), live_session.referee.question
            assert question is None
            daemon._switch_to(other)
            asked = live_session.referee.question
            assert isinstance(asked, Ask)
            assert_one_line(asked.message)
            assert game_of(other).title in asked.message
            assert [each.text.split()[0] for each in asked.candidates] == ["End", "Continue"]
            assert live_session.session.entries == known
            assert live_session.referee.choose(1)
            assert (live_session.header.game, live_session.referee.question) == (game, None)
            assert live_session.session.entries == known
        before = acts(live_session)
        assert play_on(live_session, random.Random(5))
        assert acts(live_session)[:-1] == before


@pytest.mark.parametrize(("game", "other"), PAIRS[::3])
def test_a_game_that_is_put_away_for_another_mat_stays_in_the_log(
    settings: Path, game: str, other: str
) -> None:
    """Whole, closed with the reason, and the other game begins with nothing in it."""
    with running(settings, game) as daemon:
        live_session = daemon.live_session
        number, known = live_session.session.number, list(live_session.session.entries)
        daemon._switch_to(other)
        assert live_session.referee.choose(0)
        assert (live_session.header.game, live_session.session.entries) == (other, [])
        *kept, last = daemon.log.entries(number)
        assert kept == known
        reason = f"the tiles of {game_of(other).title} were put on the table"
        assert last.event == SessionClosed(reason)


@pytest.mark.parametrize("is_fixed", [False, True])
def test_a_game_without_a_mat_is_played_beside_any(settings: Path, is_fixed: bool) -> None:
    """Nothing is asked or said until it is over; then the mat begins its own game as ever."""
    if is_fixed:
        settings.write_text(settings.read_text() + "game = 'score_sheet'\n")
    with running(settings, "topple") as daemon:
        live_session, (game,) = daemon.live_session, {*GAMES} - {*with_mats()}
        live_session.renew(table_header(daemon.config.table, game), "the host began a new game")
        for actions in ((), ("points 0 1", "points 1 2"), ("points 0 1",)):
            tell(live_session, *actions)
            before = said(live_session)
            with nothing_changes(live_session):
                daemon._switch_to("topple")
                assert said(live_session) == before
        tell(live_session, "points 1 2", "end")
        daemon._switch_to("topple")
        assert (live_session.header.game == "topple") != is_fixed


def test_a_table_that_plays_one_game_alone_only_says_so(settings: Path) -> None:
    """Nothing is asked, and nothing begun."""
    settings.write_text(settings.read_text() + "game = 'topple'\n")
    with running(settings, "topple") as daemon, nothing_changes(daemon.live_session):
        daemon._switch_to("tactiki")
        assert "set up for Topple only" in said(daemon.live_session)


def test_a_mat_does_not_wipe_away_what_is_asked_already(settings: Path) -> None:
    """Who made it fall is still to be settled after "go on"."""
    with running(settings, "topple") as daemon:
        live_session = daemon.live_session
        while live_session.session.state.phase != "roll":
            play_on(live_session, random.Random(1))
        handle(live_session, tower("topple"))
        asked = live_session.referee.question
        assert isinstance(asked, Ask)
        daemon._switch_to("tactiki")
        assert live_session.referee.choose(1)
        assert live_session.referee.question == asked


def test_another_mat_keeps_the_people_and_their_phones(settings: Path) -> None:
    """Those who are here, not those of the settings; the welcome page says which mat was seen."""
    with running(settings, "tiki_topple") as daemon:
        site, live_session = daemon.app.state.site, daemon.live_session
        people = ("Zoe", "Yan")
        begin(site, open_header(live_session.game, people, {}, 0), "test", is_same=False)
        assert daemon.keys.claim(daemon.keys.invitation(1) or "", 0)
        daemon._switch_to("topple")
        assert (live_session.header.game, live_session.header.players) == ("topple", people)
        assert [daemon.keys.is_taken(seat) for seat in (0, 1)] == [False, True]
        assert site.spotted == "topple"


def test_what_was_wrong_with_the_last_games_table_is_not_said_of_this_one(settings: Path) -> None:
    """Its tiles, its mat and its picture are looked at anew."""
    with running(settings, "topple") as daemon:
        daemon.watcher = Watcher(RecordedCamera([], 1.0), MotionGate(), lambda _: None)
        daemon._calibration = daemon._open_calibration(daemon.watcher)
        for device in VIEW_DEVICES:
            daemon.live_session.report(device, "something is wrong")
        assert len(daemon.live_session.troubles) == len(VIEW_DEVICES)
        daemon._watch("tactiki")
        assert daemon.live_session.troubles == ()
