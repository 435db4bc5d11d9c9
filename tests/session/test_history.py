"""The fold from entries to the game as it stands."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tiki_topple.game import GAME
from companion.rules import tiki_topple
from companion.rules.tiki_topple import TIKIS
from companion.session.events import (
    ChanceObserved,
    Entry,
    Event,
    MoveAccepted,
    MoveCorrected,
    MoveUndone,
    SecretEntered,
)
from companion.session.history import History, ReplayError
from tests.tables import random_round


def new_history(seats: int = 3) -> "History[tiki_topple.State, tiki_topple.Action]":
    """Return the history of a game in which nothing has happened yet."""
    start = tiki_topple.initial(seats, None, {"line": list(TIKIS)})
    return History(GAME, start)


def follow(*events: Event) -> "History[tiki_topple.State, tiki_topple.Action]":
    """Return the history after *events*, numbered from 1."""
    history = new_history()
    history.follow(Entry(seq, "", event) for seq, event in enumerate(events, start=1))
    return history


def test_a_move_changes_the_state() -> None:
    """The state is the fold of the entries."""
    assert follow(MoveAccepted(0, "up1 lokahi")).state.line[:2] == ("lokahi", "hookipa")


def test_an_illegal_entry_is_refused_and_changes_nothing() -> None:
    """TT-8: a first card cannot be Toast, and the history stays as it was."""
    history = new_history()
    with pytest.raises(ReplayError, match="toast nui"):
        history.take(Entry(1, "", MoveAccepted(0, "toast nui")))
    assert history.acts == []
    assert len(history.positions) == 1


def test_an_undone_move_leaves_no_trace_in_the_state() -> None:
    """Undo is exact: the state equals the one before."""
    history = follow(MoveAccepted(0, "up1 lokahi"), MoveUndone(1, "up1 lokahi"))
    assert history.state == new_history().state


def test_undoing_a_move_takes_back_all_after_it() -> None:
    """What came after rested on it."""
    history = follow(
        MoveAccepted(0, "up1 lokahi"), MoveAccepted(1, "up2 nani"), MoveUndone(1, "up1 lokahi")
    )
    assert history.state == new_history().state


def test_undoing_a_replacement_brings_back_what_was_replaced() -> None:
    """It counts again, as the entry that it was, unless a picture shows that it is gone."""
    replaced = (
        MoveAccepted(0, "up1 lokahi"),
        MoveUndone(1, "up1 lokahi", replaced=True),
        MoveAccepted(0, "up2 nani"),
    )
    back = follow(*replaced, MoveUndone(3, "up2 nani"))
    assert [(act.seq, act.forms) for act in back.acts] == [(1, ("up1 lokahi",))]
    assert back.state == follow(MoveAccepted(0, "up1 lokahi")).state
    assert follow(*replaced, MoveUndone(3, "up2 nani", frame="7.jpg")).acts == []


def test_a_take_back_before_another_move_brings_nothing_back() -> None:
    """Nothing says that the move that followed was in its place."""
    history = follow(
        MoveAccepted(0, "up1 lokahi"),
        MoveUndone(1, "up1 lokahi"),
        MoveAccepted(0, "up2 nani"),
        MoveUndone(3, "up2 nani"),
    )
    assert history.acts == []


def test_taking_back_what_came_before_a_replacement_brings_nothing_back() -> None:
    """All that came after it rested on it, what was replaced too."""
    history = follow(
        MoveAccepted(0, "up1 lokahi"),
        MoveAccepted(1, "up1 nani"),
        MoveUndone(2, "up1 nani", replaced=True),
        MoveAccepted(1, "up2 nani"),
        MoveUndone(1, "up1 lokahi"),
    )
    assert history.acts == []


def test_undoing_what_does_not_count_is_refused() -> None:
    """A number that is not a move that still counts is named."""
    with pytest.raises(ReplayError, match="entry 7"):
        follow(MoveUndone(7, "up1 lokahi"))


def test_a_correction_moves_all_later_moves_on_top() -> None:
    """The moves after the corrected one are played anew from the corrected line."""
    corrected = follow(
        MoveAccepted(0, "up1 nani", table=None),
        MoveAccepted(1, "up3 nui"),
        MoveCorrected(1, "up2 nani"),
    )
    assert corrected.state == follow(MoveAccepted(0, "up2 nani"), MoveAccepted(1, "up3 nui")).state


def test_a_correction_that_breaks_a_later_move_is_refused_whole() -> None:
    """TT-7: after the correction another tiki is last, so the later Toast is illegal."""
    events = (
        MoveAccepted(0, "up1 nani"),
        MoveAccepted(1, "up1 lokahi"),
        MoveAccepted(2, "up3 nui"),
        MoveAccepted(0, "toast eepo"),
    )
    history = follow(*events)
    before = history.state
    with pytest.raises(ReplayError, match="toast eepo"):
        history.take(Entry(5, "", MoveCorrected(3, "up2 kapu")))
    assert history.state == before


def test_two_forms_of_a_move_live_on_until_one_is_ruled_out() -> None:
    """Up 1 on the last tiki or Topple on the one above it: the hand tells later."""
    last, above = TIKIS[-1], TIKIS[-2]
    line = (*TIKIS[:-2], last, above)
    history = follow(MoveAccepted(0, f"up1 {last}", (f"topple {above}",), line))
    assert len(history.branches) == 2
    assert history.forms(1) == {f"up1 {last}", f"topple {above}"}
    for seq, (seat, action) in enumerate([(1, "up1 nani"), (2, "up1 kapu"), (0, "up1 huhu")], 2):
        history.take(Entry(seq, "", MoveAccepted(seat, action)))
    assert history.forms(1) == {f"topple {above}"}
    assert len(history.branches) == 1


def test_forms_that_came_to_the_same_state_are_not_told_apart() -> None:
    """Playing both cards either way round leaves one state, and no certainty about the past."""
    last, above = TIKIS[-1], TIKIS[-2]
    swapped = (*TIKIS[:-2], last, above)
    history = follow(
        MoveAccepted(0, f"up1 {last}", (f"topple {above}",), swapped),
        MoveAccepted(1, "up1 nani"),
        MoveAccepted(2, "up1 kapu"),
        MoveAccepted(0, f"topple {last}", (f"up1 {above}",)),
    )
    assert len(history.branches) == 1
    assert len(history.forms(1)) == 2


def test_secrets_are_kept_by_round_and_seat() -> None:
    """A secret is outside the state until it is shown."""
    history = follow(SecretEntered(1, 1, "card 1 kapu nui nani"))
    assert history.secrets == {(1, 1): "card 1 kapu nui nani"}
    assert history.state.cards == (None, None, None)


def test_a_line_can_be_observed() -> None:
    """A game without a told line begins with an observed one."""
    start = tiki_topple.initial(2)
    history = History(GAME, start)
    history.take(Entry(1, "", ChanceObserved(" ".join(("line", *TIKIS)))))
    assert history.state.line == TIKIS


@given(seed=st.integers(0, 10_000), seats=st.integers(2, 4), back=st.integers(1, 5))
def test_replay_and_undo_reproduce_every_state(seed: int, seats: int, back: int) -> None:
    """Following the entries gives each state again, and undoing them each one before."""
    played = random_round(random.Random(seed), seats, TIKIS)
    start = tiki_topple.initial(seats, {"rounds": 1}, {"line": list(TIKIS)})
    history = History(GAME, start)
    states = [history.state]
    for seq, (seat, action, line) in enumerate(played, start=1):
        history.take(Entry(seq, "", MoveAccepted(seat, action, (), line)))
        assert history.state.line == line
        states.append(history.state)
    for count in range(1, min(back, len(played)) + 1):
        undone = len(played) + 1 - count
        history.take(Entry(100 + count, "", MoveUndone(undone, "")))
        assert history.state == states[-1 - count]


def test_a_card_entered_by_hand_is_taken_back_though_a_phone_once_kept_the_same() -> None:
    """What the companion shows of a kept card is not the newest act; what people enter is."""
    played = random_round(random.Random(5), 3, TIKIS)
    moves = [MoveAccepted(seat, action) for seat, action, _ in played]
    cards = "nani huhu nui"
    kept: list[Event] = [SecretEntered(0, 1, f"card 0 {cards}"), *moves]
    shown = follow(*kept, ChanceObserved(f"card 0 {cards}"))
    newest = shown.newest()
    assert newest is not None
    assert newest.forms[0] == moves[-1].action
    entered = follow(*kept, ChanceObserved(f"card 0 {cards}", by="hand"))
    newest = entered.newest()
    assert newest is not None
    assert newest.forms == (f"card 0 {cards}",)
