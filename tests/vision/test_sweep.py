"""A phone moved across a hand: what its pictures say together, and what they must not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.simulated_sweeps import INDEX_MM, SIZE, Faults, Name, deal, lay, pictures, see
from vision.cards.sweep import MAX_CARDS, Joining, Sweep
from vision.cards.sweep_registration import Sighting, local_similarity

HAND: tuple[Name, ...] = (
    ("red", "7"), ("blue", "skip"), ("green", "4"), ("yellow", "3"), ("green", "6"), ("red", "9"),
    ("blue", "1"),
)  # fmt: skip
OTHER: tuple[Name, ...] = (
    ("blue", "7"), ("red", "skip"), ("yellow", "4"), ("green", "3"), ("red", "6"), ("blue", "9"),
    ("green", "1"),
)  # fmt: skip
CLEAR = Faults(hidden=0.0, unnamed=0.0, wrong=0.0)


def row(
    names: Sequence[Name | None], confidence: float = 0.9, shift_px: float = 0.0
) -> list[Sighting]:
    """Return a picture of cards side by side; an empty colour stands for a gap."""
    return [
        Sighting(name, confidence if name else 0.0, (100.0 + shift_px + 110 * place, 300.0), 40.0)
        for place, name in enumerate(names)
        if name != GAP
    ]


GAP: Name = ("", "")


def swept(*rows: Sequence[Name | None], count: int | None = 7) -> Sweep:
    """Return what is known after these pictures, all of which join."""
    sweep = Sweep(count)
    for number, names in enumerate(rows):
        assert sweep.add(row(names, shift_px=7.0 * number), SIZE) is Joining.JOINED
    return sweep


def test_two_pictures_name_a_hand() -> None:
    """One is not enough: each card must have its name twice."""
    assert swept(HAND).findings().sure == ()
    found = swept(HAND, HAND).findings()
    assert (found.sure, found.missing, found.is_done) == (HAND, 0, True)


def test_a_card_that_is_very_sure_needs_one_picture() -> None:
    """If nothing contradicts it."""
    sweep = Sweep(7)
    sweep.add(row(HAND, confidence=0.999), SIZE)
    assert sweep.findings().is_done
    wrong = (("red", "1"), *HAND[1:])
    sweep.add(row(wrong), SIZE)
    assert sweep.findings().sure == HAND[1:]


def test_what_is_missing_is_said_beside_its_neighbour() -> None:
    """Six of seven; the one beside the green 4."""
    seen = (*HAND[:3], None, None, *HAND[5:])
    found = swept(seen, seen, seen).findings()
    assert (found.missing, found.unsure, found.is_done) == (2, (HAND[2], HAND[5]), False)


def test_a_name_that_is_contradicted_is_not_sure() -> None:
    """It takes several more pictures than the wrong name has."""
    wrong = (("red", "1"), *HAND[1:])
    sweep = swept(HAND, wrong, HAND, HAND)
    assert sweep.findings().sure == HAND[1:]
    assert sweep.findings().missing == 1
    for number in (4, 5):
        sweep.add(row(HAND, shift_px=number), SIZE)
    assert sweep.findings().sure == HAND


def test_two_alike_stay_two_by_their_places() -> None:
    """They are two once they were seen together often enough."""
    hand = (HAND[0], *HAND[1:6], HAND[0])
    assert swept(hand, hand, hand).findings().sure == hand


def test_two_alike_that_lie_far_apart_are_two() -> None:
    """Farther than the corners of one card, though no picture shows both."""
    ends = (HAND[0], *HAND[1:6], GAP), (GAP, *HAND[1:6], HAND[0])
    assert Counter(swept(*ends * 4).findings().sure) == Counter((*HAND[:6], HAND[0]))
    assert Counter(swept(*ends * 2).findings().sure) == Counter(HAND[:6])


def test_the_other_corner_of_a_card_is_no_second_one() -> None:
    """A reader gives one index or the other, and now and then both."""
    sweep = Sweep(7)
    for number in range(8):
        cards = row(HAND, shift_px=number)
        first = cards[0]
        corner = Sighting(first.name, 0.9, (first.at[0] + 180, first.at[1] + 310), 40.0)
        sweep.add([*cards[number % 2 :], corner] if number in (2, 3, 5) else cards, SIZE)
    assert Counter(sweep.findings().sure) == Counter(HAND)


def test_both_corners_of_a_card_without_a_name_do_not_make_two() -> None:
    """They are seen together in every picture, but have the name together in two alone."""
    sweep = Sweep(8)
    for number in range(6):
        first, *others = row(HAND, shift_px=number)
        corner = Sighting(None, 0.0, (first.at[0] + 180, first.at[1] + 310), 40.0)
        if number in (2, 3):
            corner = replace(corner, name=first.name, confidence=0.9)
        sweep.add([first, *others, corner], SIZE)
    assert sweep.findings().sure == HAND


def test_a_card_seen_once_where_none_is_counts_for_nothing() -> None:
    """What no other picture shows there is neither sure nor missing."""
    sweep = Sweep(None)
    sweep.add([*row(HAND), Sighting(("red", "0"), 0.9, (500.0, 600.0), 40.0)], SIZE)
    for number in range(6):
        sweep.add(row(HAND, shift_px=number), SIZE)
    found = sweep.findings()
    assert (found.sure, found.unsure, found.missing, found.is_done) == (HAND, (), None, True)


def test_another_hand_is_told_and_joins_nothing() -> None:
    """Pictures of two hands in one sweep: those of the second are left out."""
    sweep = swept(HAND, HAND)
    assert sweep.add(row(OTHER), SIZE) is Joining.FOREIGN
    assert not any(mark.is_sure for mark in sweep.marks())
    assert sweep.findings().sure == HAND


def test_a_part_that_is_not_connected_waits_for_one_between() -> None:
    """Its cards count as soon as a picture shows both."""
    sweep = Sweep(7)
    assert sweep.add(row(HAND[:3]), SIZE) is Joining.JOINED
    assert sweep.add(row(HAND[4:]), SIZE) is Joining.APART
    assert sweep.add(row((*[GAP] * 4, *HAND[4:]), shift_px=9), SIZE) is Joining.APART
    assert sweep.findings().sure == ()
    assert sweep.add(row(HAND), SIZE) is Joining.JOINED
    assert sweep.findings().sure == (*HAND[:3], *HAND[4:])


@pytest.mark.parametrize(
    ("cards", "joining"),
    [
        ([], Joining.NOTHING),
        (row([None] * 5), Joining.NOTHING),
        (row(HAND[:1]), Joining.APART),
        (row(HAND[:1] * 2), Joining.APART),
        (row([HAND[0]] * (MAX_CARDS + 1)), Joining.CROWDED),
    ],
    ids=["empty", "unnamed", "one card", "two alike", "fifty cards"],
)
def test_what_begins_no_hand(cards: list[Sighting], joining: Joining) -> None:
    """It is told why, and nothing is known."""
    sweep = Sweep(7)
    assert sweep.add(cards, SIZE) is joining
    assert sweep.findings().sure == ()
    assert not any(mark.is_sure for mark in sweep.marks())


def test_one_card_needs_no_neighbours() -> None:
    """A single card is the same one in each picture, and a slip of the reader is outvoted."""
    sweep = Sweep(1)
    for name in (HAND[0], HAND[1]):
        assert sweep.add(row([name]), SIZE) is Joining.JOINED
    assert not sweep.findings().is_done
    for _ in range(4):
        sweep.add(row([HAND[0]]), SIZE)
    assert sweep.findings().sure == (HAND[0],)
    assert sweep.findings().is_done


def test_marks_light_up_what_is_sure_where_it_lies() -> None:
    """Also where this very picture does not name it."""
    sweep = swept(HAND, HAND)
    seen = row((None, *HAND[1:]), shift_px=30)
    sweep.add(seen, SIZE)
    assert [mark.at for mark in sweep.marks()] == [each.at for each in seen]
    assert [mark.name for mark in sweep.marks()] == list(HAND)
    assert all(mark.is_sure for mark in sweep.marks())


def test_a_similarity_bends_with_what_is_near() -> None:
    """Between two scales, each end has its own."""
    here = [complex(place) for place in range(10)]
    there = [place + 0.05 * abs(place) ** 2 for place in here]
    scales = [abs(local_similarity(here, there, place)[1]) for place in (here[0], here[-1])]
    assert 1.0 < scales[0] < 1.4 < 1.6 < scales[1] < 1.9
    assert abs(local_similarity(here, there, 4.5 + 0j)[0] - (4.5 + 0.05 * 4.5**2)) < 0.2


@given(st.integers(0, 2**32 - 1), st.integers(1, 13))
@settings(max_examples=60, deadline=None)
def test_no_order_of_clear_pictures_names_a_wrong_card(seed: int, count: int) -> None:
    """However many cards, wherever the phone is: what is sure is of the hand, and once each."""
    random = np.random.default_rng(seed)
    hand, sweep = deal(random, count), Sweep(count)
    places = lay(random, count)
    for _ in range(8):
        sweep.add(see(random, hand, places, CLEAR), SIZE)
        assert Counter(sweep.findings().sure) <= Counter(hand)


@given(st.lists(st.tuples(st.sampled_from((None, *HAND, *OTHER)), st.floats(0, 1),
                          st.floats(-2e3, 2e3), st.floats(-2e3, 2e3), st.floats(1, 200)),
                max_size=12), st.integers(1, 20))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_whatever_a_reader_says_is_bounded(
    cards: list[tuple[Name | None, float, float, float, float]], count: int
) -> None:
    """No picture is refused with an error, and the same pictures say the same."""
    found = []
    for _ in range(2):
        sweep = Sweep(count)
        for _ in range(3):
            sweep.add([Sighting(n, c, (x, y), size) for n, c, x, y, size in cards], SIZE)
        found.append(sweep.findings())
        assert len(sweep.marks()) == len(cards)
    assert found[0] == found[1]


def test_simulated_sweeps_name_hands_of_seven_and_none_wrongly() -> None:
    """Cards are hidden, left open and misnamed now and then, in five seconds at four a second."""
    whole = 0
    for seed in range(100):
        random = np.random.default_rng(seed)
        hand, sweep = deal(random, 7), Sweep(7)
        for cards in pictures(random, hand, 20, Faults()):
            sweep.add(cards, SIZE)
            if sweep.findings().is_done:
                break
        assert Counter(sweep.findings().sure) <= Counter(hand)
        whole += sweep.findings().is_done
    assert whole >= 95


def test_two_hands_in_one_sweep_are_not_mixed() -> None:
    """Every second picture is of the other hand, which shares two cards at most."""
    for seed in range(1000, 1060):
        random = np.random.default_rng(seed)
        hands = deal(random, 7), deal(random, 7)
        if (Counter(hands[0]) & Counter(hands[1])).total() > 2:
            continue
        both = [list(pictures(random, hand, 12, Faults())) for hand in hands]
        sweep = Sweep(7)
        for one, other in zip(*both, strict=True):
            sweep.add(one, SIZE)
            sweep.add(other, SIZE)
        named = Counter(sweep.findings().sure)
        assert named <= Counter(hands[0]) or named <= Counter(hands[1])


def test_the_simulation_lays_cards_as_people_hold_them() -> None:
    """Neighbours are 1.8 to 3.6 indices apart, and a picture shows them in pixels."""
    random = np.random.default_rng(3)
    places = lay(random, 7)
    apart = np.hypot(*np.diff(places, axis=0).T) / INDEX_MM
    assert 1.8 < apart.min() <= apart.max() < 3.6
    assert len(see(random, HAND, places, CLEAR)) >= 5
