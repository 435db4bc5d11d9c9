"""A sixth game, added by its own folder and one line in the registry, is played everywhere."""

import io
import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.rules import converse
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, Listed, game_of
from companion.rules.protocol import Conversation
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import simulate
from tests.tables import NAMES, open_log, see_table, told
from tests.toy import rules
from tests.web.visitors import hidden_field, open_pub


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game as its one line would."""
    monkeypatch.setitem(GAMES, "pebbles", Listed("pebbles", 9, "tests.toy"))


def sit() -> LiveSession:
    """Return a session of two."""
    return LiveSession(open_log(), open_header(game_of("pebbles"), NAMES[:2], {}, 0))


def test_it_is_entered_and_won() -> None:
    """By the rules alone, to the result."""
    live_session = sit()
    for action in ("take 0 3", "take 1 3", "take 1 1", "take 2 3", "take 2 2"):
        live_session.referee.enter(action)
    result = live_session.referee.result()
    assert (result.scores, result.winners, result.ended_by) == ((6, 6), (0,), "PB-3")
    assert sum(result.scores) == sum(rules.HEAPS)


def test_it_is_seen() -> None:
    """Evidence for its places is judged against its plays, and refused by its clause."""
    live_session = sit()
    live_session.observe(see_table("1", ("1", "4", "5")))
    live_session.observe(see_table("2", ("1", "4", "empty")))
    (move,) = told(live_session, "move")
    assert (move["seat"], move["action"]) == (0, "take 0 2")
    (illegal,) = told(live_session, "illegal")
    assert illegal["clause"] == "PB-2"
    tally = simulate("pebbles", 20, Faults(doubtful=0.05, lost=0.1, cheat=0.1, back=0.1))
    assert (tally.wrong, tally.believed, tally.stuck) == (0, 0, 0), tally.faults


def test_it_has_pages() -> None:
    """Its own picture of the table, the buttons that every game has, and the form to begin it."""
    pub = open_pub(sit())
    host, stranger, bob = pub.host(), pub.stranger(), pub.player(1)
    assert 'data-heap="2">5<' in stranger.get("/").text
    assert "takes 2 from heap 1" in host.get("/desk").text
    mark = hidden_field(host.get("/desk"), "mark")
    assert host.post("/enter", mark=mark, action="take 2 3").status_code == 303
    seat = bob.get("/seat")
    mark = hidden_field(seat, "mark")
    assert bob.post("/enter", mark=mark, action="take 0 1", back="seat").status_code == 303
    assert stranger.get("/api/state").json()["table"]["heaps"] == [2, 4, 2]
    assert "Pebbles" in host.get("/desk/new?game=pebbles").text
    form = {"game": "pebbles", "players": 3, "name0": "A", "name1": "B", "name2": "C"}
    assert host.post("/new", step="start", **form).status_code == 303
    assert stranger.get("/api/state").json()["players"][2]["name"] == "C"


def test_it_is_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A recording of it plays, as far as nobody has to see it."""
    replay = {"players": ["ann", "bob"], "actions": ["take 0 3", "take 1 3"]}
    session = {"game": "pebbles", "frames": [], "replay": replay}
    (tmp_path / "session.json").write_text(json.dumps(session))
    assert main(["replay", str(tmp_path), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["game"], last["scores"]) == ("pebbles", [3, 3])


def test_programs_can_play_it() -> None:
    """The rules' conversation takes it as it is."""
    answers = io.BytesIO()
    requests = io.BytesIO(b'{"op":"new","seats":2}\n{"op":"apply","action":"take 0 9"}\n')
    converse(Conversation(game_of("pebbles").rules), requests, answers)
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert first["ok"]
    assert second["error"] == "InvalidAction"
