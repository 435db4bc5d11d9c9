"""Choosing a computer, doing its moves and taking its seat over, on the pages."""

import pytest

from companion.scenes.calls import call_of
from companion.scenes.light_patterns import light_zones
from companion.scenes.scene import scene_of
from companion.scoreboard import read_scoreboard
from hardware.zones import Zones
from tests.computer.seats import MEANT, meaning
from tests.referee.entering import acts, sit
from tests.tables import sit_down
from tests.web.forms import form_of
from tests.web.visitors import alert, open_pub


def test_a_computer_is_chosen_like_any_player() -> None:
    """It has a name of its own if nobody gives it one, and no phone is waited for."""
    pub = open_pub(sit_down())
    host = pub.host()
    fields = {"name0": "Zoe", "computer1": "strong"}
    answer = host.post("/new", step="start", game="topple", players=2, **fields)
    assert answer.status_code == 303
    header = pub.live_session.header
    assert (header.players, header.computers) == (("Zoe", "Koa"), ("", "strong"))
    assert pub.keys.invitation(1) is None
    assert pub.keys.invitation(0) is not None
    assert "plays by itself" in host.get("/").text
    again = form_of(host.get("/desk/new"), "/new")
    assert again.fields["computer1"] == "strong"


def test_two_computers_have_two_names() -> None:
    """And a person who has such a name keeps it."""
    pub = open_pub(sit_down())
    fields = {"name0": "koa", "computer1": "fair", "computer2": "gentle"}
    pub.host().post("/new", step="start", game="topple", players=3, **fields)
    assert pub.live_session.header.players == ("koa", "Lani", "Makoa")


@pytest.mark.parametrize(
    ("game", "level"), [("topple", "brilliant"), ("score_sheet", "fair"), ("topple", "\x00")]
)
def test_a_level_that_there_is_none_of_is_refused(game: str, level: str) -> None:
    """Beside its field, and no game begins."""
    pub = open_pub(sit_down())
    answer = pub.host().post("/new", step="start", game=game, players=2, computer1=level)
    assert answer.status_code == 400
    assert alert(answer) == "Choose one of the options shown."
    assert pub.live_session.header.game == "tiki_topple"


def test_whoever_sits_or_is_the_host_says_that_it_is_done() -> None:
    """A stranger sees what is meant, and no button."""
    pub = open_pub(meaning())
    phone, stranger = pub.player(2), pub.stranger()
    assert MEANT.words in stranger.get("/").text
    assert 'action="/computer/done"' not in stranger.get("/").text
    assert stranger.post("/computer/done", mark="m", back="board").status_code == 403
    assert acts(pub.live_session) == ["up1 huhu"]
    assert phone.post("/computer/done", mark="m", back="seat").headers["location"] == "/seat"
    assert acts(pub.live_session) == ["up1 huhu", "up2 nani"]


def test_an_old_page_does_nothing() -> None:
    """What it meant has been done, or is another."""
    pub = open_pub(meaning())
    for mark in ("old", ""):
        answer = pub.host().post("/computer/done", mark=mark, back="desk")
        assert (answer.status_code, "has changed" in alert(answer)) == (409, True)
    pub.live_session.mean(None)
    assert pub.host().post("/computer/done", mark="m", back="desk").status_code == 409
    assert acts(pub.live_session) == ["up1 huhu"]


def test_a_person_takes_its_seat_over_in_mid_game() -> None:
    """The game goes on as it stood; phones stay, and the new player gets a link."""
    pub = open_pub(meaning())
    host, phone = pub.host(), pub.player(0)
    number = pub.live_session.session.number
    answer = host.post("/computer/seat", seat=1, player="person", session=number)
    assert answer.status_code == 303
    live = pub.live_session
    assert (live.header.computers, acts(live)) == ((), ["up1 huhu"])
    assert phone.get("/seat").status_code == 200
    assert pub.keys.invitation(1) is not None
    late = host.post("/computer/seat", seat=1, player="person", session=number)
    assert late.status_code == 409


def test_a_person_who_plays_already_keeps_the_seat() -> None:
    """Nothing begins anew, and no phone loses its place."""
    pub = open_pub(sit_down())
    phone, number = pub.player(1), pub.live_session.session.number
    pub.host().post("/computer/seat", seat=1, player="person", session=number)
    assert pub.live_session.session.number == number
    assert phone.get("/seat").status_code == 200


def test_the_companion_takes_a_seat_over() -> None:
    """Whoever sat there sees nothing of it any more."""
    pub = open_pub(sit_down())
    pub.live_session.referee.enter("up1 huhu")
    host, phone = pub.host(), pub.player(1)
    number = pub.live_session.session.number
    host.post("/computer/seat", seat=1, player="gentle", session=number)
    assert pub.live_session.header.computers == ("", "gentle", "")
    assert phone.get("/seat").status_code == 403
    assert pub.keys.invitation(1) is None


def test_nobody_gets_a_link_to_a_seat_of_the_companions() -> None:
    """A desk that is still open from before has the button; its hand would be on that phone."""
    pub = open_pub(meaning())
    assert pub.host().post("/invite", seat=1).status_code == 409
    assert pub.keys.invitation(1) is None


def test_who_plays_beside_opens_no_secret_of_a_seats_earlier_phone() -> None:
    """A phone that came by a new link sees what it entered itself, and that stays so."""
    pub = open_pub(sit_down(2))
    pub.live_session.referee.enter_secret(0, "card 0 nui eepo nani")
    phone = pub.player(0)
    assert "data-own=" not in phone.get("/seat").text
    number = pub.live_session.session.number
    pub.host().post("/computer/seat", seat=1, player="fair", session=number)
    assert "data-own=" not in phone.get("/seat").text


def test_no_computer_sits_down_where_there_is_none() -> None:
    """A score sheet has no rules to play by."""
    pub = open_pub(sit("score_sheet", seats=2))
    number = pub.live_session.session.number
    answer = pub.host().post("/computer/seat", seat=1, player="fair", session=number)
    assert answer.status_code == 400
    assert "Who plays here" not in pub.host().get("/desk").text


def test_lights_and_voice_say_what_it_means() -> None:
    """The two rows by turns, and the same words as the page."""
    board = read_scoreboard(meaning())
    assert scene_of(board).kind == "meant"
    assert scene_of(board).rows == (2, 0)
    assert call_of(board).words == MEANT.words
    zones = Zones()
    first, then = (light_zones(board, zones, beat)["slots"] for beat in (0, 2))
    assert [at for at in range(9) if first[at] == max(first)] == [2]
    assert [at for at in range(9) if then[at] == max(then)] == [0]


def test_anybody_may_enter_for_a_seat_of_the_companions() -> None:
    """The result of its attack, its die; but not for another person's seat."""
    live = meaning()
    assert live.referee.may_enter(0, "up1 kapu")
    live.referee.enter("up1 kapu")
    assert not live.referee.may_enter(0, "up1 nui")
