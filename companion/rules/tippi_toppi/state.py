"""States of Tippi Toppi."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.rules.tippi_toppi.cards import Card
from companion.rules.tippi_toppi.goals import Goal, Tops

Phase: TypeAlias = Literal["lay", "goal", "play", "draw", "over"]
Hand: TypeAlias = tuple[Card, ...] | None  # in order; what is hidden comes first, as -1


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose; the log's header holds it, so that a game replays exactly.

    difficulty, goals: a level of the rulebook's table, and how many goals are to be met (TP-2).
    goal_deck: the texts of the goal cards; () if unknown, then any goal of the grammar may come up.
    high_speed: no turns, and five minutes (TP-14).  silence: no talk (TP-15).
    open_hands: everybody shows the hand (TP-16).
    run_order: what a run without a word on its card means (TP-7).
    alternating: "exact" wants no third pile of the colour, "any" does not mind (TP-7).
    """

    difficulty: str
    goals: int
    goal_deck: tuple[str, ...] = ()
    high_speed: bool = False
    silence: bool = False
    open_hands: bool = False
    run_order: str = "ascending"
    alternating: str = "exact"


@dataclass(slots=True, unsafe_hash=True)
class State:
    """One moment of a game. Whoever makes a copy fills it in; after that none is ever changed.

    phase: "lay" waits for a pile's first card, "goal" for a goal turned up, "play" for a play,
        "draw" for what a known hand drew.
    seat: whose turn it is; not in High Speed.
    piles: the cards of each pile, oldest first.  tops: the last of each.
    hands: by seat, the cards; each that the engine does not know is HIDDEN. None in High Speed if
        no hand was known at the set-up: it is not seen then who plays.
    deck: the cards to draw where their order is known.  cards_left: how many there are to draw.
    goals: the open goals, those last that the players check themselves.
    coming: the texts of those to turn up, where known.  goals_left: how many there are.
    met: the goals met, in order.
    drawer: who is to draw, once the goals have been seen to; None for nobody.
    ended_by: the clause that ended the game.  time_up: whether the five minutes did (TP-14).
    """

    options: Options
    phase: Phase
    seat: int
    piles: tuple[tuple[Card, ...], ...]
    tops: Tops
    hands: tuple[Hand, ...]
    deck: tuple[Card, ...]
    cards_left: int
    goals: tuple[Goal, ...]
    coming: tuple[str, ...]
    goals_left: int
    met: tuple[Goal, ...]
    drawer: int | None
    ended_by: str
    time_up: bool = False

    def copy(self) -> "State":
        """Return the same again, to be filled in."""
        new = State.__new__(State)
        new.options, new.phase, new.seat = self.options, self.phase, self.seat
        new.piles, new.tops, new.hands = self.piles, self.tops, self.hands
        new.deck, new.cards_left, new.drawer = self.deck, self.cards_left, self.drawer
        new.goals, new.coming, new.goals_left = self.goals, self.coming, self.goals_left
        new.met, new.ended_by, new.time_up = self.met, self.ended_by, self.time_up
        return new

    def _replace(self, **changes: Any) -> "State":
        """Return the same with *changes*."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new
