"""The motion gate, on drawn sequences and on recorded pictures."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.sessions import shots_of
from vision.capture.frame import Frame, Picture
from vision.capture.motion_gate import Motion, MotionGate
from vision.capture.preview_frame import glance_at

SETTLE_S = 0.5
STEP_S = 0.1
TABLE = np.random.default_rng(1).integers(60, 180, (108, 192, 3), np.uint8)


@dataclass
class Watch:
    """Feeds a gate pictures, one each tenth of a second."""

    gate: MotionGate = field(default_factory=lambda: MotionGate(SETTLE_S))
    now_s: float = 0.0

    def see(self, pictures: Iterable[Picture]) -> list[Motion]:
        """Return what the gate says to each picture."""
        said = []
        for picture in pictures:
            self.now_s += STEP_S
            said.append(self.gate.feed(glance_at(Frame("lores", picture, self.now_s))))
        return said


def settled() -> Watch:
    """Return a watch over a table that has come to rest."""
    watch = Watch()
    assert watch.see([TABLE] * 10)[-1] is Motion.STILL
    return watch


def with_hand(x: int, width: int = 24) -> Picture:
    """Return the table with a skin-coloured hand at column *x*."""
    picture = TABLE.copy()
    picture[30:70, x : x + width] = (110, 150, 200)
    return picture


def noisy(sigma: float, seed: int) -> Picture:
    """Return the table as a camera in the dark would deliver it."""
    noise = np.random.default_rng(seed).normal(0.0, sigma, TABLE.shape)
    return np.clip(TABLE + noise, 0, 255).astype(np.uint8)


def test_a_table_is_still_after_the_settle_window_and_not_before() -> None:
    """The first picture opens the window; only the full window closes it."""
    said = Watch().see([TABLE] * 8)
    assert said[:5] == [Motion.MOVING] * 5
    assert said[6:] == [Motion.STILL] * 2


def test_a_passing_hand_moves_and_then_settles() -> None:
    """While the hand moves the gate is open; it closes a window after the hand has gone."""
    watch = settled()
    assert set(watch.see(with_hand(x) for x in range(10, 150, 20))) == {Motion.MOVING}
    said = watch.see([TABLE] * 8)
    assert said[:5] == [Motion.MOVING] * 5
    assert said[-1] is Motion.STILL


def test_a_creeping_hand_moves() -> None:
    """A hand that moves a pixel at a time is never still for a whole window."""
    watch = settled()
    watch.see([with_hand(10)])
    assert Motion.STILL not in watch.see(with_hand(10 + i) for i in range(60))


def test_a_finger_is_enough() -> None:
    """The smallest thing that can move a piece is noticed."""
    watch = settled()
    picture = TABLE.copy()
    picture[40:60, 90:97] = (110, 150, 200)
    assert watch.see([picture]) == [Motion.MOVING]


@settings(max_examples=15)
@given(st.floats(0.0, 8.0), st.integers(0, 2**31))
def test_noise_is_no_motion(sigma: float, seed: int) -> None:
    """A still table stays still under any noise that a camera indoors has."""
    watch = Watch()
    said = watch.see(noisy(sigma, seed + i) for i in range(14))
    assert said[-1] is Motion.STILL


def test_slow_daylight_is_no_motion() -> None:
    """The gate follows a light that changes by a third within a minute."""
    watch = settled()
    said = watch.see((TABLE * (1.0 - 0.33 * i / 600)).astype(np.uint8) for i in range(600))
    assert set(said) == {Motion.STILL}


def test_lightning_is_no_hand() -> None:
    """A lamp switched on changes nearly all pixels: the gate adapts at once."""
    watch = settled()
    bright = np.clip(TABLE * 1.5, 0, 255).astype(np.uint8)
    assert set(watch.see([bright] * 6)) == {Motion.STILL}
    assert watch.see([TABLE])[-1] is Motion.STILL


def test_a_moved_camera_moves() -> None:
    """Another view of the table is no lamp."""
    watch = settled()
    assert watch.see([np.roll(TABLE, 9, axis=1)])[-1] is Motion.MOVING


def test_another_size_or_an_earlier_time_starts_anew() -> None:
    """A camera that was set up again, or a recording started again, is watched afresh."""
    watch = settled()
    assert watch.see([TABLE[:90]]) == [Motion.MOVING]
    watch = settled()
    watch.now_s = -5.0
    assert watch.see([TABLE]) == [Motion.MOVING]


def test_luma_alone_and_full_pictures_serve_too() -> None:
    """The camera's low-resolution stream may be grey, and a recording is full size."""
    grey = np.asarray(cv2.cvtColor(TABLE, cv2.COLOR_BGR2GRAY), np.uint8)
    assert Watch().see([grey] * 8)[-1] is Motion.STILL
    assert Watch().see([shots_of("s01")[0].frame.picture] * 8)[-1] is Motion.STILL


@pytest.mark.parametrize("session", ["s01", "s02", "s03", "s04", "replay"])
def test_each_recorded_change_is_noticed(session: str) -> None:
    """From one recorded picture to the next something moved, and then the table rests."""
    watch = Watch()
    watch.see([shots_of(session)[0].frame.picture] * 8)
    for shot in shots_of(session)[1:]:
        said = watch.see([shot.frame.picture] * 8)
        assert said[0] is Motion.MOVING
        assert said[-1] is Motion.STILL


@pytest.mark.parametrize("settle_s", [0.0, -1.0, float("nan")])
def test_a_window_must_last(settle_s: float) -> None:
    """A gate that settles at once is a mistake in the settings."""
    with pytest.raises(ValueError, match="more than 0 seconds"):
        MotionGate(settle_s)
