"""Rendering: what many see alike is made once, and never shown when it is out of date."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
import segno

from companion.devices.calibration import Step
from companion.referee.corrections import corrections
from companion.web.pages import correcting
from companion.web.pages.qr import _drawn
from tests.followers import follow, lateness, table
from tests.referee.entering import tell
from tests.tables import sit_down
from tests.web.visitors import Pub, hidden_field, open_pub

DESKS, BOARDS = 50, 20
PROCESSOR_S = 0.5
"""So long the processor works at most for one change."""


@dataclass
class Calls:
    """How often something has been called."""

    act: Callable[..., Any]
    count: int = 0

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call it once more."""
        self.count += 1
        return self.act(*args, **named)


@pytest.fixture
def pub() -> Pub:
    """Return a table with some moves."""
    live_session = sit_down()
    tell(live_session, "up1 lokahi", "up2 nani")
    return open_pub(live_session)


def test_all_hosts_see_what_was_rendered_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two changes; after one it is rendered again, and again once."""
    hosts = [pub.host() for _ in range(3)]
    calls = Calls(pub.app.state.site.regions)
    monkeypatch.setattr(pub.app.state.site, "regions", calls)
    pages = {host.get("/desk").text for host in hosts}
    assert (len(pages), calls.count) == (1, 1)
    pub.live_session.pause()
    later = {host.get("/desk").text for host in hosts}
    assert (len(later), calls.count) == (1, 2)
    assert "Resume" in later.pop()


def test_a_host_at_a_seat_shares_no_desk_with_another(pub: Pub) -> None:
    """What a desk shows may depend on the seat, and on who has joined it."""
    one, other = pub.host(), pub.host()
    assert one.post(f"/join/{pub.keys.invitation(1)}").status_code == 303
    site = pub.app.state.site
    shown = []
    for each in (one, other):
        each.get("/desk")
        shown.append(each.cookies.get("tiki_seat"))
    made = [each[1] for each in site._since_change._made if each != "board"]
    keys = [key for key in made if isinstance(key, tuple) and key[0] == "desk"]
    assert [key[1].seat for key in keys] == [1, None]
    assert shown[0] != shown[1]


class CalibrationResult:
    """A device's calibration that a test moves on."""

    title, device = "A device", "a device"
    step = Step("first step", ())

    def press(self, name: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def test_another_step_of_a_calibration_shows_at_once(pub: Pub) -> None:
    """A device takes it by itself, without a change at the table."""
    lesson = CalibrationResult()
    pub.app.state.site.table.calibrations = {"a device": lesson}
    host = pub.host()
    assert "first step" in host.get("/desk").text
    lesson.step = replace(lesson.step, words="second step")
    assert "second step" in host.get("/desk").text


def test_a_links_code_is_drawn_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as long as all the rest of the desk; a new link has a new one, the table has one."""
    _drawn.cache_clear()
    calls = Calls(segno.make)
    monkeypatch.setattr(segno, "make", calls)
    host = pub.host()
    for _ in range(3):
        pub.live_session.changed()
        host.get("/desk")
    assert calls.count == 1 + 3
    pub.keys.invite_anew(0)
    pub.live_session.changed()
    host.get("/desk")
    assert calls.count == 1 + 4


def test_what_fits_in_a_moves_place_is_tried_once(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the log has another entry: every one means playing all later moves again."""
    calls = Calls(corrections)
    monkeypatch.setattr(correcting, "corrections", calls)
    host = pub.host()
    (first, *_) = pub.live_session.session.history.acts
    before = host.get(f"/desk/correct/{first.seq}")
    pub.live_session.pause()
    assert host.get(f"/desk/correct/{first.seq}").text == before.text
    assert calls.count == 1
    mark = hidden_field(before, "mark")
    assert host.post("/correct", mark=mark, seq=first.seq, action="up1 nui").status_code == 303
    assert calls.count == 1
    host.get(f"/desk/correct/{first.seq}")
    assert calls.count == 2


def test_a_crowd_hears_of_a_change_for_little_work() -> None:
    """Fifty desks and twenty boards, as they are when everybody at a café looks on."""
    with table() as tiki:
        found = lateness(tiki, ["desk"] * DESKS + ["board"] * BOARDS, changes=2)
    assert found.processor_s < PROCESSOR_S


@pytest.mark.slow
def test_the_crowd_is_really_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure fails if a follower hears nothing."""
    monkeypatch.setattr("tests.followers.DEADLINE_S", 1.0)
    with table() as tiki, pytest.raises(AssertionError, match="1 heard nothing"):
        follow(tiki, ["board", "no-such-page"])
