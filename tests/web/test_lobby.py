"""The lobby: who is in the room sees how phones join, and nobody else."""

import httpx
import pytest
from starlette.requests import HTTPConnection

from companion.web.app import create_app
from companion.web.http.attempts import CODES_PER_SOURCE, MAX_WRONG_CODES, WrongKeys
from companion.web.http.keys import CODE_CHARS, CODE_LETTERS, Keys
from companion.web.http.reach import Reach
from companion.web.pages.public import board_regions
from companion.web.running_table import RunningTable
from companion.web.table_memory import TableMemory
from hardware.output_devices import OutputDevices
from tests.referee.entering import sit
from tests.tables import sit_down
from tests.web.forms import form_of
from tests.web.standing_clock import Clock, refuse
from tests.web.visitors import Pub, Visitor, alert, open_pub


def code_of(pub: Pub) -> str:
    """Return the table's code; fails if none is in force."""
    assert pub.keys.code
    return pub.keys.code


def timed_codes(pub: Pub) -> Clock:
    """Let a clock count the wrong codes at *pub*, and return it."""
    clock = Clock()
    pub.app.state.site.seat_links.wrong_codes = WrongKeys(CODES_PER_SOURCE, clock=clock)
    return clock


def sees(visitor: Visitor, code: str) -> bool:
    """Return whether *visitor* finds the code on any page that the lobby is on."""
    pages = [visitor.get(page) for page in ("/", "/desk", "/join", "/seat")]
    return any(f">{code}<" in page.text or f'value="{code}"' in page.text for page in pages)


def test_a_code_cannot_be_confused() -> None:
    """Four letters of those that look like no other, nor like a digit, nor make a word."""
    codes = set()
    for session in range(1, 40):
        keys = Keys()
        keys.open_seats(session, 2)
        codes.add(keys.code)
        assert len(keys.code) == CODE_CHARS
        assert set(keys.code) <= set(CODE_LETTERS)
    assert not set(CODE_LETTERS) & set("AEIOUYQS0158")
    assert len(codes) > 35


def test_a_stranger_is_shown_no_code() -> None:
    """The host and whoever sits see it; a stranger sees who has joined, by name and colour."""
    pub = open_pub(sit_down())
    code, host, stranger = code_of(pub), pub.host(), pub.stranger()
    assert sees(host, code)
    assert not sees(stranger, code)
    phone = pub.player(1)
    assert sees(phone, code)
    page = stranger.get("/").text
    assert 'data-here="1"' in page
    assert 'data-here="0"' not in page
    assert page.count("not here yet") == 2
    assert 'href="/join"' in page
    assert "<svg" not in page.partition('id="joining"')[2].partition("<ul")[0]


def test_a_phone_joins_by_one_tap_on_its_name() -> None:
    """With the code of the QR code in the address: the names, a tap, and the seat's page."""
    pub = open_pub(sit_down())
    phone = pub.stranger()
    form = form_of(phone.get(f"/join?code={code_of(pub)}"), "/join")
    assert form.choices["seat"] == ["0", "1", "2"]
    answer = phone.post("/join", **form.fields, seat=1)
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert phone.get("/seat").status_code == 200
    assert pub.keys.is_taken(1)


@pytest.mark.parametrize("typed", ["{}", "{} ", " {lower}", "{spaced}"])
def test_a_code_is_typed_as_people_type(typed: str) -> None:
    """Small letters and blanks are as good."""
    pub = open_pub(sit_down())
    code = code_of(pub)
    text = typed.format(code, lower=code.lower(), spaced=" ".join(code))
    assert pub.stranger().ask("GET", "/join", params={"code": text}).status_code == 200
    assert pub.stranger().post("/join", code=text, seat=0).status_code == 303


def test_without_the_code_nobody_joins() -> None:
    """A wrong code, or none, takes no seat and shows no names to tap."""
    pub = open_pub(sit_down())
    for form in ({"code": "AAAA"}, {"code": ""}, {}, {"code": "ÄÖ\x00"}):
        stranger = pub.stranger()
        answer = stranger.post("/join", seat=0, **form)
        assert (answer.status_code, "not the table’s code" in alert(answer)) == (403, True)
        assert 'name="seat"' not in answer.text
        assert "tiki_seat" not in stranger.cookies
        timed_codes(pub)
    assert not any(map(pub.keys.is_taken, range(3)))
    assert pub.stranger().get("/join?code=AAAA").status_code == 403


def test_two_phones_cannot_take_one_seat() -> None:
    """The second is told so, and picks another name."""
    pub = open_pub(sit_down())
    code = code_of(pub)
    first, second = pub.stranger(), pub.stranger()
    assert first.post("/join", code=code, seat=0).status_code == 303
    late = second.post("/join", code=code, seat=0)
    assert (late.status_code, "Another phone has already taken" in alert(late)) == (409, True)
    assert first.get("/seat").status_code == 200
    assert form_of(late, "/join").choices["seat"] == ["1", "2"]
    assert second.post("/join", code=code, seat=1).status_code == 303


def test_who_tapped_the_wrong_name_taps_another() -> None:
    """The first seat is free again, for whoever it belongs to."""
    pub = open_pub(sit_down())
    code, phone = code_of(pub), pub.stranger()
    phone.post("/join", code=code, seat=0)
    cookie = phone.cookies["tiki_seat"]
    assert phone.post("/join", seat=2).status_code == 303
    assert [pub.keys.is_taken(seat) for seat in range(3)] == [False, False, True]
    assert pub.keys.seat(cookie) is None
    assert pub.stranger().post("/join", code=code, seat=0).status_code == 303


@pytest.mark.parametrize("seat", ["3", "-1", "x", "", "1" * 5000, "²"])
def test_a_seat_that_is_not_there_is_refused(seat: str) -> None:
    """In a sentence, with the names to choose from."""
    pub = open_pub(sit_down())
    answer = pub.stranger().post("/join", code=code_of(pub), seat=seat)
    assert answer.status_code == 400
    assert alert(answer).endswith(".")


def test_the_code_ends_when_all_sit() -> None:
    """It opens nothing afterwards, and no page has it."""
    pub = open_pub(sit_down())
    code = code_of(pub)
    for seat in range(3):
        assert pub.stranger().post("/join", code=code, seat=seat).status_code == 303
    assert not pub.keys.code
    late = pub.stranger().get(f"/join?code={code}")
    assert (late.status_code, "You cannot join with a code" in alert(late)) == (403, True)
    assert not sees(pub.host(), code)
    pub.host().post("/invite", seat=0)
    assert pub.stranger().post("/join", code=code, seat=0).status_code == 403


def test_the_code_ends_with_the_first_move() -> None:
    """Also if that is taken back; what only sets the table up is no move."""
    pub = open_pub(sit("topple", "roll 3"))
    host, code = pub.host(), code_of(pub)
    pub.live_session.referee.enter(pub.live_session.referee.offers()[0])
    pub.live_session.changed()
    assert not pub.keys.code
    assert "Join with your phone" not in host.get("/").text
    pub.live_session.referee.undo()
    pub.live_session.changed()
    assert pub.stranger().post("/join", code=code, seat=0).status_code == 403


def test_the_host_ends_and_opens_joining() -> None:
    """Another code each time, in the middle of a game too; an old page's tap changes nothing."""
    pub = open_pub(sit_down())
    host, code = pub.host(), code_of(pub)
    fields = form_of(host.get("/desk"), "/joining").fields
    assert host.post("/joining", **fields, open="0").status_code == 303
    assert not pub.keys.code
    assert pub.stranger().post("/join", code=code, seat=0).status_code == 403
    pub.live_session.referee.enter("up1 lokahi")
    pub.live_session.changed()
    assert host.post("/joining", code="", open="1").status_code == 303
    late = code_of(pub)
    assert late != code
    assert host.post("/joining", code=code, open="1").status_code == 409
    assert pub.stranger().post("/join", code=late, seat=0).status_code == 303
    pub.live_session.referee.enter("up1 nani")
    pub.live_session.changed()
    assert pub.keys.code == late  # until all sit, or the host ends it


def test_guesses_are_slow_and_few() -> None:
    """Beyond the limit a code is not even compared, and too many wrong ones end it."""
    pub = open_pub(sit_down())
    clock, code, stranger = timed_codes(pub), code_of(pub), pub.stranger()
    for _ in range(CODES_PER_SOURCE.burst):
        assert stranger.post("/join", code="AAAA", seat=0).status_code == 403
    held_up = stranger.post("/join", code=code, seat=0)
    assert (held_up.status_code, held_up.headers["retry-after"]) == (429, "10")
    assert "Try again in 10 seconds" in alert(held_up)
    assert stranger.get(f"/join?code={code}").status_code == 429
    for _ in range(MAX_WRONG_CODES - CODES_PER_SOURCE.burst):
        assert pub.keys.code
        clock.now_s += 10
        stranger.post("/join", code="AAAA", seat=0)
    assert not pub.keys.code
    assert not any(map(pub.keys.is_taken, range(3)))
    host = pub.host()
    assert "Let phones join with a code" in host.get("/desk").text
    assert pub.player(0).get("/seat").status_code == 200  # a link of its own goes on
    clock.now_s += 10
    assert host.post("/joining", code="", open="1").status_code == 303
    assert pub.stranger().post("/join", code=code_of(pub), seat=1).status_code == 303


def test_guesses_at_the_code_keep_nobody_from_the_desk() -> None:
    """They are counted apart from those at keys and links."""
    pub = open_pub(sit_down())
    timed_codes(pub)
    for _ in range(CODES_PER_SOURCE.burst + 1):
        answer = pub.stranger().post("/join", code="AAAA", seat=0)
    assert answer.status_code == 429
    assert pub.stranger().get("/?key=wrong").status_code == 403
    assert pub.host().get("/desk").status_code == 200
    assert pub.host().post("/join", seat=0).status_code == 303  # who is in the room needs none


def test_a_full_disk_takes_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """The phone is told so, and tries again."""
    pub = open_pub(sit_down())
    code = code_of(pub)
    with monkeypatch.context() as patch:
        patch.setattr(Keys, "_keep", refuse)
        answer = pub.stranger().post("/join", code=code, seat=0)
    assert (answer.status_code, "could not be saved" in alert(answer)) == (503, True)
    assert pub.stranger().post("/join", code=code, seat=0).status_code == 303


def test_a_screen_is_let_in_by_the_letters_it_shows() -> None:
    """It asks, the host taps its letters, and it shows the code; another browser's do not help."""
    pub = open_pub(sit_down())
    host, screen, stranger = pub.host(), pub.stranger(), pub.stranger()
    for each in (stranger, screen):
        assert each.post("/screen").status_code == 303
        assert each.post("/screen").status_code == 303  # asked twice, the letters stay
    mine, other = (pub.app.state.site.screens.signs[at] for at in (0, 1))
    assert (mine in screen.get("/").text, mine in stranger.get("/").text) == (True, False)
    desk = host.get("/desk").text
    assert f"The letters on it are {mine}." in desk
    assert f"The letters on it are {other}." in desk
    assert not sees(screen, code_of(pub))
    assert host.post("/screens", sign=mine).status_code == 303
    assert sees(screen, code_of(pub))
    assert not sees(stranger, code_of(pub))
    assert host.post("/screens", sign="none").status_code == 303
    assert host.post("/screens", sign=other).status_code == 409
    assert host.post("/forget-screens").status_code == 303
    assert not sees(screen, code_of(pub))


def test_only_so_many_screens_are_remembered() -> None:
    """Whoever asks without end fills no memory."""
    pub = open_pub(sit_down())
    for _ in range(30):
        asked = pub.stranger().post("/screen")
        pub.app.state.site.screens.asked = WrongKeys()
    assert asked.status_code == 303
    for _ in range(11):
        asked = pub.stranger().post("/screen")
    assert (asked.status_code, "Too many tries" in alert(asked)) == (429, True)
    signs = pub.app.state.site.screens.signs
    assert len(signs) == len(set(signs)) == 6
    for _ in range(12):
        pub.keys.add_screen(pub.app.state.site.screens.ask())
    assert pub.keys.screens == 8


def own_pub(*, has_own_screen: bool = True, is_set_up: bool = False) -> Pub:
    """Return pages of a companion that may have a screen of its own."""
    live_session, keys, outputs = sit_down(), Keys(), OutputDevices()
    table = RunningTable(
        live_session,
        keys,
        outputs,
        reach=Reach(configured="http://192.168.1.7:8000"),
        memory=TableMemory(is_set_up=is_set_up),
        has_own_screen=has_own_screen,
    )
    return Pub(live_session, create_app(table), keys, outputs)


def asked(pub: Pub, peer: str, host: str, **headers: str) -> httpx.Response:
    """Return the scoreboard as a browser at *peer* gets it that has typed *host*."""
    names = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    site = pub.app.state.site
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"", "scheme": "http",
        "root_path": "", "server": ("127.0.0.1", 8000), "client": (peer, 4711),
        "headers": [(name.encode(), value.encode()) for name, value in names.items()],
    }  # fmt: skip
    regions = board_regions(site, site.visitor(HTTPConnection(scope)))
    return httpx.Response(200, text="\n".join(regions.values()))


HERE = ("127.0.0.1", "localhost:8000")


def test_the_own_screen_shows_how_to_become_the_host() -> None:
    """Until somebody is; then it is a screen of the table like others."""
    pub = own_pub()
    assert 'id="host-code"' in asked(pub, *HERE).text
    assert 'id="host-code"' in asked(pub, "::1", "[::1]:8000").text
    answer = pub.stranger().get(f"/?key={pub.keys.host}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/welcome")
    assert 'id="host-code"' not in asked(pub, *HERE).text
    assert pub.keys.has_host


@pytest.mark.parametrize(
    ("peer", "host", "headers"),
    [
        ("192.168.1.20", "localhost:8000", {}),
        ("192.168.1.20", "192.168.1.7:8000", {}),
        ("127.0.0.1", "192.168.1.7:8000", {}),
        ("127.0.0.1", "tiki.example.org", {}),
        ("127.0.0.1", "localhost.example.org", {}),
        ("127.0.0.1", "localhost:8000", {"x_forwarded_for": "10.0.0.1"}),
        ("127.0.0.1", "localhost:8000", {"via": "1.1 proxy"}),
        ("127.0.0.1", "localhost:8000", {"forwarded": "for=10.0.0.1"}),
        ("127.0.0.1", "localhost:8000", {"x_real_ip": "10.0.0.1"}),
    ],
)
def test_no_other_browser_passes_for_the_own_screen(
    peer: str, host: str, headers: dict[str, str]
) -> None:
    """Neither on the network, nor by another name, nor by a proxy on the companion's machine."""
    pub, ready = own_pub(), own_pub(is_set_up=True)
    for page in (asked(pub, peer, host, **headers), asked(ready, peer, host, **headers)):
        assert '<svg class="qr"' not in page.text.replace("'", '"')
        assert 'id="host-code"' not in page.text
        assert 'id="join-code"' not in page.text
        assert pub.keys.host not in page.text
    assert "where the companion was started" in asked(pub, peer, host, **headers).text
    assert 'id="join-code"' in asked(ready, *HERE).text


def test_behind_a_proxy_there_is_no_own_screen() -> None:
    """There everybody seems to ask from the companion's machine."""
    assert 'id="host-code"' not in asked(own_pub(has_own_screen=False), *HERE).text


def test_a_resumed_game_waits_for_phones_until_the_next_move() -> None:
    """Its moves of before end nothing; the television shows the table with the code beside it."""
    pub = open_pub(sit("topple", "roll 2", "place 21 pink", seats=2))
    host = pub.host()
    host.post("/put-away", session=pub.live_session.session.number)
    host.post("/resume", current=pub.live_session.session.number, session=1)
    code = code_of(pub)
    page = host.get("/").text
    assert f">{code}</b>" in page
    assert 'class="panel lobby-joining"' in page
    pub.live_session.referee.enter("roll 3")
    pub.live_session.changed()
    assert pub.keys.code == code
    pub.live_session.referee.enter(pub.live_session.referee.offers()[0])
    pub.live_session.changed()
    assert not pub.keys.code
