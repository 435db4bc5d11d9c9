"""Followers: whoever comes back, after whatever time, misses no entry and is told of a gap."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee import feed as feeds
from companion.referee.feed import Feed, Item, Position
from companion.referee.follower import FROM_THE_START, Follower
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import TransientNotice
from companion.session.events import SpinObserved
from tests.referee.entering import sit
from tests.tables import open_log, told

SPIN = SpinObserved(1.0, 2.0, clockwise=True, seats=(), trusted=True, void=False)
"""An entry that every game takes at any time."""
AGES = 8000


def take(follower: Follower, quiet: int = 5) -> list[Item]:
    """Return what *follower* is told until nothing more comes."""

    async def taking() -> list[Item]:
        found: list[Item] = []

        async def follow() -> None:
            async for item in follower.items():
                found.append(item)  # noqa: PERF401 - it never ends

        task = asyncio.create_task(follow())
        known, turns = -1, 0
        while turns < quiet:
            await asyncio.sleep(0)
            turns = turns + 1 if len(found) == known else 0
            known = len(found)
        assert not task.done() or not task.exception()
        task.cancel()
        return found

    return asyncio.run(taking())


def missed(live_session: LiveSession, last_id: str) -> list[Item]:
    """Return what is told to somebody who comes back with *last_id*."""
    follower = Follower(live_session, last_id)
    assert follower.resumes
    return take(follower)


def say(live_session: LiveSession, words: str = "well") -> None:
    """Publish a notice, which the log does not keep."""
    live_session.show(TransientNotice("remark", words=words))


def spin(live_session: LiveSession, times: int = 1) -> None:
    """Add entries to the log."""
    for _ in range(times):
        live_session.session.append(SPIN)


def kinds(items: Sequence[Item]) -> list[tuple[str, Any]]:
    """Return the type of each item, with its number in the log; not what a game waits for."""
    shown = (item.body for item in items if item.body["type"] != "waiting")
    return [(body["type"], body.get("seq")) for body in shown]


def test_who_has_missed_little_is_told_all_of_it() -> None:
    """Entries and notices, in order, and nothing that is known already."""
    live_session = sit()
    spin(live_session)
    known = live_session.feed.newest_id
    say(live_session)
    between = live_session.feed.newest_id
    spin(live_session)
    assert kinds(missed(live_session, known)) == [("moment", None), ("spin", 2)]
    assert kinds(missed(live_session, between)) == [("spin", 2)]
    assert missed(live_session, live_session.feed.newest_id) == []


def test_who_has_missed_thousands_is_told_them_from_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a word that notices of that time are gone; then all entries, and the newest notices."""
    monkeypatch.setattr(LiveSession, "changed", lambda _: None)
    live_session = sit()
    spin(live_session)
    known = live_session.feed.newest_id
    spin(live_session, AGES)
    say(live_session)
    gap, *items = missed(live_session, known)
    assert gap.body["type"] == "gap"
    assert (gap.body["session"], gap.body["seq"]) == (1, 1)
    assert gap.id == ""
    assert kinds(items) == [*(("spin", seq) for seq in range(2, AGES + 2)), ("moment", None)]
    bodies = told(live_session)[-20:]
    assert [item.body for item in items[-20:]] == bodies


def test_the_same_entry_has_the_same_words_and_id_from_the_log() -> None:
    """Whoever keeps what was told by id has nothing twice."""
    live_session = sit()
    spin(live_session)
    known, kept = live_session.feed.newest_id, []
    for _ in range(feeds.MAX_KEPT_ITEMS + 5):
        spin(live_session)
        kept += live_session.feed.since(live_session.feed.newest - 1)
    items = missed(live_session, known)[1:]
    assert [(item.id, item.body) for item in items] == [(item.id, item.body) for item in kept]


def test_who_comes_back_in_the_middle_of_a_long_tale_is_told_the_rest() -> None:
    """Its place in the log is enough; so is that of an entry of a game before."""
    live_session = sit()
    for _ in range(3):
        spin(live_session, 300)
        live_session.renew(live_session.header, "another game")
    all_of_it = missed(live_session, FROM_THE_START)
    assert kinds(all_of_it) == []
    first = take(Follower(live_session, entry_of(live_session, 1, 7)))
    assert first[0].body["type"] == "gap"
    for at in (1, 250, 294, 295, 600, len(first) - 2):
        if not first[at].is_entry:
            continue
        rest = [item for item in missed(live_session, first[at].id) if item.is_entry]
        assert [item.id for item in rest] == [item.id for item in first[at + 1 :] if item.is_entry]
    spins = [(item.position, item.body["type"]) for item in first if item.is_entry]
    wanted = [
        (Position(session, seq), "spin" if seq <= 300 else "closed")
        for session in (1, 2, 3)
        for seq in range(1, 302)
    ]
    assert spins == wanted[7:]


def entry_of(live_session: LiveSession, session: int, seq: int) -> str:
    """Return the id of an entry."""
    entry = live_session.log.entries(session)[seq - 1]
    return feeds.entry_id(Position(session, seq), entry.at)


@pytest.mark.parametrize("restart", [False, True])
def test_after_a_restart_no_number_is_mistaken(tmp_path: Path, restart: bool) -> None:
    """Ids of the process before are known by their place in the log; its notices are not."""

    def open_table() -> LiveSession:
        live_session = sit(log=open_log(tmp_path / "game.db"))
        live_session.feed.epoch = f"{live_session.session.next_seq:06x}"
        return live_session

    live_session = open_table()
    spin(live_session, 3)
    an_entry = live_session.feed.newest_id
    say(live_session)
    a_notice = live_session.feed.newest_id
    spin(live_session, 2)
    if restart:
        live_session.log.close()
        live_session = open_table()
        say(live_session, "anew")
    spin(live_session)
    after = [("spin", 4), ("spin", 5), *([("moment", None)] if restart else []), ("spin", 6)]
    gap = [("gap", 3)] if restart else []
    assert kinds(missed(live_session, a_notice)) == gap + after
    own = [] if restart else [("moment", None)]
    assert kinds(missed(live_session, an_entry)) == gap + own + after


def test_the_ids_of_another_log_are_not_known() -> None:
    """A demo has another log each time; its first game is not the one before."""
    one, other = sit(), sit(log=open_log(now=lambda: "another time"))
    for live_session in (one, other):
        spin(live_session, 3)
    assert Follower(one, one.feed.newest_id).resumes
    assert not Follower(other, one.feed.newest_id).resumes


def test_who_was_told_the_state_alone_resumes_after_it() -> None:
    """Also where nothing has been told yet since the start."""
    live_session = sit()
    known = live_session.feed.newest_id
    say(live_session)
    spin(live_session)
    assert kinds(missed(live_session, known)) == [("moment", None), ("spin", 1)]


def test_from_the_start_means_the_whole_game() -> None:
    """Not the one before it; of a long one with a gap."""
    live_session = sit()
    spin(live_session, 2)
    live_session.renew(live_session.header, "another game")
    spin(live_session, 2)
    say(live_session)
    assert kinds(missed(live_session, FROM_THE_START)) == [
        ("spin", 1), ("spin", 2), ("moment", None),
    ]  # fmt: skip
    for _ in range(feeds.MAX_KEPT_ITEMS):
        say(live_session)
    gap, first, second, *notices = kinds(missed(live_session, FROM_THE_START))
    assert [gap, first, second] == [("gap", 0), ("spin", 1), ("spin", 2)]
    assert notices == [("moment", None)] * feeds.MAX_KEPT_ITEMS


def test_a_slow_follower_misses_no_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is dropped while it reads is told from the log."""
    monkeypatch.setattr(feeds, "MAX_KEPT_ITEMS", 4)
    live_session = sit()
    spin(live_session)

    async def read_slowly() -> list[tuple[str, Any]]:
        found = []
        items = Follower(live_session, live_session.feed.newest_id).items()
        spin(live_session)
        for number in range(40):
            item = await anext(items)
            found.append((item.body["type"], item.body["seq"]))
            if number < 10:
                spin(live_session, 5)
            if item.body["seq"] == live_session.session.next_seq - 1:
                break
        return found

    found = asyncio.run(read_slowly())
    assert ("gap", 2) in found
    spins = [seq for kind, seq in found if kind == "spin"]
    assert spins == list(range(2, 2 + len(spins)))
    assert len(spins) > 10


ACTS: dict[str, Callable[[LiveSession], None]] = {
    "entry": spin,
    "notice": say,
    "game": lambda live_session: live_session.renew(live_session.header, "another game"),
}


@given(st.lists(st.sampled_from(list(ACTS)), max_size=30), st.integers(0, 31), st.integers(1, 9))
def test_no_entry_is_ever_left_out_or_told_twice(acts: list[str], at: int, kept: int) -> None:
    """Whatever happens, wherever somebody left, and however little is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feeds, "MAX_KEPT_ITEMS", kept)
        live_session = sit(log=open_log())
        published: list[Item] = []
        publish = Feed.publish

        def keep(feed: Feed, *args: Any) -> None:
            publish(feed, *args)
            published.extend(feed.since(feed.newest - 1))

        patch.setattr(Feed, "publish", keep)
        for act in acts:
            ACTS[act](live_session)
        known = published[min(at, len(published) - 1)] if published else None
        if known is None:
            return
        later = [item for item in published if item.number > known.number]
        items = missed(live_session, known.id)
    entries = [item.id for item in items if item.is_entry]
    assert entries == [item.id for item in later if item.is_entry]
    notices = [item.id for item in items if not item.is_entry and item.id]
    expected = [item.id for item in later if not item.is_entry]
    assert notices == expected[len(expected) - len(notices) :]
    assert (len(notices) == len(expected)) or items[0].body["type"] == "gap"
