"""Teaching on the host's desk: one big button a step, refusals in words, nobody else's business."""

import pytest

from companion.web.forms import MOVED_ON
from tests.referee.entering import TO_SPIN, sit
from tests.web.counting import Counting
from tests.web.visitors import Pub, alert, open_pub


@pytest.fixture
def school() -> tuple[Pub, Counting]:
    """Return a pub in which counting is taught."""
    pub, lesson = open_pub(sit("uno_tiki", *TO_SPIN)), Counting()
    pub.app.state.site.table.calibrations = {"idol": lesson}
    return pub, lesson


def test_a_lesson_goes_step_by_step(school: tuple[Pub, Counting]) -> None:
    """Every press leads to the next step; one that was pressed twice is refused."""
    pub, lesson = school
    host = pub.host()
    desk = host.get("/desk").text
    assert 'data-lesson="idol" data-urgent' in desk
    assert '<button name="press" value="count 0" class="main">Say 0</button>' in desk
    answer = host.post("/teach", lesson="idol", press="count 0")
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk#teaching")
    assert "Step 1" in host.get("/desk").text
    again = host.post("/teach", lesson="idol", press="count 0")
    assert (again.status_code, alert(again)) == (409, MOVED_ON)
    assert lesson.pressed == ["count 0"]


def test_what_a_device_refuses_is_said(school: tuple[Pub, Counting]) -> None:
    """The device's own words, as a sentence, and the step stays."""
    host = school[0].host()
    for number in range(2):
        host.post("/teach", lesson="idol", press=f"count {number}")
    refused = host.post("/teach", lesson="idol", press="count 2")
    assert (refused.status_code, alert(refused)) == (409, "Three is too many; stop there.")
    assert "Step 2" in refused.text


@pytest.mark.parametrize(
    ("form", "status"),
    [({"lesson": "tilt", "press": "teach"}, 404), ({"lesson": "idol"}, 400), ({"press": "x"}, 400)],
)
def test_a_form_for_no_lesson_is_refused(
    school: tuple[Pub, Counting], form: dict[str, str], status: int
) -> None:
    """A device that is not there, and fields that were not sent."""
    assert school[0].host().post("/teach", **form).status_code == status
    assert school[1].pressed == []


def test_only_the_host_teaches(school: tuple[Pub, Counting]) -> None:
    """A bystander and a player at a seat are refused."""
    pub, lesson = school
    for visitor in (pub.stranger(), pub.player(1)):
        assert visitor.post("/teach", lesson="idol", press="count 0").status_code == 403
    assert lesson.pressed == []


def test_a_game_without_an_idol_asks_for_no_seats() -> None:
    """Topple needs no seats, so its desk does not begin with them; the tilt stays."""
    pub = open_pub(sit("topple"))
    pub.app.state.site.table.calibrations = {"idol": Counting(), "tilt": Counting("To tilt")}
    desk = pub.host().get("/desk").text
    assert "To tilt" in desk
    assert "To count" not in desk
    assert pub.host().post("/teach", lesson="idol", press="count 0").status_code == 404


def test_a_game_without_a_tower_does_not_teach_its_tilt() -> None:
    """The switches may stay wired; nobody is told to topple a tower that is not there."""
    pub = open_pub(sit("uno_tiki", *TO_SPIN))
    pub.app.state.site.table.calibrations = {"idol": Counting(), "tilt": Counting("To tilt")}
    desk = pub.host().get("/desk").text
    assert ("To tilt" in desk, "To count" in desk) == (False, True)
    assert pub.host().post("/teach", lesson="tilt", press="count 0").status_code == 404


def test_without_devices_there_is_nothing_to_teach() -> None:
    """The desk has no lesson where nothing can be taught."""
    desk = open_pub(sit("uno_tiki", *TO_SPIN)).host().get("/desk").text
    assert "data-lesson" not in desk
