"""Whole rounds before the referee, and what it makes of pictures that are not sure."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee.explain import tables
from companion.referee.hypotheses import Proposal, hypothesis_of
from companion.rules.tiki_topple import TIKIS
from tests.tables import SIDES, moves, random_round, see, see_hand, sit_down, told
from vision.observation import EMPTY, HIDDEN, Evidence, Observation, Reason, Status

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])


def unclear(line: tuple[str, ...], shares: dict[str, float], *unsure: int) -> Observation:
    """Return an observation of *line* that is not sure of the slots *unsure*."""
    padded = (*line, *[EMPTY] * (9 - len(line)))
    slots = [
        Evidence(shares if slot in unsure else {name: 0.97}) for slot, name in enumerate(padded)
    ]
    return Observation("1", Status.UNSETTLED, tuple(slots), reason=Reason.UNCLEAR)


def test_the_rules_help_where_one_piece_alone_is_unsure() -> None:
    """Only one legal line fits what is seen of the others, and the piece may well be it."""
    live_session = sit_down()
    live_session.observe(unclear(LOKAHI_UP, {"lokahi": 0.5, "hookipa": 0.5}, 0))
    assert moves(live_session) == [(0, "up1 lokahi")]


@pytest.mark.parametrize(
    "shares",
    [
        {"lokahi": 0.5, "hookipa": 0.5},
        {"kapu": 0.9},
    ],
)
def test_the_rules_never_make_up_what_was_not_seen(shares: dict[str, float]) -> None:
    """Even chances where two moves differ, covered slots and a contradiction are waited out."""
    live_session = sit_down()
    live_session.observe(unclear(LOKAHI_UP, shares, 0, 1))
    assert moves(live_session) == []
    assert live_session.referee.waiting or live_session.referee.question


def test_what_is_hidden_is_taken_to_be_as_it_was() -> None:
    """A move under a cup is no move, and nobody is asked; once the cup is gone it is one."""
    live_session = sit_down()
    for shares in ({HIDDEN: 1.0}, {"lokahi": 0.1, "hookipa": 0.1, HIDDEN: 0.8}):
        live_session.observe(unclear(LOKAHI_UP, shares, 0, 1))
    assert moves(live_session) == []
    assert told(live_session, "ask", "illegal") == []
    live_session.observe(see("2", LOKAHI_UP))
    assert moves(live_session) == [(0, "up1 lokahi")]


@given(seed=st.integers(0, 100_000), seats=st.integers(2, 4))
def test_every_random_round_is_followed_move_by_move(seed: int, seats: int) -> None:
    """With arms in view each move of a whole round is accepted, in order and rightly."""
    rng = random.Random(seed)
    played = random_round(rng, seats, TIKIS)
    live_session = sit_down(seats, rounds=1)
    for number, (seat, _, line) in enumerate(played):
        live_session.observe(see_hand(f"h{number}", SIDES[seat]))
        live_session.observe(see(str(number), line))
    accepted = told(live_session, "move")
    assert len(accepted) == len(played)
    for move, (seat, action, _) in zip(accepted, played, strict=True):
        assert move["seat"] == seat
        assert action in (move["action"], *move.get("also", ()))
    assert told(live_session, "illegal", "ask", "undo") == []


@given(seed=st.integers(0, 100_000), data=st.data())
@pytest.mark.slow
def test_swaps_by_mistake_never_become_moves(seed: int, data: st.DataObject) -> None:
    """Wrong swaps, put right again, leave exactly the true moves in the log."""
    played = random_round(random.Random(seed), 3, TIKIS)
    live_session = sit_down(3, rounds=1)
    line: tuple[str, ...] = TIKIS
    for number, (seat, action, after) in enumerate(played):
        if data.draw(st.booleans()):
            first, second = data.draw(
                st.lists(st.integers(0, len(line) - 1), min_size=2, max_size=2, unique=True)
            )
            wrong = [*line]
            wrong[first], wrong[second] = wrong[second], wrong[first]
            hypothesis = hypothesis_of(live_session.game, Proposal(live_session.session.history))
            padded = (*wrong, *(EMPTY,) * (9 - len(wrong)))
            if padded not in tables(live_session.game, hypothesis):
                live_session.observe(see_hand(f"m{number}", SIDES[seat]))
                live_session.observe(see(f"wrong{number}", wrong))
                live_session.observe(see_hand(f"n{number}", SIDES[seat]))
                live_session.observe(see(f"right{number}", line))
                assert told(live_session, "illegal")
        live_session.observe(see_hand(f"h{number}", SIDES[seat]))
        live_session.observe(see(str(number), after))
        line = after
        last = live_session.session.history.last_move()
        assert last
        assert last.seat == seat
        assert action in last.forms
    assert len(moves(live_session)) == len(played)
