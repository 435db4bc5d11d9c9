"""Tippi Toppi at the table: what the referee and the pages are told of it."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tippi_toppi.game import GAME
from companion.referee.facts import ButtonFact, SpinFact, TimeFact, TowerFact
from companion.referee.game import EMPTY, Game, People, Play, Reaction, Table
from companion.rules import tippi_toppi as rules
from companion.rules.base import IllegalAction
from companion.rules.tippi_toppi import NAMES, Action, Played, State
from companion.session.events import SpinObserved
from tests.games.tippi_toppi_deals import GOALS, NAMED, TOPS, after, dealt, known_walk, sit
from tests.rules.secrets import twins
from vision.cards.layout import VALUES
from vision.cards.pile_reader import DEFAULT_COLOURS

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=12, deadline=None)
parties = pytest.mark.parametrize(
    ("seats", "options"),
    [(1, {}), (2, {"high_speed": True}), (3, {"open_hands": True}), (4, {})],
)
REFEREED: Game[State, Action] = GAME  # mypy holds the class to the contract


def walk(state: State, rng: Random) -> Iterator[tuple[State, Action | None]]:
    """Yield each state of a game with what is entered there by chance, None at its end."""
    while offers := GAME.offers(state):
        action = rng.choice(offers)
        if isinstance(action, rules.Stuck | rules.TimeUp) and rng.random() < 0.99:
            continue
        yield state, action
        state = rules.apply(state, action)
    yield state, None


def legal_by_trial(state: State) -> set[tuple[str, Table, Any]]:
    """Return all that the rules let cards do, found by trying every card on every pile."""
    texts = [f"play {card} {pile}" for card in NAMES for pile in range(4)]
    found = set()
    for text in (*texts, *(f"lay {card}" for card in NAMES)):
        try:
            then = after(state, text)
        except IllegalAction:
            continue
        names = [f"{NAMES[card][:-1]} {NAMES[card][-1]}" for card in then.tops]
        table = (*names, *(None,) * (4 - len(names)))
        found.add((text, table, GAME.ruling(then)))
    return found


def test_the_eyes_and_the_game_call_cards_alike() -> None:
    """What the piles show are the classes of the reader."""
    seen = {f"{colour} {value}" for colour in DEFAULT_COLOURS for value in VALUES}
    shown = {GAME.shown(after(sit(), f"lay {card}"))[0] for card in NAMES}
    assert shown == seen
    assert GAME.shown(dealt()) == ("green 7", "orange 7", "pink 2", "pink 3")
    assert GAME.shown(after(sit(), "lay pink1")) == ("pink 1", EMPTY, EMPTY, EMPTY)


@parties
def test_plays_are_what_the_rules_allow(seats: int, options: dict[str, bool]) -> None:
    """TP-4: every card on every pile, tried; the table and the ruling are those it leaves."""
    for step, (state, _) in enumerate(walk(sit(seats, **options), Random(seats))):
        if step > 25:
            break
        plays = list(GAME.plays(state))
        found = {(play.actions[0], play.table, play.ruling) for play in plays}
        assert found == legal_by_trial(state)
        assert len(found) == len(plays)
        seat = state.seat if state.phase == "play" and not options.get("high_speed") else None
        assert all(play.seat == seat and len(play.actions) == 1 for play in plays)


def test_people_speak_first_while_goals_are_turned_up_or_an_open_hand_draws() -> None:
    """Nothing that is seen meanwhile counts."""
    state = after(sit(), *(f"lay {card}" for card in TOPS))
    assert state.phase == "goal"
    assert not list(GAME.plays(state))
    drawing = after(dealt(open_hands=True), "hand 0 green1 green2 pink4 purple5", "play green1 0")
    assert drawing.phase == "draw"
    assert not list(GAME.plays(drawing))
    assert GAME.wants(drawing, NAMED) == ("draw", "Ann draws a card; enter it")
    assert GAME.expected(drawing) == 0


def test_four_piles_that_are_looked_at_again_and_again_begin_the_game() -> None:
    """Each play fits the table of four cards, so far as it tells what lies there."""
    state, table = sit(), ("green 7", "green 7", "pink 2", "pink 3")
    for _ in range(4):
        fitting = [play for play in GAME.plays(state) if fits(play, table)]
        (play,) = fitting
        state = after(state, *play.actions)
    assert GAME.shown(state) == table


def fits(play: Play, table: Table) -> bool:
    """Tell whether *play* may have left *table*."""
    return all(mine in (None, seen) for mine, seen in zip(play.table, table, strict=True))


@pytest.mark.parametrize(
    ("pile", "content", "clause", "words"),
    [
        (0, "purple 1", "TP-4", "purple 1 on pile 1, but purple 1 has neither the colour nor"),
        (3, "green 2", "TP-4", "green 2 on pile 4, but green 2 has neither the colour nor"),
        (1, "green 7", "TP-18", "green 7 on pile 2, but both green 7 cards are already elsewhere"),
    ],
)
@pytest.mark.parametrize("high_speed", [False, True])
def test_a_card_that_may_not_lie_there_is_refused_by_its_clause(
    pile: int, content: str, clause: str, words: str, high_speed: bool
) -> None:
    """TP-4, TP-18: the rules' own words say why."""
    state = after(dealt(high_speed=high_speed), "play green7 0")
    seen = list(GAME.shown(state))
    seen[pile] = content
    refusal = GAME.refusal(state, tuple(seen), "Bob")
    assert refusal is not None
    assert refusal.clause == clause
    assert refusal.message.startswith(f"This looks like {words}")


def test_what_no_rule_forbids_is_not_refused() -> None:
    """A legal card, two new cards, no card at all, and another phase have no clause."""
    state = dealt()
    shown = GAME.shown(state)
    for seen in (
        shown,
        ("green 1", *shown[1:]),
        ("purple 1", "purple 2", *shown[2:]),
        (EMPTY, *shown[1:]),
        ("something else", *shown[1:]),
        (None, *shown[1:]),
    ):
        assert GAME.refusal(state, seen, "Ann") is None
    goal = after(sit(), *(f"lay {card}" for card in TOPS))
    assert GAME.refusal(goal, ("purple 1", *shown[1:]), "Ann") is None


def test_an_open_hand_says_what_it_does_not_hold() -> None:
    """TP-16: where hands lie open, a card from elsewhere is refused."""
    state = after(dealt(open_hands=True), "hand 0 green1 green2 pink4 purple5")
    refusal = GAME.refusal(state, ("green 3", *GAME.shown(state)[1:]), "Ann")
    assert refusal is not None
    assert refusal.clause == "TP-4"
    assert "not in that hand" in refusal.message


@FEW
@given(seed=SEEDS)
def test_offers_plays_and_view_give_no_hidden_card_away(seed: int) -> None:
    """They are equal for states that differ in what a bystander may not know."""
    rng = Random(seed)
    for state in known_walk(rng):
        if rng.random() < 0.3:
            offers, view = GAME.offers(state), GAME.view(state)
            assert view == json.loads(json.dumps(view))
            assert not any(GAME.is_secret(state, action) for action in offers)
            for twin in twins(rules, state, None, rng):
                assert GAME.offers(twin) == offers
                assert GAME.view(twin) == view
                covered = state._replace(coming=()), twin._replace(coming=())
                assert list(GAME.plays(covered[0])) == list(GAME.plays(covered[1]))


@parties
def test_a_game_is_played_to_its_end_by_what_is_offered(
    seats: int, options: dict[str, bool]
) -> None:
    """All that happens has words, a moment where it is due, and a bystander's view."""
    state = sit(seats, **options)
    if options.get("open_hands"):
        hands = (f"hand {seat} {' '.join(NAMES[4 * seat : 4 * seat + 4])}" for seat in range(seats))
        state = after(state, *hands)
    for before, action in walk(state, Random(seats)):
        state = before
        word, wanted = GAME.wants(state, NAMED)
        assert (word, wanted) != ("", "") or state.phase == "over"
        if action is None:
            break
        text = rules.format_action(action)
        words, seat = GAME.words(text, NAMED), GAME.actor(state, action)
        assert words != text
        assert words in GAME.sentence(seat, (text,), NAMED) or seat is None
        assert GAME.words(GAME.public(text), NAMED)
        transient_notice = GAME.transient_notice(state, action, NAMED)
        met = len(after(state, text).met) - len(state.met)
        assert bool(transient_notice and "met: " in transient_notice.words) == bool(met)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert outcome.scores == GAME.scores(state) == (len(state.met),) * seats
    assert GAME.expected(state) is None
    assert GAME.playing(state) == tuple(range(seats))
    assert (GAME.round_number(state), GAME.rounds(state), GAME.last_round(state)) == (1, 1, None)


def test_hands_are_secret_unless_they_lie_open() -> None:
    """TP-2, TP-16; the log's public text never names them."""
    told, drew, hidden = map(
        rules.parse_action, ("hand 1 green1 green2 pink4 purple5", "drew pink1", "drew hidden")
    )
    usual, shown = dealt(), dealt(open_hands=True)
    assert GAME.is_secret(usual, told)
    assert GAME.is_secret(usual, drew)
    assert not GAME.is_secret(usual, hidden)
    assert not GAME.is_secret(usual, rules.parse_action("play green7 0"))
    assert not GAME.is_secret(shown, told)
    assert not GAME.is_secret(shown, drew)
    assert GAME.is_kept(told)
    assert not GAME.is_kept(hidden)
    assert GAME.secrets_due(usual) == GAME.secrets_entered(usual) == ()
    assert GAME.public("hand 1 green1 green2 pink4 purple5") == "hand 1"
    assert GAME.public("drew pink1") == GAME.public("drew hidden") == "drew hidden"
    assert GAME.public("play green7 0") == "play green7 0"
    seen = GAME.view(after(shown, "hand 1 green1 green2 pink4 purple5"))
    assert seen["hands"][1] == ["green1", "green2", "pink4", "purple5"]


def test_a_told_hand_that_is_hidden_draws_a_hidden_card() -> None:
    """Only "drew hidden" is offered; an open hand may name what it drew."""
    texts = ("hand 0 green1 green2 pink4 purple5", "play green1 0")
    (offer,) = GAME.offers(after(dealt(), *texts))
    assert rules.format_action(offer) == "drew hidden"
    assert len(GAME.offers(after(dealt(open_hands=True), *texts))) > 20


def test_who_may_enter_what() -> None:
    """A play is the seat's to play, a hand its own; goals and first cards are anybody's."""
    play, stuck, goal, lay, told, drew, time = map(
        rules.parse_action,
        (
            "play green7 0",
            "stuck",
            "goal run 3",
            "lay pink1",
            "hand 2 pink1",
            "drew hidden",
            "time",
        ),
    )
    state, fast = after(dealt(), "play green7 0"), dealt(high_speed=True)
    assert [GAME.entry_seat(state, each) for each in (play, stuck, goal, lay)] == [1, 1, None, None]
    assert [GAME.actor(state, each) for each in (play, stuck, goal, lay)] == [1, 1, None, None]
    assert (GAME.entry_seat(state, told), GAME.actor(state, told)) == (2, None)
    assert GAME.entry_seat(state, drew) == GAME.actor(state, drew) is None
    for action in (play, Played(6, 0, 2), stuck, goal, time):
        assert GAME.entry_seat(fast, action) is None
    assert [GAME.actor(fast, each) for each in (play, Played(6, 0, 2), time)] == [None, 2, None]
    assert GAME.expected(fast) is None
    assert GAME.expected(state) == 1
    drawing = after(dealt(open_hands=True), "hand 0 green1 green2 pink4 purple5", "play green1 0")
    assert GAME.entry_seat(drawing, drew) == 0


def test_what_is_waited_for() -> None:
    """A word and a sentence for each phase."""
    assert (
        GAME.wants(sit(), NAMED)[1]
        == "Lay four cards side by side and enter them from left to right"
    )
    begun = after(sit(), "lay pink1")
    assert GAME.wants(begun, NAMED) == ("lay", "Turn up a card for pile 2 and enter it")
    goal = after(sit(), *(f"lay {card}" for card in TOPS))
    assert GAME.wants(goal, NAMED) == ("goal", "Turn up the next goal and enter it")
    assert GAME.wants(dealt(), NAMED) == ("play", "Ann plays a card")
    assert GAME.wants(dealt(high_speed=True), NAMED) == ("play", "Anyone may play a card")
    assert GAME.wants(after(dealt(), "stuck"), NAMED) == ("", "")


def test_high_speed_has_five_minutes() -> None:
    """TP-14: from when four goals lie open until the end, and then all have lost."""
    begun = sit(high_speed=True)
    assert GAME.time_limit_s(begun) is None
    goal = after(begun, *(f"lay {card}" for card in TOPS))
    assert GAME.time_limit_s(goal) is None
    fast = dealt(high_speed=True)
    assert GAME.time_limit_s(fast) == 300.0
    assert GAME.time_limit_s(dealt()) is None
    assert rules.parse_action("time") in GAME.offers(fast)
    people = People(NAMED)
    assert GAME.on_fact(fast, TimeFact(), people) == Reaction("time")
    over = after(fast, "time")
    assert GAME.time_limit_s(over) is None
    assert GAME.on_fact(over, TimeFact(), people) == Reaction()
    transient_notice = GAME.transient_notice(fast, rules.parse_action("time"), NAMED)
    assert transient_notice is not None
    assert transient_notice.words == "Lost: the five minutes are up"


def test_buttons_only_say_something_and_other_devices_are_not_there() -> None:
    """The game has neither tower nor idol."""
    people = People(NAMED)
    for pressed in (ButtonFact("done", 0), ButtonFact("done", 1), ButtonFact("me", 0)):
        reaction = GAME.on_fact(dealt(), pressed, people)
        assert reaction is not None
        assert not reaction.action
        assert reaction.transient_notice is not None
        assert reaction.transient_notice.words.startswith(f"{NAMED[pressed.seat]}, ")
    assert GAME.on_fact(dealt(), TowerFact("topple"), people) is None
    spin = SpinObserved(0.0, 2.0, clockwise=True, seats=(0,), trusted=True, void=False)
    assert GAME.on_fact(dealt(), SpinFact(spin), people) is None


def test_met_goals_wins_and_losses_are_told() -> None:
    """TP-11 to TP-13: which goal, and why it is over."""
    state = after(dealt(), "play green2 0", "play orange2 2")
    assert said(state, "play orange3 3") == "Goal met: only green and orange"
    assert said(state, "play green7 0") == ""
    assert said(state, "stuck") == "Lost: Cem cannot play a card"
    small = sit(goals=1, goal_deck=[])
    last = after(small, *(f"lay {card}" for card in TOPS))
    assert said(last, "goal sum all 19") == (
        "Goal met: all four add up to 19. Won: all goals are met"
    )


def said(state: State, text: str) -> str:
    """Return what the table is told when *text* happens."""
    transient_notice = GAME.transient_notice(state, rules.parse_action(text), NAMED)
    return transient_notice.words if transient_notice else ""


def test_the_view_has_what_a_page_needs() -> None:
    """Tops and heights, goals with their words, what may be said; not the goal deck."""
    seen = GAME.view(after(dealt(), "play green2 0"))
    assert seen["tops"] == ["green2", *TOPS[1:]]
    assert seen["heights"] == [2, 1, 1, 1]
    assert seen["goals"][0] == {"text": GOALS[0], "words": "only green and orange"}
    assert seen["met"] == []
    assert seen["cards_left"] == 56 - 12 - 4 - 1
    assert seen["talk"]["forbidden"]
    assert "goal_deck" not in seen["options"]
    assert GAME.view(sit())["tops"] == [None] * 4
    assert GAME.view(sit(silence=True))["talk"] == {"allowed": [], "forbidden": ["anything at all"]}


def test_one_person_plays_alone() -> None:
    """TP-17: the turn comes back at once, and the table of goals has a column of its own."""
    state = after(dealt(1), "play green2 0")
    assert (state.seat, GAME.expected(state), state.options.goals) == (0, 0, 14)
    assert said(state, "stuck") == "Lost: Ann cannot play a card"


def test_a_game_whose_cards_are_gone_is_lost() -> None:
    """TP-13: 52 cards were played, and a goal that cannot be met is still open."""
    ends = (walk(sit(2, goals=1, goal_deck=["sum purple 28"]), Random(n)) for n in range(100))
    for *_, (state, action), (over, _) in ends:
        if over.ended_by == "TP-13":
            assert action is not None
            transient_notice = GAME.transient_notice(state, action, NAMED)
            assert transient_notice is not None
            assert transient_notice.words == "Lost: no cards are left, and a goal is still open"
            return
    pytest.fail("every game ended before its cards were gone")
