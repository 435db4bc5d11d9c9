"""Tables to play at: of every game each two of a player count, a variant and what is known.

Not each combination of all three: what two of them do together is met somewhere.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from companion import registry
from companion.games.tippi_toppi.deck import load_goals
from companion.rules import score_sheet, tactiki, tiki_topple, tippi_toppi, topple, uno_tiki
from companion.rules.protocol import Spoken

Setup = dict[str, Any]
MOST_STEPS: Final = 20_000


@dataclass(frozen=True)
class Table:
    """A game as some people play it.

    setup: draws all that chance decides, so that the engine knows it; None leaves it blind.
    rare: first words of action texts that a random player picks once in a hundred times only, so
        that games end.
    """

    rules: Spoken[Any, Any]
    seats: int
    options: dict[str, Any] = field(default_factory=dict)
    setup: Callable[[Random, int], Setup] | None = None
    rare: frozenset[str] = frozenset()

    def __str__(self) -> str:
        known = "known" if self.setup else "blind"
        options = "-".join(
            f"{key}={value}" for key, value in self.options.items() if "deck" not in key
        )
        return f"{self.rules.NAME}-{self.seats}-{known}-{options[:40]}"

    def initial(self, rng: Random) -> Any:
        """Return the start of a game, drawing from *rng* what is known."""
        return self.rules.initial(
            self.seats, self.options, self.setup and self.setup(rng, self.seats)
        )

    def pick(self, rng: Random, actions: tuple[Any, ...]) -> Any:
        """Return one of *actions* as a random player would."""
        action = rng.choice(actions)
        for _ in range(6):
            if self.rules.format_action(action).split()[0] not in self.rare:
                break
            action = rng.choice(actions)
        return action


def walk(table: Table, rng: Random, steps: int = MOST_STEPS) -> Iterator[tuple[Any, Any]]:
    """Yield each state of a random game with the action taken there, None in the last."""
    state = table.initial(rng)
    for _ in range(steps):
        actions = table.rules.legal_actions(state)
        if not actions:
            yield state, None
            return
        action = table.pick(rng, actions)
        yield state, action
        state = table.rules.apply(state, action)
    yield state, None


def play(table: Table, rng: Random, steps: int = MOST_STEPS) -> Any:
    """Return the last state of a random game of at most *steps* actions."""
    *_, (state, _) = walk(table, rng, steps)
    return state


def tiki_topple_setup(rng: Random, seats: int) -> Setup:
    """Return starting lines and secret cards for more rounds than a game has."""
    return {
        "first": rng.randrange(seats),
        "rounds": [
            {
                "line": rng.sample(tiki_topple.TIKIS, 9),
                "cards": [rng.sample(tiki_topple.TIKIS, 3) for _ in range(seats)],
            }
            for _ in range(12)
        ],
    }


def tiki_topple_tables() -> Iterator[Table]:
    """Yield tables for Tiki Topple."""
    share, toasts = {"tie": "share", "rounds": 1}, {"hand": ["toast", "toast", "toast", "topple"]}
    yield Table(tiki_topple, 2, {}, tiki_topple_setup)
    yield Table(tiki_topple, 2, share)
    yield Table(tiki_topple, 3, {"topple_last": True})
    yield Table(tiki_topple, 3, toasts, tiki_topple_setup)
    yield Table(tiki_topple, 4, {"hand": ["up1", "up2"], "rounds": 2}, tiki_topple_setup)
    yield Table(tiki_topple, 4, {"rounds": 7})


def tactiki_setup(rng: Random, _: int) -> Setup:
    """Return both sides' ranks."""
    ranks = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    return {"ranks": {side: rng.sample(ranks, 10) for side in tactiki.SIDES}}


def half_known_setup(rng: Random, seats: int) -> Setup:
    """Return TAC's ranks only."""
    return {"ranks": {"tiki": None, "tac": tactiki_setup(rng, seats)["ranks"]["tac"]}}


def tactiki_tables() -> Iterator[Table]:
    """Yield tables for TacTiki."""
    yield Table(tactiki, 2, {}, tactiki_setup)
    yield Table(tactiki, 2)
    yield Table(tactiki, 2, {"statue": "pure"}, half_known_setup)
    yield Table(tactiki, 2, {"repetition": 0, "quiet_turns": 30}, tactiki_setup)


FALLS: Final = frozenset(("topple", "knock"))


def topple_setup(rng: Random, seats: int) -> Setup:
    """Return who begins."""
    return {"first": rng.randrange(seats)}


def topple_tables() -> Iterator[Table]:
    """Yield tables for Topple."""
    loose = {"must_place": False, "next_start": "roll", "target": 30, "tie": "share"}
    single = {"colours": ["red", "white", "black", "grey"], "two_colours": False, "target": 20}
    completed = {"count_completing": True, "next_start": "same", "target": 60}
    for seats, options in ((2, loose), (2, single), (2, completed), (4, {"young": True})):
        yield Table(topple, seats, options, topple_setup, rare=FALLS)
    yield Table(topple, 3, {}, rare=FALLS)


GOALS: Final = load_goals().cards
LOSSES: Final = frozenset(("stuck", "time"))


def tippi_toppi_setup(rng: Random, seats: int) -> Setup:
    """Return the order of all cards and goals."""
    deck = [name for name in tippi_toppi.NAMES for _ in range(2)]
    return {
        "first": rng.randrange(seats),
        "deck": rng.sample(deck, 56),
        "goals": rng.sample(GOALS, 22),
    }


def goals_alone(rng: Random, seats: int) -> Setup:
    """Return the order of the goals only."""
    return {"goals": tippi_toppi_setup(rng, seats)["goals"]}


def told_to_some(rng: Random, seats: int) -> Setup:
    """Return the goals and some hands; the cards to draw are unknown."""
    setup = tippi_toppi_setup(rng, seats)
    deck = setup.pop("deck")
    hands = [None if rng.random() < 0.4 else deck[4 * s : 4 * s + 4] for s in range(seats)]
    return {**setup, "hands": hands}


def tippi_toppi_tables() -> Iterator[Table]:
    """Yield tables for Tippi Toppi."""
    fast, whole = {"high_speed": True}, {"goal_deck": GOALS}
    for seats, options, setup in (
        (1, whole, None),
        (1, fast, told_to_some),
        (2, fast, tippi_toppi_setup),
        (2, {}, told_to_some),
        (2, {"silence": True, "goals": 3}, goals_alone),
        (3, {"open_hands": True}, told_to_some),
        (4, fast, None),
        (4, whole, tippi_toppi_setup),
    ):
        yield Table(tippi_toppi, seats, options, setup, LOSSES)
    champion = {"open_hands": True, "difficulty": "champion"}
    anyhow = {"run_order": "any", "alternating": "any", "difficulty": "beginner"}
    yield Table(tippi_toppi, 3, champion, tippi_toppi_setup)
    yield Table(tippi_toppi, 3, anyhow, tippi_toppi_setup)


def census(deck: dict[str, int] | None = None) -> list[str]:
    """Return every card of a deck of UNO Tiki."""
    return [card for card, n in (deck or uno_tiki.usual_census()).items() for _ in range(n)]


def uno_tiki_setup(rng: Random, seats: int) -> Setup:
    """Return the dealer and the order of the cards of some rounds; later ones are blind."""
    decks = [rng.sample(census(), 112) for _ in range(6)]
    return {"dealer": rng.randrange(seats), "decks": decks}


def some_hands_setup(rng: Random, seats: int) -> Setup:
    """Return the dealer and some hands; the cards to draw are unknown."""
    cards = rng.sample(census(), 112)
    hands = [None if rng.random() < 0.4 else cards[7 * s : 7 * s + 7] for s in range(seats)]
    return {"dealer": rng.randrange(seats), "hands": hands}


SMALL_DECK: Final = {card: 2 for card in uno_tiki.KINDS if card.split("-")[-1] != "spin"}


def small_deck_setup(rng: Random, seats: int) -> Setup:
    """Return one round with a small deck."""
    return {
        "dealer": seats - 1,
        "decks": [rng.sample(census(SMALL_DECK), sum(SMALL_DECK.values()))],
    }


def uno_tiki_tables() -> Iterator[Table]:
    """Yield tables for UNO Tiki."""
    lowest = {"scoring": "lowest", "two_player_reverse": "none", "discard_two": "two_or_none"}
    plain = {"last_card_spin": False, "goto_overrides_skip": False, "discard_two": "two_or_none"}
    for seats, target, options, setup in (
        (2, 150, lowest, uno_tiki_setup),
        (2, 100, {}, None),
        (2, 50, {"two_player_reverse": "none"}, some_hands_setup),
        (3, 80, lowest, None),
        (3, 100, plain, uno_tiki_setup),
        (5, 80, plain, None),
        (7, 50, {}, some_hands_setup),
        (10, 100, {}, uno_tiki_setup),
        (4, 60, {"deck": SMALL_DECK}, small_deck_setup),
    ):
        yield Table(uno_tiki, seats, {"target": target, **options}, setup)


def score_sheet_tables() -> Iterator[Table]:
    """Yield score sheets that end by a target, by rounds, and at last by themselves."""
    yield Table(score_sheet, 1)
    yield Table(score_sheet, 2, {"target": 2000})
    yield Table(score_sheet, 3, {"rounds": 5, "lowest": True})
    yield Table(score_sheet, 10, {"of": "uno_tiki", "rounds": 2})


TABLES: Final = (
    *tiki_topple_tables(),
    *tactiki_tables(),
    *topple_tables(),
    *tippi_toppi_tables(),
    *uno_tiki_tables(),
    *score_sheet_tables(),
)
GAMES: Final[tuple[Spoken[Any, Any], ...]] = tuple(dict.fromkeys(table.rules for table in TABLES))


def list_unplayed() -> list[str]:
    """Return the games of the registry that are played at none of these tables."""
    played = {rules.NAME for rules in GAMES}
    return [name for name in registry.GAMES if name not in played]
