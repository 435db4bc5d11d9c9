"""Trying a room out on the virtual table's page: who may, and how it goes from button to words."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from companion.apps.virtual import room_trial, trial_film
from companion.apps.virtual.pages import table_of
from companion.apps.virtual.room import Room
from companion.apps.virtual.room_changes import Change, list_changes
from companion.apps.virtual.room_trial import RoomTrial
from companion.apps.virtual.trial_film import Judgement
from tests.tables import sit_down
from tests.web.serving import served
from tests.web.visitors import Pub, Visitor, open_pub
from vision.capture.virtual_camera import VirtualCamera

BEGIN = "/virtual/room-trial"
DARK = Room(light=0.1, noise=16.0, width=480, height=270, camera_height=900.0, blur=1.5)
"""Nothing is read there: the tiles are a few grey pixels."""
LONG_MS = 400_000


def camera() -> VirtualCamera:
    """Return the camera of a virtual table."""
    return VirtualCamera(lambda fault: fault.value)


@pytest.fixture
def pub() -> Iterator[Pub]:
    """Give a virtual table of a game without a watcher."""
    found = sit_down()
    with found.log:
        yield open_pub(found, virtual_camera=camera())


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let everything be read; return the folders that were judged."""
    folders: list[Path] = []

    def judge(_script: Any, _room: Room, folder: Path) -> Judgement:
        folders.append(folder)
        return Judgement(2, 2, 0, "", None)

    monkeypatch.setattr(room_trial, "RoomTrial", partial(RoomTrial, judge=judge))
    monkeypatch.setattr(trial_film, "MOVES", 1)
    return folders


def picture_of(step: dict[str, Any]) -> bytes:
    """Return a grey picture as large as that which is asked for."""
    room = step["snapshot"]["room"]
    grey = np.full((room["height"], room["width"], 3), 99, np.uint8)
    return cv2.imencode(".jpg", grey)[1].tobytes()


def send(visitor: Visitor, step: dict[str, Any], picture: bytes) -> tuple[int, dict[str, Any]]:
    """Send the picture that is asked for; return the status and the answer."""
    answer = visitor.ask("POST", f"{BEGIN}/{step['key']}/{step['number']}", content=picture)
    return answer.status_code, json.loads(answer.text)


def test_nobody_but_the_host_tries_a_room(pub: Pub) -> None:
    """Neither begins a trial nor sends pictures to one."""
    step = json.loads(pub.host().post(BEGIN).text)
    for visitor in (pub.stranger(), pub.player(0)):
        assert visitor.post(BEGIN).status_code == 403
        status, told = send(visitor, step, picture_of(step))
        assert (status, set(told)) == (403, {"error"})


def test_a_real_table_has_no_room_to_try() -> None:
    """It is said how a virtual one is begun."""
    found = sit_down()
    with found.log:
        answer = open_pub(found).host().post(BEGIN)
    assert answer.status_code == 404
    assert "tiki demo --play" in json.loads(answer.text)["error"]


def test_pictures_are_asked_for_until_all_is_known(pub: Pub, judged: list[Path]) -> None:
    """The last answer is the verdict; nothing of it is left on the disk, nor in the game."""
    before = len(pub.live_session.session.entries)
    host = pub.host()
    step = json.loads(host.post(BEGIN).text)
    assert step["snapshot"]["room"]["light"] == 1.0
    count = 0
    while "verdict" not in step:
        assert step["number"] == count
        status, step = send(host, step, picture_of(step))
        assert status == 200
        count += 1
    assert step["verdict"] == ["Read: 2 of 2 tables.", "Nothing has to be changed."]
    assert len(judged) == 1
    assert not judged[0].exists()
    assert len(pub.live_session.session.entries) == before


def test_what_was_not_asked_for_is_refused_in_a_sentence(pub: Pub) -> None:
    """A picture that is none, one twice, one of a trial that another has ended, one too large."""
    host = pub.host()
    first = json.loads(host.post(BEGIN).text)
    assert send(host, first, b"no picture")[0] == 400
    assert send(host, first, picture_of(first))[0] == 200
    assert send(host, first, picture_of(first))[0] == 409
    second = json.loads(host.post(BEGIN).text)
    status, told = send(host, {**first, "number": 1}, picture_of(first))
    assert (status, told["error"]) == (409, "Another trial has begun meanwhile.")
    assert send(host, second, bytes(3_000_001))[0] == 413
    assert send(host, second, picture_of(second))[0] == 200


def tried(context: BrowserContext, room: Room) -> list[str]:
    """Press the button in *room*; return the sentences that the page shows in the end."""
    with served(sit_down, virtual_camera=camera()) as house:
        page = context.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}virtual")
        table = table_of(house.pub.app.state.site)
        assert table is not None
        table.relay.room = room
        page.locator("#room-trial [data-try]").click()
        verdict = page.locator("#room-trial [data-verdict] li")
        expect(verdict.first).to_be_visible(timeout=LONG_MS)
        return verdict.all_inner_texts()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_dark_room_with_a_coarse_picture(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read there; a lamp and a nearer and finer camera together are recommended."""
    monkeypatch.setattr(trial_film, "MOVES", 2)
    mended = Change(
        list_changes(DARK)[0].words,
        {"light": 1.0, "noise": 2.0},
    )
    finer = {"width": 960, "height": 540, "camera_height": 600.0, "blur": 0.6}
    changes = [mended, Change(list_changes(DARK)[-1].words, finer)]
    monkeypatch.setattr(room_trial, "list_changes", lambda _: changes)
    said = tried(browser.new_context(), DARK)
    assert said[0] == "Read: 0 of 2 tables."
    assert any("dark" in each or "grainy" in each or "coarse" in each for each in said)
    assert said[-1].endswith(": 2 of 2.")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_good_room_is_left_as_it_is(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is read, and nothing is recommended."""
    monkeypatch.setattr(trial_film, "MOVES", 2)
    said = tried(browser.new_context(), Room())
    assert said == ["Read: 2 of 2 tables.", "Nothing has to be changed."]
