"""Games that differ in a secret alone, and what may be played in both of them just the same."""

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules import tactiki
from companion.rules.base import RulesError
from companion.rules.tactiki import RANKS
from companion.rules.tiki_topple import TIKIS
from companion.rules.tippi_toppi import NAMES as CARDS
from companion.rules.uno_tiki import KINDS
from companion.session.session import Header
from tests.onlookers import OWNER, open_timeless_log
from tests.tables import NAMES
from tests.web.visitors import Visitor

Secret: TypeAlias = tuple[str, ...]
LINE: Final = " ".join(("line", *TIKIS))
MOST: Final = {"tiki_topple": 40, "tactiki": 60, "tippi_toppi": 40, "uno_tiki": 40}
"""So many actions are played at most."""
PRIVATE: Final = ("cards", "ranks", "pools", "hands")
"""What a state holds by seat that is a secret of that seat."""


def other_cards(rng: random.Random) -> tuple[Secret, Secret]:
    """Return two secret cards of Tiki Topple."""
    return tuple(rng.sample(TIKIS, 3)), tuple(rng.sample(TIKIS, 3))


def other_ranks(rng: random.Random) -> tuple[Secret, Secret]:
    """Return the ranks of a tribe in two orders that differ in two pieces."""
    ranks = list(map(str, RANKS * 2))
    rng.shuffle(ranks)
    twin = ranks.copy()
    here = rng.randrange(10)
    there = rng.choice([place for place in range(10) if ranks[place] != ranks[here]])
    twin[here], twin[there] = ranks[there], ranks[here]
    return tuple(ranks), tuple(twin)


def other_hand(kinds: Sequence[str], cards: int, rng: random.Random) -> tuple[Secret, Secret]:
    """Return two hands that differ in a third of their cards."""
    drawn = rng.sample(kinds, cards + cards // 3)
    return tuple(drawn[:cards]), tuple(drawn[cards // 3 :])


@dataclass(frozen=True)
class Kept:
    """A way in which a secret of a game comes to be known to the companion.

    twins: two secrets of the owner.  setup: what tells one beforehand; else the owner enters it.
    form: what the owner's page sends.  probes: actions by which somebody may try to hear of it.
    shows: whether the owner's page shows it.  neighbour: what seat 0 enters for its own eyes.
    """

    game: str
    seats: int
    twins: Callable[[random.Random], tuple[Secret, Secret]]
    probes: Callable[[Secret], tuple[str, ...]]
    setup: Callable[[Secret], dict[str, Any]] | None = None
    form: Callable[[Secret], dict[str, str]] | None = None
    first: tuple[str, ...] = ()
    shows: bool = True
    neighbour: Secret = ()

    def live_session(self, secret: Secret) -> LiveSession:
        """Return a session at which *secret* is known if the set-up tells it."""
        header = open_header(game_of(self.game), NAMES[: self.seats], {}, 0)
        setup = self.setup(secret) if self.setup else {}
        known = Header(self.game, header.players, header.options, {**header.setup, **setup})
        return LiveSession(open_timeless_log(), known)

    def enter(self, visitor: Visitor, secret: Secret) -> None:
        """Let *visitor* enter *secret* on the own page, if it is not known already."""
        if self.form and secret:
            assert visitor.post("/seat", **self.form(secret)).status_code == 303


WAYS: Final = {
    "tiki_topple": Kept(
        "tiki_topple",
        3,
        other_cards,
        lambda card: (f"card 1 {' '.join(card)}", f"card 0 {' '.join(card)}"),
        form=lambda card: {
            "round": "1", **dict(zip(("top9", "middle5", "bottom2"), card, strict=True)),
        },
        first=(LINE,),
    ),
    "tiki_topple, told": Kept(
        "tiki_topple",
        3,
        other_cards,
        lambda card: (f"card 1 {' '.join(card)}",),
        setup=lambda card: {"line": list(TIKIS), "cards": [None, list(card), None]},
        shows=False,
    ),
    "tactiki": Kept(
        "tactiki",
        2,
        other_ranks,
        lambda ranks: (f"ranks 1 {' '.join(ranks)}", f"back 00 {ranks[0]}", f"back 42 {ranks[1]}"),
        form=lambda ranks: {f"piece{place}": rank for place, rank in enumerate(ranks)},
    ),
    "tactiki, both": Kept(
        "tactiki",
        2,
        other_ranks,
        lambda ranks: (f"ranks 1 {' '.join(ranks)}", f"back 42 {ranks[1]}"),
        form=lambda ranks: {f"piece{place}": rank for place, rank in enumerate(ranks)},
        neighbour=("1", "5", "2", "4", "3", "3", "4", "2", "5", "1"),
    ),
    "tactiki, told": Kept(
        "tactiki",
        2,
        other_ranks,
        lambda ranks: (f"ranks 1 {' '.join(ranks)}", f"back 00 {ranks[0]}"),
        setup=lambda ranks: {"ranks": {"tac": list(map(int, ranks))}},
        shows=False,
    ),
    "tippi_toppi": Kept(
        "tippi_toppi",
        3,
        lambda rng: other_hand(CARDS, 4, rng),
        lambda hand: (f"hand 1 {' '.join(hand)}", f"drew {hand[0]}"),
        setup=lambda hand: {"hands": [None, list(hand), None]},
        shows=False,
    ),
    "uno_tiki": Kept(
        "uno_tiki",
        3,
        lambda rng: other_hand(KINDS, 7, rng),
        lambda hand: (f"hand 1 {' '.join(hand)}", f"drew {hand[0]}"),
        setup=lambda hand: {"hands": [None, list(hand), None]},
    ),
}  # fmt: skip


def blind(state: Any) -> Hashable:
    """Return *state* without what the owner alone may know, but for how much of it there is."""
    fields = {name: getattr(state, name) for name in type(state).__annotations__}
    for name in PRIVATE:
        if name in fields:
            by_seat = list(fields[name])
            by_seat[OWNER] = name != "cards" and len(by_seat[OWNER] or ())
            fields[name] = tuple(by_seat)
    return (*fields.items(), exposed(state) if "facts" in fields else ())


def exposed(state: tactiki.State) -> tuple[tuple[int, int], ...]:
    """Return the owner's pieces that have met others, with the ranks that these then saw (TA-2).

    Only who has entered ranks for seat 0 is shown them.
    """
    if not any(state.ranks[0]):
        return ()
    clashes = [fact for fact in state.facts if isinstance(fact, tactiki.Clash)]
    met = {piece for clash in clashes for piece in (clash.attacker, clash.defender)}
    ranks = state.ranks[OWNER]
    return tuple((piece, ranks[piece >> 1]) for piece in sorted(met) if piece & 1 == OWNER)


def outcomes(live_session: LiveSession, action: str) -> set[Hashable]:
    """Return what everybody may know after *action*; nothing if it is not allowed."""
    game, found = live_session.game, set()
    parsed = game.rules.parse_action(action)
    for branch in live_session.session.history.branches:
        for form in game.forms(branch.state, parsed):
            try:
                found.add(blind(game.rules.apply(branch.state, form)))
            except RulesError:
                continue
    return found


def is_reveal(live_session: LiveSession, action: str) -> bool:
    """Tell whether the cards that were entered are shown after *action* (TT-3)."""
    state, game = live_session.session.state, live_session.game
    if game.name != "tiki_topple" or (1, OWNER) not in live_session.session.history.secrets:
        return False
    return bool(game.secrets_due(game.rules.apply(state, game.rules.parse_action(action))))


def choices(rng: random.Random, live_session: LiveSession) -> list[str]:
    """Return what may be entered now in some order, attacks and the like somewhat earlier."""
    game = live_session.game
    due = game.secrets_due(live_session.session.state)
    cards = [f"card {seat} {' '.join(rng.sample(TIKIS, 3))}" for seat in due]
    found = [*live_session.referee.offers(), *cards]
    weight = {action: rng.random() - 0.5 * is_fight(live_session, action) for action in found}
    return sorted(found, key=weight.__getitem__)


def is_fight(live_session: LiveSession, action: str) -> bool:
    """Tell whether *action* lets pieces meet, which is where ranks matter."""
    words = action.split()
    if live_session.game.name != "tactiki" or words[0] != "move":
        return words[0] in ("back", "clash")
    state = live_session.session.state
    source, target = (state.columns[int(spot[0]) * 5 + int(spot[1])] for spot in words[1:])
    return bool(target) and target[-1] % 2 != source[-1] % 2


@dataclass
class Script:
    """What is played alike in two games that differ in a secret.

    actions: all of it.  probes: what is tried beside.
    """

    actions: list[str]
    probes: tuple[str, ...]


def write_script(rng: random.Random, kept: Kept, twins: tuple[Secret, Secret], most: int) -> Script:
    """Return what may be played at random in both games, until the rules reveal the secret."""
    pair = [kept.live_session(secret) for secret in twins]
    for live_session, secret in zip(pair, twins, strict=True):
        if kept.neighbour:
            live_session.referee.enter_secret(0, f"ranks 0 {' '.join(kept.neighbour)}")
        if kept.form:
            live_session.referee.enter_secret(OWNER, kept.probes(secret)[0])
        for action in kept.first:
            live_session.referee.enter(action)
    actions = list(kept.first)
    one, other = pair
    while len(actions) < most:
        assert one.referee.offers() == other.referee.offers()
        for action in choices(rng, one):
            after = outcomes(one, action)
            if after and after == outcomes(other, action) and not is_reveal(one, action):
                break
        else:
            break
        for live_session in pair:
            live_session.referee.enter(action)
        actions.append(action)
    return Script(actions, tuple(probe for secret in twins for probe in kept.probes(secret)))
