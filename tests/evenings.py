"""Evenings for tests: what people and sensors tell of whole games, and how these truly end.

The cards of UNO Tiki are known to the people alone: they play with a deck that the companion never
sees.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.config import example
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules import topple, uno_tiki
from companion.session.session import Header

PLAYERS = ("Ann", "Bob", "Cem", "Dia")
KEY = "a-long-evening"
Kind = Literal["tell", "sensor"]


@dataclass
class Evening:
    """A game that was played: its header, what was told of it, and the scores at the end."""

    header: Header
    steps: list[tuple[Kind, str]] = field(default_factory=list)
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    def tell(self, words: str) -> None:
        """Add what people tap in."""
        self.steps.append(("tell", words))

    def sense(self, words: str) -> None:
        """Add what a sensor finds out."""
        self.steps.append(("sensor", words))


def settings(evening: Evening) -> str:
    """Return a config for *evening*: no camera, simulated sensors."""
    header = evening.header
    first = next(iter(header.setup.values()), -1)
    target = header.options["target"]
    return (
        example()
        .replace('game = "auto"', f'game = "{header.game}"')
        .replace('source = "recording"', 'source = "none"')
        .replace('"Red", "Blue", "Yellow", "Green"', json.dumps(header.players)[1:-1])
        .replace("first = 0", f"first = {first}")
        .replace("options = {}", f"options = {{ target = {target} }}")
        .replace('key = ""', f'key = "{KEY}"')
    )


def assert_won(board: dict[str, Any], evening: Evening) -> None:
    """Fail unless the companion and the people agree on scores and winners."""
    assert tuple(player["score"] for player in board["players"]) == evening.scores
    assert tuple(board["winners"] or ()) == evening.winners


def topple_evening(seed: int, seats: int = 3, target: int = 15) -> Evening:
    """Return a game of Topple with falls, knocks, knocked tables, slips and second thoughts."""
    rng = random.Random(seed)
    header = open_header(game_of("topple"), PLAYERS[:seats], {"target": target}, None)
    evening = Evening(header)
    state = topple.initial(seats, header.options, header.setup)
    while state.phase != "over":
        chance = rng.random()
        if chance < 0.1:
            evening.sense(rng.choice(["knock", "wobble", "lean", "still", "spin 90 3"]))
        legal = topple.legal_actions(state)
        moves = [act for act in legal if isinstance(act, topple.Rolled | topple.Placed)]
        action: topple.Action = _best(state, moves, rng)
        if chance > 0.99 and state.phase == "place":
            action = topple.Toppled()
            evening.sense("topple")
        elif chance > 0.985 and state.phase == "roll" and any(state.cells):
            action = topple.Knocked(rng.randrange(seats))
            evening.sense("topple")
            evening.sense(f"press me {action.seat}")
        else:
            if chance > 0.9:
                evening.tell(topple.format_action(rng.choice(moves)))
                evening.sense("press undo") if chance > 0.92 else evening.tell("undo")
            evening.tell(topple.format_action(action))
        state = topple.apply(state, action)
    outcome = topple.outcome(state)
    assert outcome
    evening.scores, evening.winners = outcome.scores, outcome.winners
    return evening


def _best(
    state: topple.State, moves: list[topple.Rolled | topple.Placed], rng: random.Random
) -> topple.Action:
    """Return a roll, or the placement that earns most: so games come to an end."""
    rng.shuffle(moves)
    return max(moves, key=lambda move: topple.totals(topple.apply(state, move))[state.seat])


class _Cards:
    """UNO Tiki as the people see it, beside what the companion can know of it."""

    def __init__(self, rng: random.Random, seats: int, target: int) -> None:
        self.rng, self.seats = rng, seats
        self.header = open_header(game_of("uno_tiki"), PLAYERS[:seats], {"target": target}, 0)
        deck = self.header.options["deck"]
        cards = [card for card, copies in deck.items() for _ in range(copies)]
        decks = [rng.sample(cards, len(cards)) for _ in range(30)]
        setup = {**self.header.setup, "decks": decks}
        self.true = uno_tiki.initial(seats, self.header.options, setup)
        self.known = uno_tiki.initial(seats, self.header.options, self.header.setup)
        self.evening = Evening(self.header)

    def play(self) -> Evening:
        """Play until somebody has won."""
        while self.true.phase != "over":
            if self.known.phase == "turn_up":
                for card in (*self.true.idol, *self.true.discard):
                    self.tell(f"turn {card}")
            self.act()
        outcome = uno_tiki.outcome(self.true)
        assert outcome
        self.evening.scores, self.evening.winners = outcome.scores, outcome.winners
        return self.evening

    def act(self) -> None:
        """Let the people do one thing, and tell it."""
        rounds = len(self.true.match.rounds)
        legal = uno_tiki.legal_actions(self.true)
        plays = [action for action in legal if isinstance(action, uno_tiki.Played)]
        action = self.rng.choice(plays or legal)
        if isinstance(action, uno_tiki.Caught) and self.rng.random() < 0.7:
            action = uno_tiki.Called(action.seat)
        self.true = uno_tiki.apply(self.true, action)
        self.pass_on(action)
        if self.known.phase == "discard" and self.true.phase != "discard":
            self.tell("keep")
        while self.known.phase == "count":
            seat = self.known.match.counted.index(None)
            held = self.true.match.rounds[rounds].held[seat]
            self.tell(f"count {seat} {held}")

    def pass_on(self, action: uno_tiki.Action) -> None:
        """Tell *action*: spins and calls by sensor, all else by tapping."""
        match action:
            case uno_tiki.Spun(seats):
                self.evening.sense(spin_words(seats, self.seats))
            case uno_tiki.Called(seat):
                self.evening.sense(f"press uno {seat}")
            case _:
                self.evening.tell(uno_tiki.format_action(action))
        self.known = uno_tiki.apply(self.known, action)

    def tell(self, text: str) -> None:
        """Tell what the people do not have to decide."""
        self.evening.tell(text)
        self.known = uno_tiki.apply(self.known, uno_tiki.parse_action(text))


def spin_words(seats: tuple[int, ...], around: int) -> str:
    """Return how a simulated idol stops at *seats* of *around*."""
    width = 360 / around
    if not seats:
        return "spin 10 0.5"
    if len(seats) == 1:
        return f"spin {seats[0] * width} 1.5"
    start = seats[1] if set(seats) == {0, around - 1} and around > 2 else seats[0]
    return f"spin {(start + 0.5) * width} -2.5"


def uno_evening(seed: int, seats: int = 3, target: int = 150) -> Evening:
    """Return a game of UNO Tiki, played with cards that the companion does not know."""
    return _Cards(random.Random(seed), seats, target).play()


def forms_of(evening: Evening) -> Iterator[dict[str, Any]]:
    """Yield the steps as the forms that the companion's address for commands takes."""
    for kind, words in evening.steps:
        yield {"action" if kind == "tell" else "sensor": words}
