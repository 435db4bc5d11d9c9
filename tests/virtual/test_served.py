"""A served virtual table: who may come by its socket, and what the eyes get of it."""

import gzip
import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from companion.apps.virtual import pages
from tests.virtual.playing import POSTED_S, PlayedPage, Playing, playing, recorded, until


def learned(page: PlayedPage) -> None:
    """Wait until the eyes have learned the table that *page* shows by its pictures."""
    until(
        lambda: any("have learned" in each["words"] for each in page.heard("status")),
        f"learning ({[each['words'] for each in page.heard('status')]})",
    )


def test_moves_are_judged_by_pictures_and_by_nothing_else(tmp_path: Path) -> None:
    """The eyes learn the start by the page's pictures; then a picture of a move is a move.

    Before it, the whole world is turned over, and the pictures stay the same: nothing is heard.
    """
    with playing(tmp_path, "tactiki") as table:
        page = table.open(table.host_cookie(), draws=True, jpeg=recorded("tactiki", 1))
        learned(page)
        scene = page.heard("scene")[-1]
        assert scene["game"] == "tactiki"
        before = table.acts()
        page.say("cheat", **{"is": True})
        figures = [piece["id"] for piece in scene["pieces"] if piece["kind"] in ("figure", "tile")]
        for at, number in enumerate(figures):
            page.say("take", piece=number)
            page.say("put", x=40.0 * (at % 9), y=60.0 + 50 * (at // 9))
        until(lambda: page.pieces[figures[-1]]["x"] == 40.0 * ((len(figures) - 1) % 9))
        sent = page.sent
        until(lambda: page.sent > sent + 20)  # some seconds of pictures
        assert table.acts() == before
        page.jpeg = recorded("tactiki", 3)
        until(lambda: any("move 42 41" in act for act in table.acts()), "the move")


@pytest.mark.parametrize(
    ("game", "act", "fact"),
    [("uno_tiki", "spin", "SpinObserved"), ("topple", "fall", "")],
)
def test_of_a_world_that_no_picture_shows_the_referee_hears_sensors_alone(
    game: str, act: str, fact: str, tmp_path: Path
) -> None:
    """Whatever moves: the log gets a spin, and the tower's fall is asked about, no more."""
    with playing(tmp_path, game) as table:
        heard: list[str] = []
        table.do(lambda: table.daemon.sensor_adapter.on_fall.add(lambda: heard.append("fall")))
        facts: list[Any] = []
        handle = table.daemon.sensor_adapter.handle

        def note(heard_fact: Any) -> None:
            facts.append(heard_fact)
            handle(heard_fact)

        table.do(lambda: setattr(table.daemon.sensor_adapter, "handle", note))
        page = table.open(table.host_cookie())
        before = table.acts()
        moved = 0
        for piece in sorted(page.pieces.values(), key=lambda each: -each["z"]):
            if piece["kind"] in ("disc", "card") and moved < 30:
                page.say("take", piece=piece["id"])
                page.say("put", x=-150.0 + 2 * moved, y=120.0 + 3 * moved)
                page.say("flip", piece=piece["id"])
                moved += 1
        page.say("draw", x=330, y=40)
        page.say("lay", what="start")
        page.wait("scene", 2)
        assert table.acts() == before
        page.say(act)
        told = page.wait({"spin": "spun", "fall": "fell"}[act])
        until(lambda: [each for each in facts if type(each).__name__ in ("Spun", "TowerMoved")])
        sensed = [each for each in facts if type(each).__name__ != "Troubled"]
        assert len(sensed) == 1
        if act == "spin":
            assert (sensed[0].angle_deg, sensed[0].turns) == (told["angle"], told["turns"])
            until(lambda: page.heard("pieces"))
            assert page.heard("pieces")[-1]["idol"]["angle"] == told["angle"]
        else:
            assert (sensed[0].state, heard) == ("topple", ["fall"])
        new = table.acts()[len(before) :]
        assert all(fact and fact in each for each in new if "PictureJudged" not in each), new


@pytest.mark.parametrize("origin", ["", "http://evil.example", "https://127.0.0.1:9", "null"])
def test_a_socket_of_another_site_is_refused(origin: str, tmp_path: Path) -> None:
    """Its browser would send the host's cookie along; a name is wanted, and it must be ours."""
    with playing(tmp_path, "topple") as table:
        with pytest.raises(InvalidStatus) as refused:
            table.socket(table.host_cookie(), origin=origin)
        assert refused.value.response.status_code == 403
        assert b"another website" in bytes(refused.value.response.body or b"")


def test_hosts_and_seats_move_things_and_others_watch(tmp_path: Path) -> None:
    """Only a host lays tables, changes the room and cheats."""
    with playing(tmp_path, "topple") as table:
        host = table.open(table.host_cookie())
        seat = table.open(table.seat_cookie(1))
        watcher = table.open()
        you = [page.heard("scene")[-1]["you"] for page in (host, seat, watcher)]
        assert [each["seat"] for each in you] == [0, 1, None]
        assert [each["host"] for each in you] == [True, False, False]
        disc = host.first("disc", look="green")
        for page, words in ((seat, ""), (watcher, "watching")):
            page.say("take", piece=disc["id"])
            if words:
                assert words in page.wait("refused")["words"]
            else:
                until(lambda: watcher.pieces[disc["id"]]["held"] == 1)
        seat.say("put", x=180, y=180)
        until(lambda: host.pieces[disc["id"]]["rides"] == "board")
        for do, more in (
            ("lay", {"what": "start"}),
            ("room", {"light": 2}),
            ("cheat", {"is": True}),
        ):
            seat.say(do, **more)
        seat.wait("refused", 3)
        host.say("room", light=2.0, ground="cloth")
        assert watcher.wait("room")["room"]["light"] == 2.0
        host.say("room", light=99)
        assert "The room cannot be like that" in host.wait("refused")["words"]


def test_a_seat_sees_its_own_cards_and_no_others(tmp_path: Path) -> None:
    """Neither does the host, who plays for the seat that is free."""
    with playing(tmp_path, "uno_tiki") as table:
        cookie = table.seat_cookie(1)
        host, seat, watcher = table.open(table.host_cookie()), table.open(cookie), table.open()
        for page, own in ((host, 0), (seat, 1), (watcher, None)):
            cards = [piece for piece in page.pieces.values() if piece["of"] is not None]
            assert len(cards) == 14
            assert all((piece["look"] is not None) == (piece["of"] == own) for piece in cards)
            lying = [p for p in page.pieces.values() if p["kind"] == "card" and p["of"] is None]
            assert sum(piece["look"] is not None for piece in lying) == 1
        host.say("draw", x=330, y=40)
        until(lambda: len([p for p in seat.pieces.values() if p["of"] == 0]) == 8)
        assert not [p for p in seat.pieces.values() if p["of"] == 0 and p["look"]]
        assert len([p for p in host.pieces.values() if p["of"] == 0 and p["look"]]) == 8
        host.say("seat", seat=1)
        assert "taken" in host.wait("refused")["words"]


def test_a_host_plays_for_each_free_seat_in_turn(tmp_path: Path) -> None:
    """Alone at the table; once a phone has taken one, that hand is the phone's."""
    with playing(tmp_path, "uno_tiki") as table:
        host = table.open(table.host_cookie())
        host.say("seat", seat=1)
        until(lambda: host.heard("scene")[-1]["you"]["seat"] == 1)
        assert all(p["look"] for p in host.pieces.values() if p["of"] == 1)
        table.open(table.seat_cookie(1))
        until(lambda: host.heard("scene")[-1]["you"]["seat"] == 0)
        assert not [p for p in host.pieces.values() if p["of"] == 1 and p["look"]]


def test_what_is_held_falls_where_it_was_when_its_page_is_closed(tmp_path: Path) -> None:
    """In mid-drag, however the browser went; the other page sees it lie."""
    with playing(tmp_path, "topple") as table:
        host, other = table.open(table.host_cookie()), table.open(table.seat_cookie(1))
        disc = host.first("disc", look="green")
        other.say("take", piece=disc["id"])
        other.say("point", x=20.0, y=300.0, z=90.0)
        until(lambda: host.pieces[disc["id"]]["held"] == 1)
        until(lambda: any(h["seat"] == 1 for told in host.heard("hands") for h in told["hands"]))
        other.socket.socket.close()  # without a word
        until(lambda: host.pieces[disc["id"]]["held"] is None)
        lying = host.pieces[disc["id"]]
        assert (lying["x"], lying["y"], lying["z"]) == (20.0, 300.0, 0.0)
        until(lambda: all(hand["seat"] != 1 for hand in host.heard("hands")[-1]["hands"]))


def test_of_two_hosts_one_draws_and_the_other_takes_over(tmp_path: Path) -> None:
    """When the first goes to the background, or is closed; then why none comes is named."""
    with playing(tmp_path, "tactiki") as table:
        jpeg, cookie = recorded("tactiki", 1), table.host_cookie()
        watcher = table.open(draws=True, jpeg=jpeg)
        first = table.open(cookie, draws=True, jpeg=jpeg)
        until(lambda: first.sent > 2)
        second = table.open(cookie, draws=True, jpeg=jpeg)
        assert len({page.heard("scene")[-1]["you"]["hand"] for page in (first, second)}) == 2
        time.sleep(POSTED_S)
        assert (second.sent, watcher.sent) == (0, 0)
        first.say("visible", **{"is": False})
        assert first.wait("eye", 2)["yours"] is False
        until(lambda: second.sent > 2)
        second.socket.socket.close()
        until(lambda: any("in the background" in each for each in table.troubles))
        first.say("visible", **{"is": True})
        until(lambda: not table.troubles)
        first.socket.close()
        until(lambda: any("was closed" in each for each in table.troubles))
        assert watcher.sent == 0
        again = table.open(cookie, draws=True, jpeg=jpeg)
        until(lambda: again.sent > 2 and not table.troubles)


def test_a_page_that_sends_no_pictures_is_named_within_seconds(tmp_path: Path) -> None:
    """It is asked once, and goes on being asked nothing more."""
    with playing(tmp_path, "tactiki") as table:
        page = table.open(table.host_cookie(), draws=True)
        until(lambda: any("sends no pictures" in each for each in table.troubles))
        assert len(page.heard("next")) == 1


def test_what_is_no_picture_is_refused_and_the_next_one_asked_for(tmp_path: Path) -> None:
    """In one sentence; so is one that nobody asked for."""
    with playing(tmp_path, "tactiki") as table:
        page = table.open(table.host_cookie(), draws=True, jpeg=b"\xff\xd8 no picture")
        assert "no whole JPEG" in page.wait("refused")["words"]
        until(lambda: any("no whole JPEG" in each for each in table.troubles))
        page.jpeg = recorded("tactiki", 1)
        until(lambda: not table.troubles)
        watcher = table.open()
        watcher.socket.send(recorded("tactiki", 1))
        assert "not asked" in watcher.wait("refused")["words"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"do":"fly"}', '{"do":"take"}', '{"do":"take","piece":"7"}',
     '{"do":"point","x":1e999,"y":0}', '{"do":"put","x":NaN,"y":0}', "[" * 3_000, "x" * 5_000,
     '{"do":"take","piece":999999999}', '{"do":"lay","what":"start","game":"chess"}',
     '{"do":"room","lamp":1}', '{"do":"peek","piece":-1}', '{"do":"seat","seat":9}'],
)  # fmt: skip
def test_what_is_not_understood_is_refused_in_a_sentence(text: str, at_table: Playing) -> None:
    """And the page goes on."""
    page = at_table.pages[0]
    before = len(page.heard("refused"))
    page.socket.send(text)
    until(lambda: len(page.heard("refused")) > before)
    words = page.heard("refused")[-1]["words"]
    assert len(words) < 250
    assert "\n" not in words
    assert not page.closed


@pytest.fixture(scope="module")
def at_table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Serve a table with one host's page that does not draw."""
    with playing(tmp_path_factory.mktemp("table"), "topple") as table:
        table.open(table.host_cookie())
        yield table


def test_a_message_that_is_too_long_ends_its_socket_and_no_other(at_table: Playing) -> None:
    """A page sends pictures of at most 2 MB."""
    socket = at_table.socket()
    with suppress(ConnectionClosed):  # it may end before all of it is out
        socket.send(b"x" * 3_000_000)
    with pytest.raises(ConnectionClosed):
        list(map(str, iter(socket.recv, None)))
    assert not at_table.pages[0].closed


def test_who_says_too_much_is_read_more_slowly_and_keeps_nobody_waiting(at_table: Playing) -> None:
    """A flood takes its time, as it would by a page that behaves."""
    flood = at_table.socket()
    for _ in range(400):
        flood.send(json.dumps({"do": "away"}))
    began_s = time.monotonic()
    page = at_table.pages[0]
    before = len(page.heard("hands"))
    page.say("point", x=1, y=1)
    until(lambda: len(page.heard("hands")) > before)
    assert time.monotonic() - began_s < 20.0
    flood.close()


def test_a_socket_ends_with_the_key_that_opened_it(tmp_path: Path) -> None:
    """A seat that was given a new link, and so can what it held."""
    with playing(tmp_path, "topple") as table:
        host, seat = table.open(table.host_cookie()), table.open(table.seat_cookie(1))
        disc = host.first("disc", look="green")
        seat.say("take", piece=disc["id"])
        until(lambda: host.pieces[disc["id"]]["held"] == 1)

        def revoke() -> None:
            table.daemon.keys.invite_anew(1)
            table.daemon.live_session.changed()

        table.do(revoke)
        until(lambda: seat.closed)
        assert seat.closed.startswith("4403")
        until(lambda: host.pieces[disc["id"]]["held"] is None)
        assert not host.closed


def test_sockets_end_when_the_companion_stops(tmp_path: Path) -> None:
    """And keep it from nothing."""
    with playing(tmp_path, "topple") as table:
        page = table.open(table.host_cookie())
        began_s = time.monotonic()
        table.daemon.stop()
        until(lambda: page.closed)
        assert page.closed.startswith("1001")
    assert time.monotonic() - began_s < 30.0


def test_another_game_is_laid_with_its_tiles_and_chosen_on_the_pages(tmp_path: Path) -> None:
    """The table follows the game that the host begins; a host may lay another's, too."""
    with playing(tmp_path, "topple") as table:
        host = table.open(table.host_cookie())
        assert {p["look"] for p in host.pieces.values() if p["kind"] == "tile"} == {8, 9, 10, 11}
        site = table.daemon.app.state.site
        table.do(lambda: table.daemon._switch_to("uno_tiki"))
        until(lambda: host.heard("scene")[-1]["game"] == "uno_tiki")
        assert site.live_session.header.game == "uno_tiki"
        host.say("lay", what="start", game="tactiki")
        until(lambda: host.heard("scene")[-1]["game"] == "tactiki")
        assert {p["look"] for p in host.pieces.values() if p["kind"] == "tile"} == {4, 5, 6, 7}


def test_tiles_on_the_virtual_table_choose_the_game_by_pictures(tmp_path: Path) -> None:
    """As everywhere: what begins the other game is that its tiles are seen."""
    with playing(tmp_path, "topple") as table:
        page = table.open(table.host_cookie(), draws=True, jpeg=recorded("tactiki", 1))
        until(lambda: page.heard("scene")[-1]["game"] == "tactiki", "the other game's table")
        assert table.daemon.live_session.header.game == "tactiki"


def loaded_with(table: Playing, cookie: str) -> dict[str, httpx.Response]:
    """Return the answers to all that the page loads, as a browser asks for it."""
    headers = {"Cookie": cookie, "Accept-Encoding": "gzip"}
    page = httpx.get(f"{table.url}/virtual", headers=headers)
    assert page.status_code == 200
    found, open_ = {"/virtual": page}, set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text))
    while open_:
        path = open_.pop()
        answer = found[path] = httpx.get(f"{table.url}{path}", headers=headers)
        assert answer.status_code == 200, path
        if path.endswith(".js"):
            names = re.findall(r'(?:from|import)\s*\(?"(\.{1,2}/[^"]+)"', answer.text)
            named = {str(httpx.URL(f"{table.url}{path}").join(name).path) for name in names}
            open_ |= named - set(found)
    return found


def test_the_page_is_light_and_a_second_load_costs_nothing(tmp_path: Path) -> None:
    """Under 1 MB on the wire with all that it loads, packed; then 304 by its tag."""
    with playing(tmp_path, "topple") as table:
        cookie = table.host_cookie()
        found = loaded_with(table, cookie)
        wire = sum(
            int(answer.headers["content-length"])
            for path, answer in found.items()
            if "content-length" in answer.headers
        )
        unsized = [answer for answer in found.values() if "content-length" not in answer.headers]
        wire += sum(len(gzip.compress(answer.content, 9)) for answer in unsized)
        assert wire < 1_000_000
        for path, answer in found.items():
            if path.startswith("/static/virtual/"):
                again = httpx.get(
                    f"{table.url}{path}",
                    headers={"Accept-Encoding": "gzip", "If-None-Match": answer.headers["etag"]},
                )
                assert again.status_code == 304
                assert not again.content


def test_static_files_of_the_app_are_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever they are; what is tagged and packed is the same for the next who asks."""
    del monkeypatch
    names = sorted(path.name for path in pages.STATIC.glob("*.js"))
    if not names:
        pytest.skip("the page has no scripts yet")
    with playing(tmp_path, "topple") as table:
        answer = httpx.get(
            f"{table.url}/static/virtual/{names[0]}", headers={"Accept-Encoding": "gzip"}
        )
        assert answer.headers["content-encoding"] == "gzip" or len(answer.content) < 500
        assert answer.headers["etag"]
