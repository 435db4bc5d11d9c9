"""The set-up page without a browser: who may look, and what is offered, learned and refused."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.table.camera_choice import describe_choice
from companion.table.lens_measuring import LensReport
from companion.table.reader_calibration import UNCHANGED, CalibrationResult, ReaderCalibration
from companion.table.watcher import Watcher
from tests.referee.entering import TO_SPIN, sit
from tests.tables import sit_down
from tests.web.set_up_stand_ins import Setup
from tests.web.setting_up import StandingCamera, picture_of
from tests.web.visitors import Pub, alert, open_pub
from vision.capture.device import DeviceSettings
from vision.capture.motion_gate import MotionGate

SQUARE = "0.1 0.1 0.9 0.1 0.9 0.9 0.1 0.9"


def set_up(live_session: LiveSession, lesson: CalibrationResult | None = None) -> tuple[Pub, Setup]:
    """Return a pub whose camera can be set up."""
    pub, setup = open_pub(live_session), Setup(lesson)
    pub.app.state.site.table.table_setup = setup
    return pub, setup


@pytest.mark.parametrize(
    "path", ["/desk/set-up", "/set-up/look", "/set-up/state", "/set-up/picture/1"]
)
def test_only_the_host_sees_the_camera(path: str) -> None:
    """No other seat, and no stranger; nor is the picture stored by the host's browser."""
    pub, _ = set_up(sit_down())
    for visitor in (pub.stranger(), pub.player(0)):
        assert visitor.get(path).status_code == 403
        assert b"jpeg" not in visitor.get(path).content
    answer = pub.host().get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"


def test_only_the_host_lets_it_learn() -> None:
    """Nor may anybody else change what the camera knows."""
    pub, setup = set_up(sit_down())
    for visitor in (pub.stranger(), pub.player(0)):
        assert visitor.post("/set-up/learn", position="put-up").status_code == 403
    assert setup.lessons == []


def test_the_position_of_the_game_and_the_usual_one_are_offered() -> None:
    """A line that is known, as the page draws it; without one, only the order that is put up."""
    line = tuple(reversed(TIKIS))
    pub, setup = set_up(sit_down(line=line))
    page = pub.host().get("/desk/set-up").text
    assert "The starting position" in page
    assert "All nine tikis in this order, from the top: Hookipa, Lokahi" in page
    assert 'data-tiki="nui"' in page
    for position in ("now", "put-up"):
        assert pub.host().post("/set-up/learn", position=position).status_code == 303
    assert setup.lessons == [
        ({"line": list(line)}, UNCHANGED),
        ({"line": list(TIKIS)}, UNCHANGED),
    ]
    unknown, _ = set_up(sit_down(line=None))
    page = unknown.host().get("/desk/set-up").text
    assert "The starting position" not in page
    assert "All nine tikis" in page


def test_in_mid_game_the_log_goes_on() -> None:
    """The position after the moves is learned, and nothing is logged."""
    live_session = sit("topple", "roll 1", "place 22 pink")
    pub, setup = set_up(live_session, CalibrationResult())
    before = live_session.session.next_seq
    assert "The game as it stands now" in pub.host().get("/desk/set-up").text
    assert pub.host().post("/set-up/learn", position="now").status_code == 303
    (truth, _), *_ = setup.lessons
    assert truth["cells"][2][2] == ["pink"]
    assert live_session.session.next_seq == before


def test_what_came_of_it_stands_on_the_page_and_is_told_to_programs() -> None:
    """In sentences; refused, what was dragged is kept."""
    pub, _ = set_up(sit_down(), CalibrationResult(trouble="the line seems to be Nui"))
    host = pub.host()
    assert host.post("/set-up/learn", position="put-up", corners=SQUARE).status_code == 303
    page = host.get("/desk/set-up").text
    assert "Not calibrated: the line seems to be Nui." in page
    assert f'id="corners" value="{SQUARE}"' in page
    state = host.get("/set-up/state").json()
    assert (state["learned"], state["learning"]) == (False, False)
    assert state["lesson"] == ["Not calibrated: the line seems to be Nui."]
    assert state["meters"]["light"] == {"value": 0.7, "words": "bright enough", "good": True}
    assert [each["name"] for each in state["positions"]] == ["put-up"]


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"position": "elsewhere"}, 409, "no longer shows that position"),
        ({}, 400, "“position” is missing"),
        ({"position": "put-up", "corners": "0.1 0.2"}, 400, "drag them again"),
        ({"position": "put-up", "corners": "nan " * 8}, 400, "drag them again"),
        ({"position": "put-up", "corners": "2 " * 8}, 400, "drag them again"),
    ],
)
def test_a_wrong_form_is_refused_in_a_sentence(
    form: dict[str, str], status: int, words: str
) -> None:
    """On the page itself; nothing is learned."""
    pub, setup = set_up(sit_down())
    answer = pub.host().post("/set-up/learn", **form)
    assert answer.status_code == status
    assert words in alert(answer)
    assert setup.lessons == []


def test_corners_of_something_else_are_refused_on_the_page() -> None:
    """With the reason, and the corners still there to be dragged on."""
    pub, setup = set_up(sit("topple"))
    answer = pub.host().post("/set-up/learn", position="now", corners=SQUARE)
    assert (answer.status_code, alert(answer)) == (409, "These are not the four corners.")
    assert SQUARE in answer.text
    assert setup.lessons == []


def test_a_recording_teaches_nothing() -> None:
    """It can be looked at; its form is not there."""
    pub, setup = set_up(sit_down())
    setup.is_recording = True
    assert "id=learning" not in pub.host().get("/desk/set-up").text
    answer = pub.host().post("/set-up/learn", position="put-up")
    assert "This is a recording" in alert(answer)


def test_while_the_table_is_recorded_its_corners_stay() -> None:
    """The recording says once how its table is laid out."""
    pub, setup = set_up(sit_down())
    setup.is_recorded = True
    answer = pub.host().post("/set-up/learn", position="put-up", corners=SQUARE)
    assert "is being recorded" in alert(answer)
    assert pub.host().post("/set-up/learn", position="put-up").status_code == 303


def test_of_several_cameras_the_page_names_the_one_that_is_watched() -> None:
    """And how to choose another; one alone is not spoken of."""
    pub, setup = set_up(sit_down())
    assert 'id="choice"' not in pub.host().get("/desk/set-up").text
    two = {"/dev/video0": "C270", "/dev/video2": "C920"}
    for device, words in (
        ("0", "This is C270 (/dev/video0). Also connected: C920 (/dev/video2). To use another"),
        ("/dev/video2", "This is C920 (/dev/video2). Also connected: C270 (/dev/video0)."),
    ):
        setup.choice = describe_choice(DeviceSettings("video", device), two)
        assert words in pub.host().get("/desk/set-up").text
    for device in ("http://cam.local/1", "/dev/video7"):
        assert describe_choice(DeviceSettings("video", device), two) is None


def test_without_a_camera_or_a_table_the_page_says_so() -> None:
    """And what to do, in a sentence; programs get it as JSON."""
    pub = open_pub(sit_down())
    assert "No camera is set up" in pub.host().get("/desk/set-up").text
    refused = pub.host().get("/set-up/state")
    assert (refused.status_code, "No camera" in refused.json()["error"]) == (409, True)
    sheet, _ = set_up(sit("score_sheet"))
    assert "needs no camera" in sheet.host().get("/desk/set-up").text


def test_what_is_asked_for_strangely_is_answered_plainly() -> None:
    """Numbers of pictures that are none."""
    pub, _ = set_up(sit("uno_tiki", *TO_SPIN))
    host = pub.host()
    for after in ("-1", "x", "9" * 40, "²"):
        assert host.ask("GET", "/set-up/look", params={"after": after}).status_code == 200
    assert host.get("/set-up/picture/7").status_code == 404
    assert host.get(f"/set-up/picture/{'9' * 40}").status_code == 404


def test_a_key_in_the_header_opens_it_for_programs() -> None:
    """`tiki setup` asks so; a wrong key is refused."""
    pub, setup = set_up(sit_down())

    def ask(key: str, method: str, path: str, **more: Any) -> httpx.Response:
        return pub.stranger().ask(method, path, headers={"Authorization": f"Bearer {key}"}, **more)

    assert ask("wrong", "GET", "/set-up/state").status_code == 403
    assert ask(pub.keys.host, "GET", "/set-up/state").json()["sentence"] == "tiki_topple is seen"
    form = {"position": "put-up"}
    assert ask(pub.keys.host, "POST", "/set-up/learn", form=form).status_code == 303
    assert len(setup.lessons) == 1
    answer = ask(pub.keys.host, "POST", "/set-up/learn", form={"position": "x"})
    assert "no longer shows that" in answer.json()["error"]


def test_the_camera_is_measured_from_the_page() -> None:
    """By the host alone, where the lens is not known well; the page says how it goes."""
    pub, setup = set_up(sit_down())
    assert pub.player(0).post("/set-up/lens").status_code == 403
    host = pub.host()
    assert 'action="/set-up/lens"' in host.get("/desk/set-up").text
    assert host.post("/set-up/lens", measure="yes").status_code == 303
    page = host.get("/desk/set-up").text
    assert "Good. Now tilt it another way." in page
    assert 'action="/set-up/lens"' not in page
    setup.measuring.is_offered, setup.measuring.report = False, LensReport()
    assert "How wide is the camera’s view?" not in host.get("/desk/set-up").text


def test_no_lens_is_measured_while_the_game_is_recorded() -> None:
    """Its layout cannot change then."""
    pub, setup = set_up(sit_down())
    setup.is_recorded = True
    answer = pub.host().post("/set-up/lens", measure="yes")
    assert "Stop the recording to measure" in alert(answer)
    assert not setup.measuring.report.words


def test_the_stand_in_is_like_what_it_stands_in_for(tmp_path: Path) -> None:
    """Whatever the page asks of a set-up, the real one has as well."""
    from companion.table.table_setup import TableSetup  # noqa: PLC0415

    live_session = sit_down()
    watcher = Watcher(StandingCamera(picture_of("tiki_topple")), MotionGate(), lambda _: None)
    calibration = ReaderCalibration(watcher, live_session, tmp_path / "x.db", lambda act: act())
    real = TableSetup(watcher.live_view, calibration)
    for name in (name for name in dir(Setup) if not name.startswith("_")):
        assert hasattr(real, name), name
