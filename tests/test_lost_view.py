"""What a camera's pictures lack of its view is said: at set-up, in a terminal, and in the log."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.table.camera_choice import describe_lost_view
from tests.tables import sit_down
from tests.web.setting_up import StandingCamera, picture_of, set_table
from tests.web.visitors import HOST_KEY
from vision.capture.sensor_mode import LostView

SIZE_PX = (1536, 864)
CROPPED = LostView(SIZE_PX, 67)
SAID = "The camera shows only 67 % of the width that was asked for"


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        (
            LostView(SIZE_PX),
            "The camera does not say which part of its view it shows. Look whether",
        ),
        (CROPPED, f"{SAID}, so the table may not fit into the picture: sudo apt full-upgrade, "),
        (
            LostView(SIZE_PX, 75, 1154),
            "A picture of 1536 × 864 shows 75 % of what the camera sees. For all of it set height_",
        ),
    ],
)
def test_each_is_said_with_its_remedy(lost: LostView, words: str) -> None:
    """In one line."""
    assert describe_lost_view(lost).startswith(words)
    assert "\n" not in describe_lost_view(lost)


def test_the_host_reads_it_below_the_picture(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In a terminal, too; the log has it once.  Of a whole view nothing is said."""
    with set_table(lambda: sit_down(line=None), picture_of("tiki_topple"), tmp_path) as (house, _):
        host, setup = house.pub.host(), ["setup", "--port", str(house.port), "--key", HOST_KEY]
        for lost, count in ((None, 0), (CROPPED, 1)):
            monkeypatch.setattr(StandingCamera, "lost_view", lost)
            seen = host.get("/set-up/state").json()["picture"]
            state = host.get(f"/set-up/state?after={seen}").json()
            assert state["remark"].count(SAID) == count
            assert state["ready"]
            assert host.get("/set-up/look").json()["words"].count(SAID) == count
            assert main([*setup, "--look"]) == 0
            assert capsys.readouterr().out.count(SAID) == count
    assert caplog.text.count(SAID) == 1
