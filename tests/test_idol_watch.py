"""An idol that nobody wired or taught: that is said, and its first spin teaches it."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.table.calibration_picture import load_calibration
from companion.table.idol_watch import IdolWatch
from tests.games.uno_tiki_games import pointing, sit
from tests.referee.entering import said
from tests.set_up_tables import PATIENCE_S, Table
from tests.tables import see, see_hand, see_table, sit_down
from tests.vision.card_games import scene
from tests.vision.tables import CLOSE_DEG
from vision.cards.discard_reader import UnoReader
from vision.observation import HIDDEN, Pointing

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


def follow(table: Table, idol_watch: IdolWatch, until: Callable[[], bool]) -> None:
    """Take what the camera sees of *table* to the session and run its lessons, *until* it holds."""
    end_s = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end_s
        with suppress(Empty):
            table.acts.get_nowait()()
        with suppress(Empty):
            table.live_session.observe(table.seen.get(timeout=0.05))
        idol_watch.attend(is_wired=False)


def test_a_spin_before_the_camera_is_kept_as_if_people_had_taught_it(tmp_path: Path) -> None:
    """From the picture that is kept, the reader knows the arm at the next start."""
    before, after = scene("uno_tiki", "007.jpg"), scene("uno_tiki", "009.jpg")
    live_session = sit("turn blue-2", "play tiki-goto")
    with Table(live_session, before.frame.picture, tmp_path) as table:
        lessons = table.calibration
        table.watcher.watch("uno_tiki", UnoReader(), lessons.prepare("uno_tiki"))
        idol_watch = IdolWatch(live_session, lessons)
        follow(table, idol_watch, lambda: [*live_session.troubles] == UNWATCHED)
        table.show(after.frame.picture)
        follow(table, idol_watch, lambda: lessons.saved("uno_tiki") is not None)
        assert lessons.is_calibrated
        assert live_session.troubles == ()
    kept = load_calibration(table.log, "uno_tiki", "cam")
    assert kept is not None
    assert abs(kept.truth["idol_deg"] - after.row["truth"]["idol_deg"]) < CLOSE_DEG
    reader = UnoReader()
    reader.calibrate(kept.frame, kept.truth)
    (fact,) = reader.read(before.frame).facts
    assert isinstance(fact, Pointing)
    assert abs(fact.deg - before.row["truth"]["idol_deg"]) < CLOSE_DEG
