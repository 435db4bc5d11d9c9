"""The performance: the hands show what the scoreboard says, and nothing twice."""

from functools import partial
from typing import get_args

import pytest

from companion.rules.tiki_topple import TIKIS
from companion.scenes import update_outputs
from companion.scoreboard import TransientNoticeKind, read_scoreboard
from hardware.fakes import FakeDisplay, FakeStrip
from hardware.lights import DARK
from hardware.output_devices import OutputDevices
from hardware.zones import Zone, Zones
from tests.hardware.boards import board_of, states
from tests.hardware.lamp_films import BEATS
from tests.tables import see, sit_down

WIDE = Zones(Zone(0, 9), Zone(9, 8), Zone(17, 24), Zone(41, 10))


def test_every_kind_of_moment_is_tried() -> None:
    """Whatever the scoreboard can tell of a moment is among the states that are tested."""
    tried = {board.moment.kind for board in states().values() if board.moment}
    assert tried == set(get_args(TransientNoticeKind)) - {"remark"}  # which is only words


def test_every_scene_can_be_shown_on_any_hands() -> None:
    """On the strip as it ships and on a long one with a small supply, on every display."""
    for make_display in (
        FakeDisplay,
        partial(FakeDisplay, (32, 8)),
        partial(FakeDisplay, (64, 8)),
        partial(FakeDisplay, (8, 8), "segments"),
    ):
        for strip, zones in ((FakeStrip(), Zones()), (FakeStrip(51, 150.0), WIDE)):
            with OutputDevices(strip, make_display(), zones=zones) as outputs:
                for name, board in states().items():
                    update_outputs(outputs, board, beat=1)
                    assert outputs.display.value.getbbox() is not None, name
                    assert any(colour != DARK for colour in strip.value), name


@pytest.mark.parametrize("budget_ma", [60.0, 150.0, 2000.0])
def test_no_scene_draws_more_than_the_budget(budget_ma: float) -> None:
    """A scene that would is dimmed, never refused."""
    with OutputDevices(FakeStrip(51, budget_ma), zones=WIDE) as outputs:
        for name, board in states().items():
            for beat in range(BEATS):
                update_outputs(outputs, board, beat)
                assert outputs.strip.current_ma <= budget_ma, name


def test_hands_are_not_sent_what_they_show_already() -> None:
    """A strip at the end of a wire hears of changes only, and a call is heard once."""
    with OutputDevices() as outputs:
        heard: list[None] = []
        for device in (outputs.strip, outputs.display, outputs.sound):
            device.followers.append(lambda: heard.append(None))
        for _ in range(3):
            update_outputs(outputs, board_of())
        assert len(heard) == 3


def test_a_move_moves_lights_and_display() -> None:
    """What is seen at the table is shown by the hands."""
    live_session = sit_down(4)
    with OutputDevices() as outputs:
        update_outputs(outputs, read_scoreboard(live_session))
        before = (outputs.strip.value, outputs.display.value.tobytes(), outputs.sound.value)
        live_session.observe(see("1", ("lokahi", "hookipa", *TIKIS[2:])))
        update_outputs(outputs, read_scoreboard(live_session))
        after = (outputs.strip.value, outputs.display.value.tobytes(), outputs.sound.value)
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_lights_of_no_zone_stay_dark() -> None:
    """A scene reaches its zones only."""
    with OutputDevices(FakeStrip(12)) as outputs:
        update_outputs(outputs, states()["won"], 3)
        assert outputs.strip.value[9:] == (DARK,) * 3
        assert DARK not in outputs.strip.value[:9]
