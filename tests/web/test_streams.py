"""Streams: what is pushed, to whom, from where, and that they end when they must."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.web.http.keys import Keys
from tests.tables import see, see_hand, sit_down
from tests.web.serving import DEADLINE_S, Served, served

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])


class Event(NamedTuple):
    """One server-sent event."""

    id: str | None
    name: str
    data: Any


def events_of(answer: httpx.Response) -> Iterator[Event]:
    """Yield the events of an open stream."""
    fields: dict[str, str] = {}
    for line in answer.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            data = json.loads(fields["data"]) if fields.get("data") else None
            yield Event(fields.get("id"), fields.get("event", "message"), data)
            fields = {}


@contextmanager
def followed(
    house: Served, path: str, cookies: dict[str, str] | None = None, last: str | None = None
) -> Iterator[Iterator[Event]]:
    """Follow the stream at *path*, after the item number *last* if it is given."""
    headers = {} if last is None else {b"last-event-id": last.encode()}
    with (
        httpx.Client(base_url=house.url, timeout=DEADLINE_S, cookies=cookies) as client,
        client.stream("GET", path, headers=headers) as answer,
    ):
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events_of(answer)


def show_move(live_session: LiveSession) -> None:
    """Let the camera see one move."""
    live_session.observe(see("1", LOKAHI_UP))


def test_the_event_stream_begins_with_the_state_and_goes_on_with_what_happens() -> None:
    """A program that joins late knows how things stand, then hears each item with its id."""
    with served(lambda: sit_down(secrets=("card 0 nani huhu nui", None, None))) as house:
        with followed(house, "/api/events") as events:
            first = next(events)
            assert (first.data["type"], first.data["turn"]) == ("state", 0)
            assert first.id == first.data["id"]
            house.do(lambda live_session: live_session.observe(see_hand("1")))
            house.do(show_move)
            hand, move = next(events), next(events)
        assert (hand.data["type"], hand.data["reason"]) == ("waiting", "hand")
        assert move.data["action"] == "up1 lokahi"
        assert len({first.id, hand.id, move.id}) == 3


def test_who_comes_back_is_told_what_was_missed() -> None:
    """Last-Event-ID is honoured: no item twice, none left out."""
    with served(sit_down) as house:
        with followed(house, "/api/events") as events:
            next(events)
            house.do(lambda live_session: live_session.observe(see_hand("1")))
            hand = next(events)
        house.do(show_move)
        with followed(house, "/api/events", last=hand.id) as events:
            state, move = next(events), next(events)
        assert (state.id, state.data["type"]) == (None, "state")
        assert (move.id, move.data["type"]) == (state.data["id"], "move")


def test_a_new_reader_hands_on_the_last_id_in_the_address() -> None:
    """As a new EventSource must: quoted or not; but a header, being newer, counts."""
    with served(sit_down) as house:
        with followed(house, "/api/events") as events:
            next(events)
            house.do(lambda live_session: live_session.observe(see_hand("1")))
            hand = next(events)
        house.do(show_move)
        assert hand.id
        assert "+" in hand.id
        for named in (quote(hand.id, safe=""), hand.id):
            with followed(house, f"/api/v1/events?last_event_id={named}") as events:
                state, move = next(events), next(events)
            assert (state.id, move.data["type"]) == (None, "move")
        with followed(house, "/api/events?last_event_id=0", last=move.id) as events:
            assert next(events).data["type"] == "state"
            house.do(lambda live_session: live_session.observe(see_hand("2")))
            assert next(events).data["type"] == "waiting"


@pytest.mark.parametrize("last", ["99", "x", "-1", "9" * 5000, "²", "1.1.000000", "1.9.abcdef"])
def test_an_id_that_was_never_told_starts_anew(last: str) -> None:
    """With nonsense, or the id of another log, the stream begins with the state as for anybody."""
    with served(sit_down) as house:
        house.do(show_move)
        with followed(house, "/api/events", last=last) as events:
            first = next(events)
        assert first.data["type"] == "state"
        assert first.id == first.data["id"]


def test_a_page_is_sent_only_what_has_changed() -> None:
    """At first every piece, then the changed ones."""
    with served(sit_down) as house:
        with followed(house, "/live?page=board") as events:
            whole = next(events)
            assert (whole.name, "table" in whole.data, "scores" in whole.data) == (
                "regions",
                True,
                True,
            )
            house.do(lambda live_session: live_session.observe(see_hand("1")))
            assert set(next(events).data) == {"turn"}
            house.do(show_move)
            changed = next(events).data
        assert {"turn", "table", "scores", "history"} <= set(changed)
        assert "masthead" not in changed


def test_a_quiet_stream_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page tells a quiet table from a lost connection by a beat, which comes with some data."""
    monkeypatch.setattr("companion.web.http.streams.BEAT_S", 0.1)
    with served(sit_down) as house, followed(house, "/live?page=board") as events:
        next(events)
        assert next(events) == Event(None, "beat", {})
        assert next(events).name == "beat"


def test_a_stream_of_a_lost_seat_falls_silent() -> None:
    """When a seat gets a new link, the old phone's open page shows nothing of it any more."""
    with served(sit_down) as house:
        link = house.do(lambda _: house.pub.keys.invitation(0))
        with httpx.Client(base_url=house.url) as phone:
            phone.post(f"/join/{link}")
            phone.post(
                "/seat", data={"top9": "nani", "middle5": "huhu", "bottom2": "nui", "round": "1"}
            )
            cookies = dict(phone.cookies)
        with followed(house, "/live?page=seat", cookies) as events:
            assert 'data-own="nani"' in next(events).data["seat"]["html"]

            def invite(live_session: LiveSession) -> None:
                house.pub.keys.invite_anew(0)
                live_session.changed()

            house.do(invite)
            after = next(events).data["seat"]["html"]
        assert "not taken a seat" in after
        assert "nani" not in after


@pytest.mark.parametrize("page", ["desk", "seat"])
def test_a_stream_ends_with_what_opened_it(page: str) -> None:
    """Another key of the host, and another game: old pages show nothing of desk and seat."""
    with served(sit_down) as house:
        link = house.do(lambda _: house.pub.keys.invitation(0))
        with httpx.Client(base_url=house.url) as browser:
            browser.get(house.host_url)
            browser.post(f"/join/{link}")
            cookies = dict(browser.cookies)

        def put_out(live_session: LiveSession) -> None:
            site = house.pub.app.state.site
            site.keys = Keys("another-key-of-the-host")
            site.keys.open_seats(live_session.session.number, 3)
            live_session.changed()

        def renew(live_session: LiveSession) -> None:
            live_session.renew(live_session.header, "another game")

        with followed(house, f"/live?page={page}", cookies) as events:
            first = next(events).data
            assert any(piece["html"].strip() for piece in first.values())
            house.do(renew if page == "seat" else put_out)
            last = {**first, **next(events).data}
        shown = {name for name, piece in last.items() if piece["html"].strip()}
        assert shown == ({"seat"} if page == "seat" else set())
        assert page != "seat" or "not taken a seat" in last["seat"]["html"]


def test_open_streams_do_not_keep_the_server_from_stopping() -> None:
    """Closing the site ends them all, and the server stops."""
    with (
        served(sit_down) as house,
        followed(house, "/live?page=board") as page,
        followed(house, "/api/events") as events,
    ):
        next(page)
        next(events)
        house.loop.call_soon_threadsafe(house.pub.app.state.site.close)
        assert list(events) == []
        assert list(page) == []


def test_a_server_that_cannot_stop_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check at the end of a served test fails while a stream is still open."""
    monkeypatch.setattr("companion.web.site.Site.close", lambda _: None)
    monkeypatch.setattr("sse_starlette.sse.AppStatus.enable_automatic_graceful_drain", False)
    clients: list[httpx.Client] = []

    def leave_a_stream_open() -> None:
        with served(sit_down) as house:
            monkeypatch.setattr("tests.web.serving.DEADLINE_S", 0.5)
            client = httpx.Client(timeout=DEADLINE_S)
            clients.append(client)
            request = client.build_request("GET", f"{house.url}api/events")
            events = events_of(client.send(request, stream=True))
            next(events)

    with pytest.raises(AssertionError, match="keeps the server"):
        leave_a_stream_open()
    clients[0].close()
    for each in threading.enumerate():
        if each.name == "served":
            each.join()
