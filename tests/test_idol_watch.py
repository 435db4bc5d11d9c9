"""An idol that nobody wired or taught: that is said, and its first spin teaches it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.table.idol_watch import IdolWatch
from tests.games.uno_tiki_games import pointing, sit
from tests.referee.entering import said
from tests.tables import see, see_hand, see_table, sit_down
from vision.observation import HIDDEN

TABLE = ("blue-2", HIDDEN)
UNWATCHED = ["the idol is not watched: enter faces and spins, or teach it by one spin"]


@dataclass
class Lessons:
    """What the camera was shown, and is asked to learn."""

    is_calibrated: bool = False
    learned: list[Mapping[str, Any]] = field(default_factory=list)

    def calibrate(self, truth: Mapping[str, Any], _: Callable[[str | None], None]) -> None:
        """Take note of what is to be learned."""
        self.learned.append(truth)


def watched(
    live_session: LiveSession, lessons: Lessons | None, *, is_wired: bool = False
) -> IdolWatch:
    """Let *live_session* be followed."""
    idol_watch = IdolWatch(live_session, lessons)
    live_session.on_change.add(lambda: idol_watch.attend(is_wired=is_wired))
    return idol_watch


def test_an_idol_that_nobody_watches_is_said() -> None:
    """As soon as the camera sees the table, and until the idol is watched."""
    live_session = sit("turn blue-2")
    watched(live_session, Lessons())
    live_session.changed()
    assert live_session.troubles == ()
    live_session.observe(see_table("1", TABLE))
    assert [*live_session.troubles] == UNWATCHED
    live_session.observe(see_hand("2", "near"))
    assert [*live_session.troubles] == UNWATCHED


def test_its_first_spin_teaches_it() -> None:
    """That is said, the picture is kept as what the camera was taught by, and once is enough."""
    live_session, lessons = sit("turn blue-2", "play tiki-goto"), Lessons()
    watched(live_session, lessons)
    live_session.observe(see_table("1", TABLE))
    live_session.referee.enter("spin 2")
    live_session.observe(pointing("2", TABLE, 92.0))
    assert live_session.troubles == ()
    assert said(live_session) == (
        "The camera has learned the idol from this spin, and watches it from now on"
    )
    live_session.observe(pointing("3", TABLE, 92.0))
    assert lessons.learned == [{"idol_deg": 92.0}]


def test_what_a_spin_taught_is_compared_with_what_was_entered() -> None:
    """The arm points to Cem, but Bob was entered."""
    live_session = sit("turn blue-2", "play tiki-goto")
    watched(live_session, Lessons())
    live_session.observe(see_table("1", TABLE))
    live_session.referee.enter("spin 1")
    live_session.observe(pointing("2", TABLE, 92.0))
    question = live_session.referee.question
    assert question is not None
    assert question.message.endswith("but the camera sees it pointing to Cem")


def test_an_idol_that_somebody_taught_or_wired_is_not_spoken_of() -> None:
    """Nor one that no camera could see, nor in a game that has none."""
    for lessons, is_wired in (
        (Lessons(is_calibrated=True), False),
        (Lessons(), True),
        (None, False),
    ):
        live_session = sit("turn blue-2")
        watched(live_session, lessons, is_wired=is_wired)
        live_session.observe(see_table("1", TABLE))
        assert live_session.troubles == ()
    live_session = sit_down()
    watched(live_session, Lessons())
    live_session.observe(see("1", TIKIS))
    assert live_session.troubles == ()
