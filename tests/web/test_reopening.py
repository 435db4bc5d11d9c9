"""An end that was none: a game reopened at its last entry, and back to the last game."""

import asyncio
import random
from pathlib import Path

import pytest

from companion.apps.statistics.past_games import Summaries, standings
from companion.cli import main
from companion.referee.live_session import LiveSession
from companion.referee.past import GameCourse
from companion.referee.record_reading import import_record, read_record
from companion.registry import GAMES
from companion.session.events import MoveUndone, SessionClosed
from companion.session.log import Log, LogError
from companion.session.recovery import check
from tests.referee.entering import acts, sit
from tests.referee.fast_rounds import FIVE_MINUTES, LAYS, sit_fast
from tests.referee.played import play, play_on
from tests.referee.written_records import data_of, written
from tests.tables import moves, open_log, told
from tests.web.desks import begin_again, pub_of, resume, session_of
from tests.web.forms import form_of, forms_of
from tests.web.visitors import Visitor, alert, open_pub

ENDING = ("points 0 12", "points 1 8", "end")


def finished(log: Log | None = None) -> LiveSession:
    """Return a score sheet on which Ann has won."""
    return sit("score_sheet", *ENDING, log=log, seats=2)


def is_over(live_session: LiveSession) -> bool:
    """Return whether the game in play has ended."""
    return live_session.session.rules.outcome(live_session.session.state) is not None


def wins(live_session: LiveSession) -> dict[str, tuple[int, int]]:
    """Return how many games everybody has finished and won, as the statistics have it."""
    found = standings(asyncio.run(Summaries(live_session).all()))
    return {each.name: (each.games, each.won) for each in found}


def go_back(host: Visitor) -> None:
    """Let the host go back to the last game by the button on the desk."""
    answer = host.post("/last-game", **form_of(host.get("/desk"), "/last-game").fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk"), alert(answer)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_game_is_reopened_at_its_last_entry_and_ends_again(game: str, seed: int) -> None:
    """What ended it is taken back by an entry of its own; everything before it stands."""
    live_session = play(game, seed, 2000)
    assert is_over(live_session)
    number, before = live_session.session.number, list(live_session.session.entries)
    results = len(told(live_session, "result"))
    live_session.renew(live_session.header, "another game")
    live_session.resume(number, "not over yet", reopen=True)
    session = live_session.session
    assert not is_over(live_session)
    assert session.entries[: len(before)] == before
    assert isinstance(session.entries[len(before)].event, MoveUndone)
    assert session.header.resumes == number
    assert len(told(live_session, "result")) == results
    play_on(random.Random(seed), live_session, 2000)
    assert is_over(live_session)
    assert live_session.log.unfinished() == session.number


def test_the_host_reopens_a_game_that_was_put_away() -> None:
    """The list says what will be taken back; then another one wins, and that alone counts."""
    pub = open_pub(finished())
    host, first = pub.host(), session_of(pub)
    assert wins(pub.live_session) == {"Ann": (1, 1), "Bob": (1, 0)}
    begin_again(pub, host)
    page = host.get("/desk/past")
    assert "Take back “" in page.text
    answer = host.post("/resume", **form_of(page, "/resume").fields, session=first)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk"), alert(answer)
    assert acts(pub.live_session) == [*ENDING[:2]]
    assert wins(pub.live_session) == {}
    for action in ("points 1 30", "points 0 1", "end"):
        pub.live_session.referee.enter(action)
    assert wins(pub.live_session) == {"Ann": (1, 0), "Bob": (1, 1)}
    assert 'data-past="' not in host.get("/desk/past").text


def test_a_game_in_play_that_is_over_is_reopened_by_taking_back() -> None:
    """On the desk, as always; the winner is one no more."""
    pub = open_pub(finished())
    host = pub.host()
    assert host.post("/undo", **form_of(host.get("/desk"), "/undo").fields).status_code == 303
    assert not is_over(pub.live_session)
    assert wins(pub.live_session) == {}


def test_the_log_follows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is only added to, `log check` finds it whole, and a restart finds the same game."""
    path, keys = tmp_path / "games.db", tmp_path / "keys.json"
    with Log(path) as log:
        first = finished(log).session
        old = list(first.entries)
    with Log(path) as log:
        pub = pub_of(log, keys)
        host = pub.host()
        begin_again(pub, host)
        resume(pub, host, first.number)
        reopened = session_of(pub)
        assert log.entries(first.number)[:-1] == old
        assert isinstance(log.entries(first.number)[-1].event, SessionClosed)
        assert log.entries(reopened)[:-1] == old
    assert check(path).sessions == 3
    with Log(path) as log:
        live_session = pub_of(log, keys).live_session
        assert live_session.session.number == reopened
        assert acts(live_session) == [*ENDING[:2]]
    assert main(["log", "export", "--log", str(path), str(reopened)]) == 0
    assert '"winners": null' in capsys.readouterr().out


def test_whoever_follows_is_told_that_it_is_taken_back() -> None:
    """All entries of the game again, each once, and then the one that takes its end back."""
    pub = open_pub(finished())
    host, first = pub.host(), session_of(pub)
    begin_again(pub, host)
    count = len(told(pub.live_session))
    resume(pub, host, first)
    bodies = told(pub.live_session)[count:]
    kinds = [body["type"] for body in bodies if "seq" in body]
    entries = [entry.event.type for entry in pub.live_session.session.entries]
    assert kinds == ["closed", *entries]
    assert kinds[-1] == "undo"


def test_a_game_that_cannot_be_saved_stays_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one in play goes on as it was."""
    pub = open_pub(finished())
    host, first = pub.host(), session_of(pub)
    begin_again(pub, host)
    now = pub.live_session.session

    def refuse(*_: object) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr(pub.live_session.log, "append", refuse)
    answer = host.post("/resume", current=now.number, session=first)
    assert (answer.status_code, "the disk is full" in alert(answer)) == (503, True)
    assert pub.live_session.session is now


def test_a_time_that_was_up_does_not_end_the_game_once_more() -> None:
    """Days later the clock stands where it stood, and the people say what really happened."""
    table = sit_fast()
    table.do(*LAYS, "goal sum pink 4", "goal sum all 28", "goal count green 4", "goal sum pink 6")
    table.wait(FIVE_MINUTES + 1)
    assert acts(table.live_session)[-1] == "time"
    number = table.live_session.session.number
    table.live_session.renew(table.live_session.header, "another game")
    table.clock.now_s += 100_000
    table.live_session.resume(number, "not over yet", reopen=True)
    table.wait(5)
    assert not is_over(table.live_session)
    assert table.left() == 0


def test_time_stands_still_while_a_game_is_put_away(tmp_path: Path) -> None:
    """Also after the next restart: the days between are nobody's."""
    table = sit_fast(tmp_path / "games.db")
    table.do(*LAYS, "goal sum pink 4", "goal sum all 28", "goal count green 4", "goal sum pink 6")
    table.wait(60)
    table.do("play green1 0")
    number = table.live_session.session.number
    table.live_session.renew(table.live_session.header, "another game")
    table.clock.now_s += 100_000
    table.live_session.resume(number, "going on")
    assert table.left() == FIVE_MINUTES - 60
    table.wait(20)
    table.do("play pink1 2")
    table.live_session.log.close()
    after = sit_fast(tmp_path / "games.db", table.clock)
    assert after.left() == FIVE_MINUTES - 80


def test_the_host_goes_back_to_the_last_game_while_nobody_has_moved() -> None:
    """It stands as it stood, over if it was, with its phones; what the new one had is kept."""
    pub = open_pub(finished())
    host, phone = pub.host(), pub.player(1)
    begin_again(pub, host)
    host.post("/new", step="start", game="topple", players=2, name0="Zoe", name1="Yan")
    pub.live_session.referee.enter("roll 3")
    new = session_of(pub)
    assert phone.get("/seat").status_code == 403
    go_back(host)
    assert acts(pub.live_session) == [*ENDING]
    assert is_over(pub.live_session)
    assert phone.get("/seat").status_code == 200
    assert f'data-past="{new}"' in host.get("/desk/past").text
    assert wins(pub.live_session) == {"Ann": (1, 1), "Bob": (1, 0)}


def test_the_way_back_ends_with_the_first_move() -> None:
    """The button is gone, and a page that still has it is told where the game is."""
    pub = open_pub(finished())
    host = pub.host()
    begin_again(pub, host)
    form = form_of(host.get("/"), "/last-game")
    assert form.fields["back"] == "board"
    pub.live_session.referee.enter("points 0 1")
    pub.live_session.changed()
    before = session_of(pub)
    for path in ("/", "/desk"):
        assert "/last-game" not in [each.path for each in forms_of(host.get(path))]
    late = host.post("/last-game", **form.fields)
    assert (late.status_code, "“Past games”" in alert(late)) == (409, True)
    assert (session_of(pub), moves(pub.live_session)) == (before, [(0, "points 0 1")])


def test_the_way_back_is_the_hosts_alone() -> None:
    """A seat and a stranger are neither shown it nor let through."""
    pub = open_pub(finished())
    phone = pub.player(0)
    begin_again(pub, pub.host())
    for visitor in (phone, pub.stranger()):
        assert "/last-game" not in [each.path for each in forms_of(visitor.get("/"))]
        answer = visitor.post("/last-game", current=session_of(pub), back="desk")
        assert answer.status_code == 403


def test_no_way_back_leads_to_a_game_of_others() -> None:
    """What came from a game record was not played here; and before the first game is nothing."""
    log, other = open_log(), finished()
    import_record(log, read_record(data_of(written(GameCourse(other.session, other.game)))))
    pub = open_pub(sit("score_sheet", seats=2, log=log))
    host = pub.host()
    assert 'data-past="1"' in host.get("/desk/past").text
    assert "/last-game" not in [each.path for each in forms_of(host.get("/desk"))]
    answer = host.post("/last-game", current=session_of(pub), back="desk")
    assert answer.status_code == 409
