"""Entries that belong together are all written or none, and memory never says otherwise."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from companion.devices.sensor_adapter import SensorAdapter
from companion.referee.live_session import LiveSession
from companion.rules.base import RulesError
from companion.rules.tiki_topple import TIKIS
from companion.session.events import MoveAccepted, MoveUndone, SessionClosed
from companion.session.history import ReplayError
from companion.session.log import Log, LogError
from companion.session.session import Header
from tests.full_disks import FailingWrite, full_disk
from tests.referee.entering import SPUN, TO_SPIN, sit
from tests.tables import see, see_hand, sit_down

LOKAHI_UP: Final = ("lokahi", "hookipa", *TIKIS[2:])
NANI_UP: Final = ("lokahi", "nani", "hookipa", *TIKIS[3:])
CARDS: Final = ("card 0 nani kapu nui", "card 1 nui nani eepo", "card 2 eepo kapu huhu")
WITHDRAWN: Final[list[SensorAdapter]] = []
TOPPLE: Final = Header("topple", ("Ann", "Bob", "Cem"), {}, {"first": 0})


def seen(live_session: LiveSession) -> dict[str, Any]:
    """Return all that people, pages and the next picture depend on."""
    referee = live_session.referee
    return {
        "number": live_session.session.number,
        "entries": list(live_session.session.entries),
        "state": live_session.session.state,
        "history": live_session.session.history.branches,
        "secrets": dict(live_session.session.history.secrets),
        "question": referee.question,
        "answers": len(referee._clerk.doubt.answers),
        "waiting": referee.waiting,
        "doubt": copy(referee._clerk.doubt),
        "sight": copy(referee._clerk.sight),
        "paused": live_session.paused,
        "transient": live_session.transient_notice,
        "told": [each.body for each in live_session.feed.since(0) if not is_trouble(each.body)],
    }


def is_trouble(body: dict[str, Any]) -> bool:
    """Return whether *body* only tells that the log cannot be written."""
    return body.get("reason") == "not_saved"


def begun(log: Log) -> LiveSession:
    """Return a game of Tiki Topple after one move that a picture has shown."""
    live_session = sit_down(log=log, rounds=1)
    live_session.observe(see("1", LOKAHI_UP))
    return live_session


def spun(log: Log) -> LiveSession:
    """Return a game of UNO Tiki in which the idol is to be spun."""
    return sit("uno_tiki", *TO_SPIN, log=log)


def withdrawn(log: Log) -> LiveSession:
    """Return that game after a spin, which turns out to be unreliable."""
    live_session = spun(log)
    WITHDRAWN.append(SensorAdapter(live_session))
    WITHDRAWN[-1].handle(SPUN)
    return live_session


def last_move_of_the_round(log: Log) -> LiveSession:
    """Return a game in which one more secret shows all cards and scores the round."""
    hand = ["toast", "topple", "up1"]
    live_session = sit_down(2, log=log, rounds=1, tie="share", secrets=CARDS[:1], hand=hand)
    for action in (
        "topple eepo", "up1 nani", "up1 lokahi", "topple hookipa", "toast hookipa", "toast eepo",
    ):  # fmt: skip
        live_session.referee.enter(action)
    return live_session


def open_between_two(log: Log) -> LiveSession:
    """Return a game in which the first move may have been either of two: Topple or Up 1."""
    live_session = sit_down(2, log=log)
    live_session.observe(see("1", (*TIKIS[:7], TIKIS[8], TIKIS[7])))
    live_session.referee.enter("up1 lokahi")
    return live_session


def asked(log: Log) -> LiveSession:
    """Return a game in which two quick moves are a question."""
    live_session = sit_down(log=log)
    live_session.observe(see("1", NANI_UP))
    assert live_session.referee.question is not None
    assert live_session.referee._clerk.doubt.answers
    return live_session


def wrong(log: Log) -> LiveSession:
    """Return a game whose table no rule explains."""
    live_session = begun(log)
    live_session.observe(see("2", tuple(reversed(TIKIS))))
    assert live_session.referee.dispute.can_adopt
    return live_session


WAYS: Final[dict[str, tuple[Callable[[Log], LiveSession], Callable[[LiveSession], object]]]] = {
    "a picture": (begun, lambda it: it.observe(see("2", NANI_UP))),
    "an entry": (begun, lambda it: it.referee.enter("up1 nani")),
    "an entry that settles another": (
        open_between_two, lambda it: it.referee.enter("topple wikiwiki"),
    ),
    "a take-back": (begun, lambda it: it.referee.undo()),
    "a replacement": (begun, lambda it: it.referee.replace("up2 nani")),
    "a correction": (begun, lambda it: it.referee.correct(1, "up2 nani")),
    "a secret that scores": (
        last_move_of_the_round, lambda it: it.referee.enter_secret(1, CARDS[1]),
    ),
    "an answer": (asked, lambda it: it.referee.choose(0)),
    "a table that the people adopt": (
        wrong, lambda it: it.referee.dispute.adopt_at_once(1, ""),
    ),
    "a new game": (begun, lambda it: it.renew(TOPPLE, "enough")),
    "a new game with secrets": (
        begun, lambda it: it.renew(it.header, "again", CARDS),
    ),
    "a spin": (spun, lambda it: SensorAdapter(it).handle(SPUN)),
    "a spin that is withdrawn": (
        withdrawn, lambda _: WITHDRAWN[-1].handle(replace(SPUN, trusted=False, seats=())),
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_whichever_write_fails_nothing_has_changed(way: str, tmp_path: Path) -> None:
    """Neither on the disk nor in memory; and when there is room again the same works."""
    prepare, act = WAYS[way]
    writes = 1
    for at in range(1, 30):
        path = tmp_path / f"{at}.db"
        with Log(path) as log:
            live_session = prepare(log)
            before = seen(live_session)
            with FailingWrite(at) as failing:
                try:
                    act(live_session)
                except LogError:
                    assert failing.count >= at
                else:
                    writes = failing.count
                    assert at > writes
                    break
            assert seen(live_session) == before
            assert log.entries(before["number"]) == before["entries"]
            assert log.unfinished() == before["number"]
            assert live_session.troubles
            assert log.retry()
            assert not live_session.troubles
            act(live_session)
            after = seen(live_session)
        with Log(path) as log:
            number = log.unfinished()
            assert number is not None
            assert log.entries(number) == after["entries"]
    assert len(list(tmp_path.glob("*.db"))) == writes + 1


def test_each_way_that_adds_several_entries_is_among_those_tried(tmp_path: Path) -> None:
    """What has only one entry would prove nothing."""
    several = set()
    for number, (way, (prepare, act)) in enumerate(WAYS.items()):
        with Log(tmp_path / f"{number}.db") as log:
            live_session = prepare(log)
            with FailingWrite(-1) as counting:
                act(live_session)
            if counting.count > 1:
                several.add(way)
    assert several >= {
        "an entry that settles another", "a replacement", "a secret that scores", "an answer",
        "a new game", "a new game with secrets", "a spin", "a spin that is withdrawn",
    }  # fmt: skip


def test_a_second_entry_that_the_rules_refuse_takes_the_first_back(tmp_path: Path) -> None:
    """Closing, undoing and moving are undone; the listeners have heard of none."""
    with Log(tmp_path / "games.db") as log:
        live_session = begun(log)
        before, session = seen(live_session), live_session.session

        @session.together()
        def append_both() -> None:
            session.append(MoveUndone(1, "up1 lokahi"))
            session.append(MoveAccepted(0, "toast nui"))

        with pytest.raises(ReplayError):
            append_both()
        assert seen(live_session) == before
        with pytest.raises(LogError, match="does not replay"):
            live_session.renew(Header("topple", ("Ann",), {}, {}), "nobody can play that")
        assert seen(live_session) == before
        assert log.unfinished() == session.number
        with pytest.raises(RulesError):
            live_session.referee.replace("toast nui")
        assert seen(live_session) == before
        assert not live_session.troubles


def test_listeners_are_told_when_all_is_on_the_disk(tmp_path: Path) -> None:
    """In order, and by then a copy of the file has it all."""
    heard: list[int] = []
    with Log(tmp_path / "games.db") as log:
        live_session = begun(log)
        session = live_session.session
        session.on_entry.add(lambda entry: heard.append(entry.seq))
        with session.together():
            session.append(MoveUndone(1, "up1 lokahi"))
            session.append(MoveAccepted(0, "up1 lokahi"))
            assert heard == []
        assert heard == [2, 3]


def test_a_new_game_on_a_full_disk_leaves_the_old_one_open(tmp_path: Path) -> None:
    """SQLite itself says that the disk is full, when "closed" fits and the new header does not."""
    path = tmp_path / "games.db"
    long = Header("topple", ("A" * 5000, "Bob"), {}, {"first": 0})
    with Log(path) as log:
        live_session = begun(log)
        before = seen(live_session)
        with full_disk(log):
            with pytest.raises(LogError, match=r"games\.db: the disk is full; free some space"):
                live_session.renew(long, "the host began a new game")
            assert seen(live_session) == before
            with pytest.raises(LogError, match="the disk is full"):
                live_session.referee.enter("up1 nani")
            assert not log.retry()
        assert log.retry()
        live_session.referee.enter("up1 nani")
        entries = list(live_session.session.entries)
        assert not any(isinstance(entry.event, SessionClosed) for entry in entries)
    with Log(path) as log:
        assert log.unfinished() == before["number"]
        assert log.entries(before["number"]) == entries


def test_what_failed_is_not_overtaken(tmp_path: Path) -> None:
    """Until the log has tried again nothing is written, so that what waits comes first."""
    with Log(tmp_path / "games.db") as log:
        live_session = begun(log)
        with full_disk(log), pytest.raises(LogError):
            live_session.renew(Header("topple", ("A" * 9000, "Bob"), {}, {}), "")
        with pytest.raises(LogError, match="the disk is full"):
            live_session.referee.enter("up1 nani")
        live_session.observe(see_hand("2"))  # what writes nothing still works
        assert live_session.referee.waiting is not None
        assert log.retry()
        live_session.referee.enter("up1 nani")
