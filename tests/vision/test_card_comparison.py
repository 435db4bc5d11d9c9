"""Registered cards compared with each other: only what is new, and with the same result."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.registers import photograph
from vision.cards import card_family
from vision.cards.card_comparison import Compared, RegisteredCard, compare_cards
from vision.cards.registered_cards import identify_among
from vision.cards.shown_card import ShownFault, crop_shown

COUNT = 4


@pytest.fixture(scope="module")
def cards() -> tuple[RegisteredCard, ...]:
    """Return a few cards of one designer, each shown once."""
    shown = [crop_shown(photograph(number)) for number in range(COUNT)]
    return tuple(
        RegisteredCard(f"Tiki {number}", each)
        for number, each in enumerate(shown)
        if not isinstance(each, ShownFault)
    )


@pytest.fixture(scope="module")
def steps(cards: tuple[RegisteredCard, ...]) -> tuple[Compared, ...]:
    """Return how the first one, two and so on differ, each compared after those before it."""
    found = [compare_cards(cards[:1])]
    for number in range(2, COUNT + 1):
        found.append(compare_cards(cards[:number], found[-1]))
    return tuple(found)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Return how often cards are laid over others and brought into the same light."""
    counts = {"align": 0, "match_light": 0}

    def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def count(*given: Any) -> Any:
            counts[name] += 1
            return work(*given)

        return count

    for name in counts:
        monkeypatch.setattr(card_family, name, counted(name, getattr(card_family, name)))
    return counts


def test_a_card_more_is_compared_alone(
    cards: tuple[RegisteredCard, ...], calls: dict[str, int]
) -> None:
    """The others are not laid over each other again, and a photograph lays none of them."""
    before = compare_cards(cards[:3])
    assert calls["align"] > 3
    calls.update(align=0, match_light=0)
    again = tuple(
        RegisteredCard(card.name, card.picture.copy()) for card in cards
    )  # as loaded anew
    after = compare_cards(again, before)
    assert calls == {"align": 1, "match_light": 1}
    assert [family.members for family in after.families] == [(0, 1, 2, 3)]
    calls.update(align=0, match_light=0)
    for number in (0, 3):
        found = identify_among(photograph(number, 25.0, 1.1), after)
        assert found.card is again[number]
    assert calls == {"align": 0, "match_light": 2}  # the photographs' own light


def test_a_card_less_takes_no_comparison(
    cards: tuple[RegisteredCard, ...], steps: tuple[Compared, ...], calls: dict[str, int]
) -> None:
    """And it is unknown then; the others have their new places."""
    after = compare_cards(cards[1:], steps[-1])
    assert calls == {"align": 0, "match_light": 0}
    assert [family.members for family in after.families] == [(0, 1, 2)]
    assert identify_among(photograph(0), after).card is None
    found = identify_among(photograph(2), after)
    assert found.card is cards[2]


def test_distances_are_the_same_in_any_order(steps: tuple[Compared, ...]) -> None:
    """How two cards differ is found for both, whichever came first."""
    joined = steps[-1].families[0].distances
    assert np.allclose(joined, joined.transpose(2, 1, 0), atol=1e-5)
    assert float(np.einsum("apa->ap", joined).max()) < 1e-3


def test_a_design_is_found_anew_when_it_has_doubled(steps: tuple[Compared, ...]) -> None:
    """From one card it is not known what all of them share."""
    assert [each.families[0].design.count for each in steps[1:]] == [2, 2, 4]


def test_nothing_is_compared_where_there_is_nothing() -> None:
    """No card, no family."""
    assert compare_cards(()).families == ()
    assert compare_cards((), compare_cards(())).cards == ()
