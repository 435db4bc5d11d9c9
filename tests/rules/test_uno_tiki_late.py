"""UNO Tiki, near the end of a round above all: a game, followed by those who know less of it."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import uno_tiki as game
from tests.rules.late_rounds import dealt_round, forgotten, late_round

SEEDS = st.integers(0, 2**32)
MANY = settings(max_examples=60, deadline=None)
FEW = settings(max_examples=15, deadline=None)
STEPS = 60
MOST_STEPS = 3000


@MANY
@given(seed=SEEDS)
def test_a_companion_that_knows_less_takes_what_really_happened(seed: int) -> None:
    """UT-20: it lists all of it, counts the same cards, and scores the same at the end."""
    rng = Random(seed)
    follow(late_round(rng), rng, STEPS)


@FEW
@given(seed=SEEDS)
def test_a_companion_that_knows_less_follows_a_whole_round(seed: int) -> None:
    """UT-20: from the deal on, with the usual deck."""
    rng = Random(seed)
    follow(dealt_round(rng), rng, MOST_STEPS)


def follow(state: game.State, rng: Random, steps: int) -> None:
    """Play a round at random, while someone who knows less follows it."""
    onlooker = Onlooker(state, rng)
    for _ in range(steps):
        actions = game.legal_actions(state)
        assert actions
        action = rng.choice(actions)
        if isinstance(action, game.Took) and not action.card:
            continue  # all that is drawn is known here
        after = game.apply(state, action)
        onlooker.follow(state, action, after)
        if after.match.rounds:
            seen = scored(onlooker.state, after.match.rounds[0])
            assert seen.match.rounds == after.match.rounds
            return
        state = after
        if state.phase != "draw":  # there it may have counted already what is still to be drawn
            assert table_of(onlooker.state) == table_of(state)
            onlooker.state = told(onlooker.state, state, rng)


class Onlooker:
    """A companion that knows less of the game than those who play it.

    state: what it knows.
    """

    def __init__(self, state: game.State, rng: Random) -> None:
        self.state = forgotten(state, rng)
        self._rng = rng
        self._drawn: dict[int, list[game.Took]] = {}

    def follow(self, before: game.State, action: game.Action, after: game.State) -> None:
        """Take *action*, or count it, if it need not be entered here."""
        if isinstance(action, game.Took):
            self._drawn.setdefault(before.target, []).append(action)
        else:
            self._take(action)
        while self.state.phase == "draw" and self._drawn.get(self.state.target):
            took = self._drawn[self.state.target].pop(0)
            self._take(game.Took(game.HIDDEN) if self._rng.random() < 0.3 else took)
        if after.phase != "draw":
            self._drawn = {}  # what nobody asked for has been drawn into hidden hands
        if self.state.phase == "discard" and after.phase not in ("discard", "draw"):
            self._take(game.Kept())  # only the player knows that there is nothing more to discard

    def _take(self, action: game.Action) -> None:
        # Not listed where all cards to draw are known.
        assert action in game.legal_actions(self.state) or action == game.Took(game.HIDDEN)
        self.state = game.apply(self.state, action)


def told(seen: game.State, state: game.State, rng: Random) -> game.State:
    """Return *seen*, perhaps after someone has entered a whole hand."""
    seat = rng.randrange(len(state.hands))
    if rng.random() < 0.9:
        return seen
    return game.apply(seen, game.HandDeclared(seat, state.hands[seat]))


def scored(seen: game.State, played: game.Round) -> game.State:
    """Return *seen* after all hidden hands were counted."""
    while seen.phase == "count":
        seat = seen.match.counted.index(None)
        count = game.Counted(seat, played.held[seat])
        assert count in game.legal_actions(seen)
        seen = game.apply(seen, count)
    return seen


def table_of(state: game.State) -> tuple[object, ...]:
    """Return what everyone at the table sees."""
    view = game.view(state, None)
    return tuple(
        view[key]
        for key in (
            *("phase", "turn", "seat", "direction", "hand_sizes", "deck_size", "discard"),
            *("colour", "symbol", "idol", "target", "owed", "between", "exposed", "pending"),
        )
    )


@MANY
@given(seed=SEEDS)
def test_uno_may_be_called_until_the_next_player_begins(seed: int) -> None:
    """UT-15: whatever the idol brings in between; not by one who has more than one card again."""
    rng = Random(seed)
    state = late_round(rng)
    if rng.random() < 0.5:
        state = forgotten(state, rng)
    silent = -1  # who has one card left, and has not called
    for _ in range(STEPS):
        actions = game.legal_actions(state)
        called, caught = game.Called(silent), game.Caught(silent)
        assert (called in actions) == (caught in actions) == (silent >= 0)
        assert sum(isinstance(each, game.Called | game.Caught) for each in actions) in (0, 2)
        if silent >= 0:
            assert game.apply(state, called) == state._replace(exposed=-1)
            drawing = game.apply(state, caught)
            has_drawn = len(drawing.hands[silent]) > 1
            is_asked = (drawing.phase, drawing.target) == ("draw", silent)
            is_next = drawing.pending == game.Pending("draw", silent, 2)
            assert has_drawn or is_asked or is_next or not drawing.deck_size
        action = rng.choice([each for each in actions if each not in (called, caught)])
        acted = state.seat
        state = game.apply(state, action)
        if state.match.rounds or state.phase == "count":
            return
        if isinstance(action, game.Played):
            silent = acted if len(state.hands[acted]) == 1 else -1
        elif isinstance(action, game.Drew):
            silent = -1
        is_drawing = state.phase == "draw" and state.target == silent
        if silent >= 0 and (is_drawing or len(state.hands[silent]) != 1):
            silent = -1


@MANY
@given(seed=SEEDS)
def test_a_draw_pile_is_empty_only_if_nothing_could_be_shuffled(seed: int) -> None:
    """UT-16: and no card is lost or made by that."""
    rng = Random(seed)
    state = late_round(rng)
    cards = sum(copies for _, copies in state.options.deck)
    for _ in range(STEPS):
        before = state.deck_size
        state = game.apply(state, rng.choice(game.legal_actions(state)))
        if state.match.rounds or state.phase == "count":
            return
        held = sum(map(len, state.hands))
        assert len(state.discard) + len(state.idol) + held + state.deck_size == cards
        if before and not state.deck_size:
            assert (len(state.discard), len(state.idol[:1])) == (1, len(state.idol))
