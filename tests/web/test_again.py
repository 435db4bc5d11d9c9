"""From one game to the next: again, another, put away, resumed; and which phones stay."""

import re
from pathlib import Path

import pytest

from companion.rules.tiki_topple import TIKIS
from companion.session.events import SessionClosed
from companion.session.log import Log, LogError
from tests.referee.entering import sit
from tests.tables import NAMES, moves, sit_down, told
from tests.web.desks import (
    begin_again,
    play_out,
    pub_of,
    put_away,
    resume,
    session_of,
    wanted_line,
)
from tests.web.forms import form_of, forms_of
from tests.web.visitors import Pub, alert, assert_silent_about, open_pub

CARD = {"top9": "nani", "middle5": "huhu", "bottom2": "nui"}


def test_the_same_game_begins_with_the_next_player() -> None:
    """Players, sides and options are the same; the phones stay, and their links are used up."""
    pub = open_pub(sit("topple", seats=3))
    host, phone = pub.host(), pub.player(1)
    before = pub.live_session.header
    begin_again(pub, host)
    after = pub.live_session.header
    assert (after.players, after.sides, after.options) == (
        before.players,
        before.sides,
        before.options,
    )
    assert (before.setup["first"], after.setup["first"]) == (0, 1)
    assert "Bob" in phone.get("/seat").text
    assert [pub.keys.is_taken(seat) for seat in range(3)] == [False, True, False]
    assert pub.keys.code
    begin_again(pub, host)
    begin_again(pub, host)
    assert pub.live_session.header.setup["first"] == 0
    assert phone.get("/seat").status_code == 200


def test_where_chance_chose_the_first_it_does_so_again() -> None:
    """Everybody rolls again, and TIKI begins each game of TacTiki."""
    pub = open_pub(sit("topple", seats=2))
    host = pub.host()
    host.post("/new", step="start", game="topple", players=2, first="chance")
    begin_again(pub, host)
    assert pub.live_session.header.setup == {}


def test_a_second_tap_begins_nothing() -> None:
    """A page that is old asks for a game that is over already."""
    pub = open_pub(sit_down())
    host = pub.host()
    number = session_of(pub)
    begin_again(pub, host)
    for path in ("/again", "/put-away"):
        late = host.post(path, session=number, back="desk")
        assert (late.status_code, "has changed" in alert(late)) == (409, True)
    assert host.post("/resume", current=number, session=1).status_code == 409
    assert session_of(pub) == number + 1


def test_the_winners_page_offers_the_next_game_to_the_host() -> None:
    """Two buttons where all look, and on the desk; nobody else has them."""
    pub = open_pub(sit_down(rounds=1))
    host = pub.host()
    play_out(pub, host)
    top = wanted_line(pub)[0]
    for seat in range(3):
        card = (top if seat == 1 else "nui", "kapu", "eepo")
        host.post("/enter", action=f"card {seat} {' '.join(card)}", mark=mark_of(pub))
    assert 'data-winner="1"' in host.get("/").text
    form = form_of(host.get("/"), "/again")
    assert "/again" in [form.path for form in forms_of(host.get("/desk"))]
    assert "/again" not in [form.path for form in forms_of(pub.player(0).get("/"))]
    answer = host.post("/again", **form.fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert moves(pub.live_session) == []


def mark_of(pub: Pub) -> int:
    """Return the mark of a page that is up to date."""
    return pub.live_session.session.next_seq


def test_other_people_start_without_the_phones_of_the_last() -> None:
    """Also where they have the same names, as those have who gave none."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(0)
    form = form_of(host.get("/welcome?people=new"), "/new")
    assert "same" not in form.fields
    assert form.fields["name0"] == ""
    assert host.post("/new", step="start", **form.fields | {"name0": NAMES[0]}).status_code == 303
    assert pub.live_session.header.players[0] == NAMES[0]
    assert phone.get("/seat").status_code == 403
    assert not any(map(pub.keys.is_taken, range(3)))


def test_the_same_people_take_their_phones_to_another_game() -> None:
    """A phone goes with its player's name, whatever seat that is now."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(2)
    form = form_of(host.get("/desk/new?game=topple"), "/new")
    assert form.fields["same"] == "yes"
    names = {"name0": NAMES[2], "name1": "Zoe", "name2": NAMES[0]}
    assert host.post("/new", step="start", **form.fields | names).status_code == 303
    assert [pub.keys.is_taken(seat) for seat in range(3)] == [True, False, False]
    assert NAMES[2] in phone.get("/seat").text


def test_a_phone_that_stays_learns_no_secret_of_the_game_before() -> None:
    """And what it enters now is its own."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(0)
    assert phone.post("/seat", **CARD, round=1).status_code == 303
    begin_again(pub, host)
    assert_silent_about(phone.get("/seat").text, 'data-own="nani"')
    host.post("/enter", action="line", mark=mark_of(pub), **parts(TIKIS))
    assert phone.post("/seat", **CARD | {"top9": "wikiwiki"}, round=1).status_code == 303
    assert 'data-own="wikiwiki"' in phone.get("/seat").text


def parts(words: tuple[str, ...]) -> dict[str, str]:
    """Return the fields of an action that is put together of *words*."""
    return {f"part{place}": word for place, word in enumerate(words)}


def test_a_game_is_put_away_and_resumed() -> None:
    """As it stood, with its phones and what they had entered; it can be played to its end."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(0)
    phone.post("/seat", **CARD, round=1)
    host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
    first = put_away(pub, host)
    assert moves(pub.live_session) == []
    host.post("/new", step="start", game="topple", players=2, name0="Zoe", name1="Yan")
    assert phone.get("/seat").status_code == 403
    page = host.get("/desk/past").text
    assert f'data-past="{first}"' in page
    assert "Unfinished." in page
    resume(pub, host, first)
    assert pub.live_session.header.players == NAMES[:3]
    assert moves(pub.live_session) == [(0, "up1 lokahi")]
    assert 'data-own="nani"' in phone.get("/seat").text
    host.post("/enter", action="up1 nani", mark=mark_of(pub))
    assert moves(pub.live_session) == [(0, "up1 lokahi"), (1, "up1 nani")]
    assert 'data-past="' not in host.get("/desk/past").text  # it is the one in play


def test_a_phone_that_lost_its_seat_does_not_find_it_again() -> None:
    """A key that the host has taken away is gone from the games that were put away, too."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(0)
    host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
    first = put_away(pub, host)
    assert phone.get("/seat").status_code == 200
    assert host.post("/invite", seat=0).status_code == 303
    resume(pub, host, first)
    assert phone.get("/seat").status_code == 403


def test_a_phone_keeps_its_key_from_game_to_game() -> None:
    """So it finds its seat also in a game that was put away before it joined another."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(0)
    cookie = phone.cookies["tiki_seat"]
    host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
    first = put_away(pub, host)
    host.post("/new", step="start", game="topple", players=2, name0="Zoe", name1="Yan")
    assert phone.post("/join", code=pub.keys.code, seat=1).status_code == 303
    assert phone.cookies["tiki_seat"] == cookie
    resume(pub, host, first)
    assert NAMES[0] in phone.get("/seat").text


def test_a_game_is_resumed_days_later(tmp_path: Path) -> None:
    """After restarts, from the file alone, and the log is whole."""
    path, keys = tmp_path / "games.db", tmp_path / "keys.json"
    with Log(path) as log:
        pub = pub_of(log, keys)
        host = pub.host()
        host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
        first = put_away(pub, host)
    with Log(path) as log:
        pub = pub_of(log, keys)
        resume(pub, pub.host(), first)
        resumed = session_of(pub)
    with Log(path) as log:
        assert log.unfinished() == resumed
        pub = pub_of(log, keys)
        assert moves(pub.live_session) == [(0, "up1 lokahi")]
        old, new = log.entries(first), log.entries(resumed)
        assert new == old[:-1]
        assert old[-1].event == SessionClosed("the host put the game away")
        assert log.header(resumed)["resumes"] == first


def test_whoever_follows_is_told_the_game_that_is_resumed() -> None:
    """All of its entries, without the secrets, after that the other was closed."""
    pub = open_pub(sit_down())
    host, phone = pub.host(), pub.player(0)
    phone.post("/seat", **CARD, round=1)
    host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
    first = put_away(pub, host)
    count = len(told(pub.live_session))
    resume(pub, host, first)
    bodies = told(pub.live_session)[count:]
    assert [body["type"] for body in bodies] == ["closed", "secret", "move"]
    assert_silent_about(repr(bodies), *CARD.values())


def test_a_game_that_cannot_be_saved_is_not_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one in play goes on as it was."""
    pub = open_pub(sit_down())
    host = pub.host()
    host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
    first = put_away(pub, host)
    now = pub.live_session.session

    def refuse(*_: object) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr(pub.live_session.log, "copy_session", refuse)
    answer = host.post("/resume", current=now.number, session=first)
    assert (answer.status_code, "the disk is full" in alert(answer)) == (503, True)
    assert pub.live_session.session is now
    assert not any(isinstance(entry.event, SessionClosed) for entry in now.entries)


def test_a_game_that_was_put_away_can_be_looked_at() -> None:
    """Its page has every move; what nobody played is not listed at all."""
    pub = open_pub(sit("topple", "roll 1", "place 22 pink", "roll 6", seats=2))
    host = pub.host()
    first = put_away(pub, host)
    assert f'href="/games/{first}"' in host.get("/desk/past").text
    assert host.get(f"/games/{first}").status_code == 200
    again = session_of(pub)
    begin_again(pub, host)
    listed = re.findall(r'data-past="(\d+)"', host.get("/desk/past").text)
    assert listed == [str(first)]
    for number in ("0", "99", "x", "-1", str(again), str(session_of(pub))):
        answer = host.post("/resume", current=session_of(pub), session=number)
        assert answer.status_code in (400, 404)
    assert host.post("/put-away", session=session_of(pub)).status_code == 409  # nothing was played


def test_past_games_come_in_pages_and_in_the_readers_language() -> None:
    """Twelve at a time, the newest first, dated as the language writes dates."""
    pub = open_pub(sit_down())
    host = pub.host()
    numbers = []
    for _ in range(14):
        host.post("/enter", action="up1 lokahi", mark=mark_of(pub))
        if not moves(pub.live_session):
            host.post("/enter", action="line", mark=mark_of(pub), **parts(TIKIS))
        numbers.append(put_away(pub, host))
    page = host.get("/desk/past").text
    newest = [str(number) for number in reversed(numbers)]
    assert re.findall(r'data-past="(\d+)"', page) == newest[:12]
    (further,) = re.findall(r'href="(/desk/past\?before=\d+)"', page)
    assert re.findall(r'data-past="(\d+)"', host.get(further).text) == newest[12:]
    german = host.ask("GET", "/desk/past", headers={"accept-language": "de"}).text
    assert re.search(r">\d{1,2}\.\d\d\.\d{4} · \d\d:\d\d [^<]+</time>", german)
    assert re.search(r">[A-Z][a-z]+ \d{1,2}, \d{4} · \d{1,2}:\d\d", page)
    assert host.get("/desk/past?before=x").status_code == 200


def test_past_games_are_the_hosts() -> None:
    """A seat and a stranger are told so."""
    pub = open_pub(sit_down())
    put_away_one = pub.host()
    put_away_one.post("/enter", action="up1 lokahi", mark=mark_of(pub))
    put_away(pub, put_away_one)
    for visitor in (pub.stranger(), pub.player(0)):
        for path in ("/desk/past", "/welcome"):
            answer = visitor.get(path)
            assert (answer.status_code, "Only the host" in alert(answer)) == (403, True)


def test_an_old_header_is_read_as_before() -> None:
    """A session that resumes none has no word of it in the log."""
    live_session = sit_down()
    assert "resumes" not in live_session.log.header(1)
    assert live_session.header.resumes == 0
