"""States that differ only in what a viewer may not know."""

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.rules import tiki_topple
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


_TWINS = {"tiki_topple": _tiki_topple}
