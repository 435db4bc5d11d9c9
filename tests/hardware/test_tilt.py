"""The tower's tilt: knocks, wobbles, leans and topples told apart, and broken switches named."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from hardware.facts import Fact, Tower, TowerMoved, Troubled
from hardware.fake_contact import FakeContact
from hardware.tilt import CHATTERS, LIES, MUTE, STUCK, TiltDetector, TiltFigures, TowerTilt
from tests.hardware.bounces import FALLS, KNOCKS, Pattern, edges_of, fall, knock, unease
from tests.hardware.tilts import Timed, play, states

KNOCKED, TOPPLED, WOBBLED = 10_000, 1_000, 1_000


def tell(
    *wires: list[tuple[float, float]], until_s: float = 10.0, detector: TiltDetector | None = None
) -> Timed:
    """Return what is found when each switch is tilted during its spans."""
    return play(Pattern("drawn", len(wires), edges_of(list(wires), until_s), until_s), detector)


def topples(patterns: Iterable[Pattern]) -> Counter[int]:
    """Return how many of *patterns* told how many topples."""
    return Counter(states(play(pattern)).count("topple") for pattern in patterns)


def switches(dice: Random) -> int:
    """Return how many switches a table has: mostly one, sometimes up to four."""
    return dice.choice((1, 1, 1, 2, 3, 4))


@pytest.mark.slow
def test_a_knock_is_never_a_topple() -> None:
    """Ten thousand taps, bangs, drummings and bumped chairs, on as many tables: none topples."""
    dice = Random(1)
    assert topples(knock(dice, switches(dice)) for _ in range(KNOCKED)) == {0: KNOCKED}


def test_no_topple_is_missed_and_each_is_told_once() -> None:
    """A thousand falls, fast, slow or bouncing, a third with one switch dead, are told once each.

    They are told 0.6 s after the last switch that mattered came to rest, never later.
    """
    dice, late_s = Random(2), []
    for _ in range(TOPPLED):
        count = switches(dice)
        pattern = fall(dice, count, failing=count > 1 and dice.random() < 0.6)
        told = play(pattern)
        assert states(told).count("topple") == 1, pattern
        (at_s,) = (at_s for at_s, fact in told if fact == _topple(told))
        rest_s = max(edge.at_s for edge in pattern.edges if edge.at_s <= at_s)
        late_s.append(at_s - max(rest_s, pattern.fell_s or 0.0))
    assert max(late_s) <= 0.601


def _topple(told: Timed) -> Fact:
    (fact,) = (each for _, each in told if isinstance(each, TowerMoved) and each.state == "topple")
    return fact


def test_unease_ends_still() -> None:
    """Pieces that are placed and boards that lean and return end still, with few false alarms.

    A lean that lasts longer than a fall's rest cannot be told from it: some 3 in 100 of these,
    which lean for up to 0.8 s, are told as topples.  Mount the switches steeper than any lean.
    """
    dice = Random(3)
    counts: Counter[Tower] = Counter()
    for _ in range(WOBBLED):
        seen = states(play(unease(dice, switches(dice))))
        assert seen[0] == "wobble"
        assert seen[-1] == "still"
        counts.update(set(seen))
    assert counts["topple"] < 0.05 * WOBBLED < 0.8 * WOBBLED < counts["lean"]


def test_imagined_patterns_are_what_they_claim() -> None:
    """Knocks end upright, falls tilted, edges alternate in order: or the tests above prove naught.

    And a judge that is asked too early, as if a topple took 0.05 s, does find false ones.
    """
    dice = Random(4)
    kinds = set()
    for _ in range(300):
        for pattern in (knock(dice, 2), fall(dice, 2)):
            kinds.add(pattern.kind)
            times_s = [edge.at_s for edge in pattern.edges]
            assert times_s == sorted(times_s)
            for switch in range(2):
                levels = [edge.active for edge in pattern.edges if edge.contact == switch]
                assert levels == [number % 2 == 0 for number in range(len(levels))]
                assert (len(levels) % 2 == 1) == (pattern.fell_s is not None)
    assert kinds == {kind.__name__ for kind in (*KNOCKS, *FALLS)}
    hasty = TiltFigures(topple_s=0.05)
    knocks = [knock(dice, 1) for _ in range(300)]
    found = [states(play(each, TiltDetector([False], hasty))) for each in knocks]
    assert sum("topple" in each for each in found) > 30


def test_each_movement_has_its_word() -> None:
    """A short tilt is a wobble, a longer one a lean, one that stays a topple; then it is still."""
    assert states(tell([(1.0, 1.1)])) == ["wobble", "still"]
    assert states(tell([(1.0, 1.4)])) == ["wobble", "lean", "still"]
    told = tell([(1.0, 4.0)])
    assert states(told) == ["wobble", "lean", "topple", "still"]
    assert [round(at_s, 3) for at_s, _ in told] == [1.12, 1.15, 1.6, 5.0]
    assert [fact.at_s for _, fact in told] == [1.0, 1.0, 1.0, 4.0]


def test_a_rattle_is_a_knock_and_a_sway_is_not() -> None:
    """Many short edges out of rest come from the table; a slow sway comes from the board."""
    rattle = [(1.0 + number * 0.015, 1.008 + number * 0.015) for number in range(6)]
    for spans, knocked in ((rattle, True), ([(1.0, 1.09), (1.3, 1.38)], False)):
        (wobble, _) = (fact for _, fact in tell(spans))
        assert wobble == TowerMoved("wobble", 1.0, knocked)


def test_a_knock_during_a_wobble_is_told_as_well() -> None:
    """Who bangs while the board still sways is noticed."""
    rattle = [(1.3 + number * 0.015, 1.308 + number * 0.015) for number in range(6)]
    facts = [fact for _, fact in tell([(1.0, 1.09), *rattle])]
    assert [(fact.state, fact.knocked) for fact in facts if isinstance(fact, TowerMoved)] == [
        ("wobble", False),
        ("wobble", True),
        ("still", False),
    ]


def test_a_fallen_tower_topples_again_only_after_it_stood() -> None:
    """Hands that gather the pieces tilt it this way and that; the next game's fall counts anew."""
    gathering = [(1.0, 3.0), (3.2, 3.9), (4.5, 6.0)]
    assert states(tell([*gathering], until_s=8.0)).count("topple") == 1
    assert states(tell([*gathering, (8.0, 20.0)])).count("topple") == 2


def test_a_tower_that_lies_at_the_start_has_not_toppled() -> None:
    """Nobody saw it fall: it is named with the remedy, and all is well once it stands."""
    detector = TiltDetector([True])
    assert detector.due(0.0) == (Troubled("tilt", LIES, 0.0),)
    assert detector.state == "topple"
    detector.edge(0, False, 5.0)
    assert detector.due(5.5) == ()
    assert detector.due(6.0) == (TowerMoved("still", 5.0),)
    assert detector.due(6.1) == (Troubled("tilt", "", 6.1),)


def test_most_switches_decide() -> None:
    """Two of three tilted for good are a topple, one of them is not; of two, one is enough."""
    lies, stands = [(1.0, 99.0)], list[tuple[float, float]]()
    assert "topple" in states(tell(lies, lies, stands))
    assert "topple" not in states(tell(lies, stands, stands))
    assert "topple" in states(tell(lies, stands))
    strict = TiltDetector([False] * 3, TiltFigures(quorum=3))
    assert "topple" not in states(tell(lies, lies, stands, detector=strict))


def test_a_switch_against_the_others_is_named_and_not_heeded() -> None:
    """One that stays tilted alone is broken; a real fall is still told, and it may come back."""
    told = tell([(1.0, 40.0)], [(30.0, 35.0)], [(30.0, 35.0)], until_s=50.0)
    troubles = [(round(at_s, 2), fact) for at_s, fact in told if isinstance(fact, Troubled)]
    assert troubles[0] == (16.0, Troubled("tilt_0", STUCK, 16.0))
    assert [fact.trouble for _, fact in troubles] == [STUCK]
    assert states(told).count("topple") == 1
    detector = TiltDetector([False] * 3)
    tell([(1.0, 40.0)], [], [], until_s=30.0, detector=detector)
    detector.edge(0, False, 40.0)
    assert Troubled("tilt_0", "", 40.0) in detector.due(40.0)


def test_a_switch_that_sleeps_through_a_fall_is_named() -> None:
    """The others outvote it; it is named when the tower stands again, until it moves."""
    detector = TiltDetector([False] * 3)
    told = tell([(1.0, 3.0)], [(1.0, 3.0)], [], detector=detector, until_s=5.0)
    assert [fact for _, fact in told][-2:] == [
        Troubled("tilt_2", MUTE, 4.0),
        TowerMoved("still", 3.0),
    ]
    detector.edge(2, True, 6.0)
    assert detector.due(6.0) == (Troubled("tilt_2", "", 6.0),)


def test_endless_chatter_is_named_once_and_never_topples() -> None:
    """A loose wire that rattles for a minute is one trouble, and a fall after it is still told."""
    chatter = [(1.0 + number * 0.004, 1.002 + number * 0.004) for number in range(15_000)]
    told = tell([*chatter, (70.0, 80.0)], until_s=90.0)
    troubles = [fact for _, fact in told if isinstance(fact, Troubled)]
    assert [fact.trouble for fact in troubles] == [CHATTERS, ""]
    assert troubles[0].at_s == pytest.approx(11.0, abs=0.1)
    assert troubles[1].at_s == pytest.approx(62.0, abs=0.1)
    assert states(told).count("topple") == 1
    assert [at_s for at_s, fact in told if fact == _topple(told)] == [pytest.approx(70.6)]


def test_a_fall_amid_chatter_is_told_once_it_is_calm() -> None:
    """The wire that rattled says tilted when it comes to rest; the tower fell meanwhile."""
    chatter = [(1.0 + number * 0.004, 1.002 + number * 0.004) for number in range(4000)]
    told = tell([*chatter, (17.1, 30.0)], until_s=25.0)
    assert states(told).count("topple") == 1


def test_a_device_tells_what_its_contacts_say() -> None:
    """The switches' edges become facts and a value, and closing lets them go."""
    contacts = [FakeContact() for _ in range(3)]
    told: list[Fact] = []
    values: list[Tower] = []
    with TowerTilt(contacts, told.append) as tilt:
        tilt.when_changed = values.append
        for contact in contacts:
            contact.press(1.0)
        for look in range(200):
            tilt.attend(1.0 + look / 100)
        assert [fact.state for fact in told if isinstance(fact, TowerMoved)] == values
        assert values == ["wobble", "lean", "topple"]
        assert next(tilt.values) == tilt.value == "topple"
        assert repr(tilt) == "<TowerTilt value='topple'>"
    assert repr(tilt) == "<TowerTilt closed>"
    assert contacts[0].when_changed is None
