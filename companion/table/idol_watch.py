"""Whether anybody watches the idol; that nobody does is said until a spin has taught the camera."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from companion.language.message import say
from companion.referee.facts import SeenFact
from companion.referee.game import People
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import remarked
from companion.table.watcher import warn_of
from vision.observation import Pointing

UNWATCHED: Final = say("the idol is not watched")
REMEDY: Final = say("enter faces and spins, or teach it by one spin")
LEARNED: Final = say("The camera has learned the idol from this spin, and watches it from now on")


class Calibration(Protocol):
    """What the camera's reader was shown; see `ReaderCalibration`."""

    @property
    def is_calibrated(self) -> bool:
        """Whether people have shown it a known table."""

    def calibrate(self, truth: Mapping[str, Any], on_done: Callable[[str | None], None]) -> None:
        """Calibrate it with the next still picture, which shows *truth*."""


class IdolWatch:
    """Follows the session in play; without a *calibration* no camera sees its table."""

    def __init__(self, live_session: LiveSession, calibration: Calibration | None) -> None:
        self._live_session = live_session
        self._calibration = calibration
        self._is_unwatched = False

    def attend(self, *, is_wired: bool) -> None:
        """Say what is new: that nobody watches the idol, or that the camera does from now on.

        is_wired: whether an encoder counts its turns: what that needs is said elsewhere.
        """
        if self._calibration is None:
            return
        pointing = self._live_session.referee.side_observations.newest(Pointing)
        is_unseen = pointing is None and not self._calibration.is_calibrated and self._has_idol()
        was_unwatched = self._is_unwatched
        was_seen = self._live_session.referee.last_seen is not None
        self._is_unwatched = is_unseen and (was_unwatched or was_seen)
        if was_unwatched == self._is_unwatched:
            return
        self._live_session.report(UNWATCHED, REMEDY if self._is_unwatched and not is_wired else "")
        if pointing is not None and not self._calibration.is_calibrated:
            self._live_session.show(remarked(LEARNED))
            self._calibration.calibrate({"idol_deg": pointing.deg}, warn_of)

    def _has_idol(self) -> bool:
        session = self._live_session
        fact, people = SeenFact(Pointing(0.0)), People(session.header.players)
        return session.game.on_fact(session.session.state, fact, people) is not None
