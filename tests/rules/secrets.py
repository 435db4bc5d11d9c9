"""States that differ only in what a viewer may not know."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion.rules import tactiki, tiki_topple, tippi_toppi, uno_tiki
from companion.rules.protocol import Spoken


def twins(rules: Spoken[Any, Any], state: Any, seat: int | None, rng: Random) -> Iterator[Any]:
    """Yield states that *seat*, None for a bystander, cannot tell from *state*."""
    yield from _TWINS[rules.NAME](state, seat, rng)


def _tiki_topple(
    state: tiki_topple.State, seat: int | None, rng: Random
) -> Iterator[tiki_topple.State]:
    if state.phase == "over":
        return
    other = tiki_topple.SecretCard(*rng.sample(tiki_topple.TIKIS, 3))
    cards = tuple(
        card if owner == seat or owner not in state.players else rng.choice((None, other))
        for owner, card in enumerate(state.cards)
    )
    if state.phase == "play":
        yield state._replace(cards=cards, coming=())


def _tactiki(state: tactiki.State, seat: int | None, rng: Random) -> Iterator[tactiki.State]:
    met = {
        piece
        for fact in state.facts
        if isinstance(fact, tactiki.Clash)
        for piece in (fact.attacker, fact.defender)
    }
    ranks = [list(side) for side in state.ranks]
    for owner in {0, 1} - {seat}:
        hidden = [k for k in range(10) if seat is None or owner + 2 * k not in met]
        shuffled = rng.sample(hidden, len(hidden))
        for here, there in zip(hidden, shuffled, strict=True):
            ranks[owner][here] = state.ranks[owner][there]
    if state.phase != "clash":
        yield state._replace(ranks=(tuple(ranks[0]), tuple(ranks[1])))


def _tippi_toppi(
    state: tippi_toppi.State, seat: int | None, rng: Random
) -> Iterator[tippi_toppi.State]:
    """Yield states with other cards in the hidden places, and with others' hands told or not."""
    covered = [
        owner
        for owner, hand in enumerate(state.hands)
        if owner != seat and hand is not None and not state.options.open_hands
    ]
    places = list(state.deck) or list(tippi_toppi.hidden(state).elements())
    places += [card for owner in covered for card in state.hands[owner] or () if card >= 0]
    for told in (0.0, 0.5, 1.0):
        rng.shuffle(places)
        cards = iter(places)
        hands = list(state.hands)
        for owner in covered:
            hand = [next(cards) if rng.random() < told else -1 for _ in hands[owner] or ()]
            hands[owner] = tuple(sorted(hand))
        coming = tuple(rng.sample(state.coming, len(state.coming)))
        deck = tuple(cards)[: len(state.deck)]
        yield state._replace(hands=tuple(hands), deck=deck, coming=coming)


def _uno_tiki(state: uno_tiki.State, seat: int | None, rng: Random) -> Iterator[uno_tiki.State]:
    """Yield states with other cards in the hidden places, and with others' hands told or not."""
    hidden = list(state.deck) or list(uno_tiki.unseen(state).elements())
    others = [owner for owner in range(len(state.hands)) if owner != seat]
    hidden += [card for owner in others for card in state.hands[owner] if card]
    for told in (0.0, 0.5, 1.0):
        rng.shuffle(hidden)
        cards = iter(hidden)
        hands = list(state.hands)
        for owner in others:
            hand = (next(cards, "red-1") if rng.random() < told else "" for _ in hands[owner])
            hands[owner] = tuple(sorted(hand))
        drawn = rng.choice(uno_tiki.KINDS) if state.drawn and state.seat != seat else state.drawn
        deck = tuple(cards)[: len(state.deck)]
        yield state._replace(
            hands=tuple(hands), deck=deck, drawn=drawn, match=state.match._replace(coming=())
        )


def _nothing(state: Any, seat: int | None, rng: Random) -> Iterator[Any]:
    del state, seat, rng
    yield from ()


_TWINS: dict[str, Callable[[Any, int | None, Random], Iterator[Any]]] = {
    "tiki_topple": _tiki_topple,
    "tactiki": _tactiki,
    "topple": _nothing,
    "tippi_toppi": _tippi_toppi,
    "uno_tiki": _uno_tiki,
    "score_sheet": _nothing,
}
