"""The mat of another game, put on the table in mid-game: a question, and nothing is lost."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from companion.config import load_config
from companion.daemon import Daemon
from companion.games import GAMES, game_of
from companion.referee.notices import Ask
from companion.session.events import SessionClosed
from tests.referee.test_entering import acts, hear, said, tell, tower
from tests.test_bad_input import assert_one_line, nothing_changes, play_on
from tests.web.games import FIRST

PAIRS: Final = tuple(permutations(GAMES, 2))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Return settings of a table without a camera, that plays whatever is put on it."""
    path = tmp_path / "tiki.toml"
    path.write_text(
        "[camera]\nsource = 'none'\n[web]\nhost = '127.0.0.1'\nport = 0\n"
        f"[log]\nfile = '{tmp_path / 'games.db'}'\n[table]\nplayers = ['Ann', 'Bob']\n"
    )
    return path


@contextmanager
def running(settings: Path, game: str) -> Iterator[Daemon]:
    """Run a daemon without its server, in the middle of *game*."""
    daemon = Daemon(load_config(settings))
    try:
        daemon._turn_to(game)
        rng = random.Random(4)
        tell(daemon.sitting, *FIRST.get(game, ()))
        for _ in range(3):
            play_on(daemon.sitting, rng)
        yield daemon
    finally:
        daemon.rig.close()
        daemon.log.close()
        daemon._listener.close()


@pytest.mark.parametrize("game", GAMES)
def test_another_games_mat_in_mid_game_is_a_question(settings: Path, game: str) -> None:
    """Whichever it is; "go on" loses nothing, and the next move is taken as if none had lain."""
    with running(settings, game) as daemon:
        sitting = daemon.sitting
        for other in (each for each in GAMES if each != game):
            known, question = list(sitting.session.entries), sitting.referee.question
            assert question is None
            daemon._turn_to(other)
            asked = sitting.referee.question
            assert isinstance(asked, Ask)
            assert_one_line(asked.message)
            assert game_of(other).title in asked.message
            assert [each.text.split()[0] for each in asked.candidates] == ["End", "Continue"]
            assert sitting.session.entries == known
            assert sitting.referee.choose(1)
            assert (sitting.header.game, sitting.referee.question) == (game, None)
            assert sitting.session.entries == known
        before = acts(sitting)
        assert play_on(sitting, random.Random(5))
        assert acts(sitting)[:-1] == before


@pytest.mark.parametrize(("game", "other"), PAIRS[::3])
def test_a_game_that_is_put_away_for_another_mat_stays_in_the_log(
    settings: Path, game: str, other: str
) -> None:
    """Whole, closed with the reason, and the other game begins with nothing in it."""
    with running(settings, game) as daemon:
        sitting = daemon.sitting
        number, known = sitting.session.number, list(sitting.session.entries)
        daemon._turn_to(other)
        assert sitting.referee.choose(0)
        assert (sitting.header.game, sitting.session.entries) == (other, [])
        *kept, last = daemon.log.entries(number)
        assert kept == known
        reason = f"the tiles of {game_of(other).title} were put on the table"
        assert last.event == SessionClosed(reason)


def test_a_table_that_plays_one_game_alone_only_says_so(settings: Path) -> None:
    """Nothing is asked, and nothing begun."""
    settings.write_text(settings.read_text() + "game = 'topple'\n")
    with running(settings, "topple") as daemon, nothing_changes(daemon.sitting):
        daemon._turn_to("tactiki")
        assert "set to Topple only" in said(daemon.sitting)


def test_a_mat_does_not_wipe_away_what_is_asked_already(settings: Path) -> None:
    """Who made it fall is still to be settled after "go on"."""
    with running(settings, "topple") as daemon:
        sitting = daemon.sitting
        while sitting.session.state.phase != "roll":
            play_on(sitting, random.Random(1))
        hear(sitting, tower("topple"))
        asked = sitting.referee.question
        assert isinstance(asked, Ask)
        daemon._turn_to("tactiki")
        assert sitting.referee.choose(1)
        assert sitting.referee.question == asked
