"""Admission: wrong keys are slowed down, right ones are not."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx
import pytest

from companion.web.admission import NOT_HOST
from companion.web.app import create_app
from companion.web.http.attempts import MAX_SOURCES, PER_SOURCE, TOTAL, WrongKeys
from companion.web.http.keys import KEY_CHARS, Keys
from companion.web.running_table import RunningTable
from hardware.output_devices import OutputDevices
from tests.tables import sit_down
from tests.web.standing_clock import Clock, refuse
from tests.web.visitors import HOST_KEY, Pub, Visitor, alert, open_pub


def timed(pub: Pub) -> Clock:
    """Let a clock count the wrong keys at *pub*, and return it."""
    clock = Clock()
    pub.app.state.site.wrong_keys = WrongKeys(clock=clock)
    return clock


def with_made_key() -> Pub:
    """Return pages whose host's key was made by the companion."""
    live_session, keys, outputs = sit_down(), Keys(), OutputDevices()
    return Pub(live_session, create_app(RunningTable(live_session, keys, outputs)), keys, outputs)


def try_host_key(visitor: Visitor) -> httpx.Response:
    """Try a wrong key in the host's address."""
    return visitor.get("/?key=guess")


def try_bearer(visitor: Visitor) -> httpx.Response:
    """Try a wrong key as a program sends it."""
    return visitor.ask(
        "POST", "/api/tell", {"action": "undo"}, headers={"authorization": "Bearer guess"}
    )


def try_link(visitor: Visitor) -> httpx.Response:
    """Look at a seat's link that there is not."""
    return visitor.get("/join/guess")


def try_joining(visitor: Visitor) -> httpx.Response:
    """Take a seat by a link that there is not."""
    return visitor.post("/join/guess")


TRIES: Final = (try_host_key, try_bearer, try_link, try_joining)


@pytest.mark.parametrize("attempt", TRIES)
def test_after_some_wrong_keys_the_next_has_to_wait(
    attempt: Callable[[Visitor], httpx.Response],
) -> None:
    """In one sentence, and for as long as it says."""
    pub = open_pub(sit_down())
    clock, visitor = timed(pub), pub.stranger()
    for _ in range(PER_SOURCE.burst):
        assert attempt(visitor).status_code in (403, 410)
    refused = attempt(visitor)
    assert refused.status_code == 429
    assert "Too many wrong keys. Try again in 6 seconds." in refused.text
    assert refused.headers["retry-after"] == "6"
    clock.now_s += 6
    assert attempt(visitor).status_code in (403, 410)
    assert attempt(visitor).status_code == 429


def test_a_key_of_the_owners_choice_is_not_compared_beyond_the_limit() -> None:
    """A right guess among too many is not found out."""
    pub = open_pub(sit_down())
    clock, visitor = timed(pub), pub.stranger()
    for _ in range(PER_SOURCE.burst):
        try_host_key(visitor)
    assert visitor.get(f"/?key={HOST_KEY}").status_code == 429
    clock.now_s += PER_SOURCE.every_s
    assert visitor.get(f"/?key={HOST_KEY}").status_code == 303


def test_nobody_with_a_right_key_waits_for_others() -> None:
    """While a stranger guesses without end: the host, the seats, an open link, a program's desk."""
    pub = open_pub(sit_down())
    timed(pub)
    host, ann, stranger = pub.host(), pub.player(0), pub.stranger()
    for attempt in TRIES:
        for _ in range(PER_SOURCE.burst + TOTAL.burst):
            attempt(stranger)
    assert try_host_key(stranger).status_code == 429
    assert host.get("/desk").status_code == 200
    assert host.post("/api/tell", action="up1 lokahi").status_code == 200
    assert ann.get("/seat").status_code == 200
    assert ann.get(f"/?key={HOST_KEY}").status_code == 303
    assert pub.player(1).get("/seat").status_code == 200


def test_a_made_key_lets_in_at_any_time() -> None:
    """It has 128 bits, so that no rate of guessing matters, and nobody is kept out by guesses."""
    pub = with_made_key()
    timed(pub)
    stranger = pub.stranger()
    for _ in range(PER_SOURCE.burst + 1):
        answer = try_host_key(stranger)
    assert answer.status_code == 429
    assert stranger.get(f"/?key={pub.keys.host}").status_code == 303


def test_old_cookies_are_no_guesses() -> None:
    """Phones of the last game send theirs with everything, and are served as bystanders."""
    pub = open_pub(sit_down())
    timed(pub)
    old = Visitor(pub.app, {"tiki_seat": "of-the-last-game", "tiki_host": "of-the-last-key"})
    for _ in range(2 * PER_SOURCE.burst):
        assert old.get("/").status_code == 200
    assert pub.player(0).get("/seat").status_code == 200
    assert try_host_key(old).status_code == 403


def test_a_program_sends_the_key_and_nothing_else_is_a_key() -> None:
    """As a bearer's, for the one address that programs need."""
    pub = open_pub(sit_down())
    stranger = pub.stranger()
    form = {"action": "up1 lokahi"}
    for word in ("Bearer", "bearer"):
        answer = stranger.ask(
            "POST", "/api/tell", form, headers={"authorization": f"{word} {HOST_KEY}"}
        )
        assert answer.status_code in (200, 409)
    for given in (f"Basic {HOST_KEY}", HOST_KEY, "Bearer", "Bearer ", f"Bearer {HOST_KEY}x"):
        answer = stranger.ask("POST", "/api/tell", form, headers={"authorization": given})
        assert (answer.status_code, answer.json()["error"]) == (403, NOT_HOST)
    bearer = {"authorization": f"Bearer {HOST_KEY}"}
    assert stranger.ask("GET", "/desk", headers=bearer).status_code == 403


def test_the_limits_add_up() -> None:
    """An address is slow, all together are quicker, a phone at a seat waits for itself alone."""
    clock = Clock(1000.0)
    wrong = WrongKeys(clock=clock)
    tried = 0
    for _ in range(3600):
        while not wrong.wait_s("10.0.0.1"):
            wrong.count("10.0.0.1")
            tried += 1
        clock.now_s += 1
    assert tried == PER_SOURCE.burst + 3599 // PER_SOURCE.every_s
    clock.now_s += 3600
    tried = 0
    for _ in range(600):
        for address in range(30):
            if not wrong.wait_s(f"10.0.1.{address}"):
                wrong.count(f"10.0.1.{address}")
                tried += 1
        clock.now_s += 1
    assert tried == TOTAL.burst + 599 // TOTAL.every_s
    wrong.count("10.0.1.1")
    assert wrong.wait_s("10.0.2.1")
    assert not wrong.wait_s(3)


def test_the_memory_for_addresses_is_bounded() -> None:
    """Who has very many addresses fills no memory, and still meets the limit for all."""
    wrong = WrongKeys(clock=Clock())
    for address in range(3 * MAX_SOURCES):
        wrong.count(str(address))
    assert len(wrong._sources) == MAX_SOURCES
    assert wrong.wait_s("another")


def test_a_full_disk_uses_no_link_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever joins while nothing can be saved is told so, and joins later by the same link."""
    file = tmp_path / "keys.json"
    live_session, keys, outputs = sit_down(), Keys(HOST_KEY, file), OutputDevices()
    pub = Pub(live_session, create_app(RunningTable(live_session, keys, outputs)), keys, outputs)
    host, link, kept = pub.host(), f"/join/{keys.invitation(0)}", file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("companion.web.http.keys.write_whole", refuse)
        for answer in (pub.stranger().post(link), host.post("/invite", seat=0)):
            assert answer.status_code == 503
            assert alert(answer) == "That could not be saved: No space left on device."
    assert file.read_bytes() == kept
    assert link == f"/join/{keys.invitation(0)}"
    assert pub.player(0).get("/seat").status_code == 200


def test_a_new_game_on_a_full_disk_takes_the_seats_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be saved still holds: no phone of the old game sits in the new one."""
    file = tmp_path / "keys.json"
    live_session, keys, outputs = sit_down(), Keys(HOST_KEY, file), OutputDevices()
    pub = Pub(live_session, create_app(RunningTable(live_session, keys, outputs)), keys, outputs)
    host, old = pub.host(), pub.player(0)
    with monkeypatch.context() as patch:
        patch.setattr("companion.web.http.keys.write_whole", refuse)
        live_session.renew(live_session.header, "another game")
        assert old.get("/seat").status_code == 403
        assert host.get("/desk").status_code == 200
        (trouble,) = live_session.troubles
        assert trouble.startswith("the seats' links: they cannot be saved (No space left")
    live_session.changed()
    assert live_session.troubles == ()
    again = Keys(HOST_KEY, file)
    again.open_seats(live_session.session.number, 3)
    assert again.invitation(0) == keys.invitation(0)


def test_a_full_disk_keeps_nobody_out_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing has changed, nothing has to be written."""
    file = tmp_path / "keys.json"
    before = Keys(None, file)
    before.open_seats(1, 2)
    monkeypatch.setattr("companion.web.http.keys.write_whole", refuse)
    after = Keys(None, file)
    after.open_seats(1, 2)
    assert after.is_host(before.host_cookie)
    assert after.invitation(0) == before.invitation(0)
    with pytest.raises(OSError, match="No space left"):
        Keys("another-key", file)


def test_the_key_of_the_settings_is_not_kept_for_later(tmp_path: Path) -> None:
    """Taken out of the settings it opens nothing, nor does what it had let in."""
    file = tmp_path / "keys.json"
    chosen = Keys("a-key-of-the-owner", file)
    again = Keys(None, file)
    assert not again.opens_desk("a-key-of-the-owner")
    assert not again.is_host(chosen.host_cookie)
    assert (len(again.host), again.is_chosen) == (KEY_CHARS, False)
    assert Keys(None, file).host == again.host
    assert Keys(None, file).is_host(again.host_cookie)
