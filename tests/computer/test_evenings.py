"""Whole evenings: the companion plays a seat of every game, people do what it says and play too."""

import asyncio
import contextlib
from random import Random

import pytest

from companion.apps.computer.engine import Task
from companion.apps.computer.hands import NotThatCard, hands_of
from companion.apps.computer.seats import ComputerSeats
from companion.players import Choice, choose
from companion.referee.live_session import LiveSession
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.rules.tiki_topple import TIKIS
from tests.computer.seats import meanwhile, settle, with_computers
from tests.referee.entering import sit
from tests.tables import sit_down
from tests.tapping import is_wise

PLAYABLE = [name for name in GAMES if game_of(name).has_own_play]
STEPS = 250
"""Things that happen at a table; enough for a round of any of the games."""


async def search(task: Task) -> Choice:
    """Return what the companion chooses, here instead of in its own process."""
    return choose(task.game, task.seen, task.seat, task.level, task.seed, time_s=10)


def people_act(live: LiveSession, rng: Random) -> bool:
    """Do at the table what comes next; False if nobody has anything to do."""
    meant, game, state = live.intention, live.game, live.session.state
    if meant is not None and meant.mark:
        live.referee.enter(meant.action)
        return True
    for seat in range(len(live.header.players)):
        if hands_of(live).missing(seat):
            cards = [name for _, cards in game.hand_choices(state, seat) for name, _, _ in cards]
            with contextlib.suppress(NotThatCard):  # more of a kind than there are
                hands_of(live).show(seat, rng.choice(cards))
            return True
    return enter_something(live, rng)


def enter_something(live: LiveSession, rng: Random) -> bool:
    """Enter what a person does, or what chance did."""
    for seat in live.game.secrets_due(live.session.state):
        live.referee.enter(f"card {seat} {' '.join(rng.sample(live.session.state.line, 3))}")
        return True
    offers = list(live.referee.offers()) or starts(live)
    rng.shuffle(offers)
    offers.sort(key=lambda each: not is_wise(rng, each))
    for action in offers:
        with contextlib.suppress(RulesError):  # a card that the companion holds, for one
            live.referee.enter(action)
            return True
    return False


def starts(live: LiveSession) -> list[str]:
    """Return what puts up a new line."""
    return ["line " + " ".join(TIKIS)] if live.game.shifts else []


async def play(live: LiveSession, rng: Random) -> int:
    """Play at *live* for a while; return how many moves the companion has made."""
    async with meanwhile(ComputerSeats(live, search).play()):
        for _ in range(STEPS):
            await settle()
            if live.game.rules.outcome(live.session.state) or not people_act(live, rng):
                break
            live.changed()
    return sum(act.seat == 1 for act in live.session.history.acts)


@pytest.mark.parametrize("game", PLAYABLE)
def test_an_evening_with_the_companion_goes_on_to_its_end(game: str) -> None:
    """Nothing is refused, nothing gets stuck, and no search fails."""
    live = with_computers(sit(game, seats=2), "", "gentle")
    moves = asyncio.run(play(live, Random(7)))
    assert moves > 5
    assert not live.troubles
    assert live.game.rules.outcome(live.session.state) or len(live.session.history.acts) > 100


async def first_intention(live: LiveSession) -> str:
    """Return what the companion means to do first at *live*."""
    async with meanwhile(ComputerSeats(live, search).play()):
        return live.intention.action if live.intention else ""


@pytest.mark.parametrize("other", ["nani huhu nui", "hookipa lokahi eepo", "kapu akamai wikiwiki"])
def test_what_another_seat_keeps_to_itself_changes_nothing(other: str) -> None:
    """Twins that differ in the neighbour's secret card; its own is the same."""
    found = []
    for card in ("nani huhu nui", other):
        live = with_computers(sit_down(2), "gentle")
        live.referee.enter_secret(0, "card 0 eepo huhu nui")
        live.referee.enter_secret(1, f"card 1 {card}")
        found.append(asyncio.run(first_intention(live)))
    assert found[0]
    assert found[0] == found[1]


def test_its_own_secret_card_does_change_it() -> None:
    """The test before could fail: with another card of its own it means something else."""
    found = set()
    for card in ("nani huhu nui", "eepo lokahi hookipa", "kapu akamai wikiwiki", "nui kapu nani"):
        live = with_computers(sit_down(2), "strong")
        live.referee.enter_secret(0, f"card 0 {card}")
        found.add(asyncio.run(first_intention(live)))
    assert len(found) > 1
