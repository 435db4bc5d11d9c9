"""Why a card of Tiki Topple counts, how a round ends, and that neither tells a secret."""

import contextlib
import random
import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tiki_topple.game import GAME
from companion.games.tiki_topple.reasons import card_lines, like_card_words
from companion.language.message import Message
from companion.referee.game import EMPTY, RoundEnd
from companion.rules import tiki_topple
from companion.rules.base import IllegalAction
from companion.rules.tiki_topple import TIKIS, Action, Dealt, Line, Played, State, Tiki
from companion.scoreboard import MAX_EXPLAINED, read_scoreboard
from tests.rules.tiki_topple_tables import START, after, table
from tests.tables import NAMES, random_round, sit_down

RULES = Path(__file__).parents[2] / "docs" / "rules" / "tiki_topple.md"
OPTIONS = {"hand": ["up1", "up3", "topple", "toast", "toast"]}
FINAL: Line = ("lokahi", "hookipa", "akamai")
"""The line of the rulebook's scoring example."""


def reason_of(state: State, action: str) -> str:
    """Return why *action* counts, with its clause."""
    found = GAME.reason(state, tiki_topple.parse_action(action), NAMES)
    assert found
    assert isinstance(found.message, Message)
    return f"{found.message} ({found.clause})"


def ended(*cards: str, rounds: int = 1, **options: object) -> tuple[State, RoundEnd | None]:
    """Return the state before the last of *cards* is shown, and how the round ends by it.

    The round has ended with the line FINAL.
    """
    state = table(len(cards), {"rounds": rounds, **options})
    state = state._replace(phase="reveal", line=FINAL, ended_by="TT-9")
    *first, last = (f"card {seat} {card}" for seat, card in enumerate(cards))
    state = after(state, *first)
    return state, GAME.round_end(state, tiki_topple.parse_action(last), NAMES)


def played_out(
    rng: random.Random, cards: Sequence[Sequence[str]]
) -> Iterator[tuple[State, Action]]:
    """Yield every state of a random round with its next action; *cards*: known beforehand."""
    setup = {"line": START, "cards": list(cards)}
    state = tiki_topple.initial(len(cards), {"rounds": 2}, setup)
    while state.phase == "play":
        action = rng.choice(tiki_topple.legal_actions(state))
        yield state, action
        state = tiki_topple.apply(state, action)


def test_a_card_says_what_it_moved() -> None:
    """Where the tiki was and is, and which others moved by that."""
    state = table(3)
    assert START[2:5] == ["wikiwiki", "nui", "lokahi"]
    assert reason_of(state, "up1 nui") == (
        "Nui climbs from place 4 to place 3, and Wikiwiki moves down (TT-5)"
    )
    assert reason_of(state, "up2 lokahi") == (
        "Lokahi climbs from place 5 to place 3, and Wikiwiki and Nui move down (TT-5)"
    )
    assert reason_of(state, "topple nani") == (
        "Nani goes from place 1 to the end of the line, and all below it move up (TT-6)"
    )
    moved = after(table(2), "up1 nui", "up1 nui")
    assert reason_of(moved, "toast hookipa") == (
        "Hookipa was last, and is out until the round ends. 8 tikis are left (TT-7)"
    )


def test_a_topple_without_effect_says_so() -> None:
    """Where the last tiki may be toppled, nothing moves."""
    state = table(options={"topple_last": True})
    assert reason_of(state, "topple hookipa") == (
        "Hookipa is last already, so nothing moves (TT-6)"
    )


def test_the_card_that_ends_a_round_says_so() -> None:
    """The sixth Toast leaves three tikis; or nobody has a card left."""
    state = after(table(4), "up1 nui", "up1 nui", "up1 kapu", "up1 kapu")
    for tiki in reversed(state.line[4:]):
        state = after(state, f"toast {tiki}")
    last = state.line[-1]
    assert reason_of(state, f"toast {last}").endswith(
        "is out until the round ends. Only three tikis are left, so the round is over (TT-9)"
    )
    state = after(table(2, {"hand": ["up1"]}), "up1 nui")
    assert reason_of(state, "up1 nui").endswith(
        "Nobody has a card left, so the round is over (TT-10)"
    )


def test_a_new_line_says_who_begins_and_why() -> None:
    """In the first round, in a later one, and in one that only those play who are level."""
    first = tiki_topple.initial(3, {"hand": ["up1"]}, {"first": 1})
    line = " ".join(("line", *START))
    assert reason_of(first, line) == "All nine tikis are in line, and Bob begins (TT-2)"
    state = after(first, line, "up1 nui", "up1 nui", "up1 nui")
    state = after(state, *(f"card {seat} {' '.join(FINAL)}" for seat in range(3)))
    assert reason_of(state, line) == (
        "Cem sits to the left of the last starting player and begins (TT-14)"
    )
    tied = state._replace(players=(0, 1), starter=0, rounds=state.rounds * 3)
    assert reason_of(tied, line) == "Ann begins this tie-break round (TT-14)"


def test_a_secret_card_explains_itself() -> None:
    """TT-11: what each tiki earns, by where it stands, and the sum."""
    state, _ = ended("nani kapu eepo", "hookipa lokahi akamai")
    assert reason_of(state, "card 1 hookipa lokahi akamai") == (
        "Hookipa, number 2 in line: no points, as its 9 only count if it is 1st."
        " Lokahi, 1st in line: 5 points. Akamai, 3rd in line: 2 points. 7 points in all (TT-11)"
    )
    assert card_lines(("nani", "akamai", "hookipa"), FINAL) == (
        "Nani, toasted: no points",
        "Akamai, number 3 in line: no points, as its 5 only count if it is 1st or 2nd",
        "Hookipa, 2nd in line: 2 points",
    )
    assert card_lines(("nani", "huhu", "eepo"), (*FINAL, "eepo"))[2] == (
        "Eepo, number 4 in line: no points, as its 2 only count if it is 1st to 3rd"
    )


def test_a_round_end_tells_who_won_and_the_final_line() -> None:
    """The sums, a line for each tiki, the winners of the round, and the table as it was scored."""
    _, end = ended("kapu akamai hookipa", "lokahi nani eepo", "nui hookipa lokahi", rounds=3)
    assert end
    assert end.message == "Only three tikis are left, so round 1 is over"
    assert (end.number, end.clause, end.points, end.scores) == (1, "TT-9", (2, 9, 7), (2, 9, 7))
    assert end.winners == (1,)
    assert end.reasons[1][0] == "Lokahi, 1st in line: 9 points"
    assert end.places == (*FINAL, *(EMPTY,) * 6)
    assert (end.view["line"], len(end.view["toasted"])) == ([*FINAL], 6)
    assert end.view["shown"][2] == {"top9": "nui", "middle5": "hookipa", "bottom2": "lokahi"}
    assert isinstance(hash(end), int)


def test_the_last_round_tells_how_the_game_ended() -> None:
    """TT-12 and TT-13: one winner, several who share, or several who play on; nobody at 0."""
    _, won = ended("kapu akamai hookipa", "lokahi nani eepo")
    assert won
    assert won.message.endswith("is over. Bob has the most points, 9, and wins the game")
    _, shared = ended("lokahi nani eepo", "lokahi nui kapu", "nui nani huhu", tie="share")
    assert shared
    assert shared.message.endswith("Ann and Bob have the most points, 9 each, and win together")
    assert shared.winners == (0, 1)
    _, level = ended("lokahi nani eepo", "lokahi nui kapu", "nui nani huhu")
    assert level
    assert level.message.endswith(
        "Ann and Bob lead with 9 points each, so only they play one more round"
    )
    _, nothing = ended("nani nui eepo", "kapu nui eepo", rounds=3)
    assert nothing
    assert nothing.winners == ()


def test_a_round_that_ran_out_of_cards_says_so() -> None:
    """TT-10: the words and the clause; the line may be longer than three."""
    state = after(table(2, {"hand": ["up1"]}), "up1 nui", "up1 nui")
    state = after(state, "card 0 nani huhu nui")
    end = GAME.round_end(state, tiki_topple.parse_action("card 1 kapu eepo nui"), NAMES)
    assert end
    assert (end.message, end.clause) == ("Nobody has a card left, so round 1 is over", "TT-10")
    assert EMPTY not in end.places


def test_nothing_ends_before_all_cards_are_shown() -> None:
    """Neither a move nor the first of two cards; nor what the rules refuse."""
    state, _ = ended("nani kapu eepo", "lokahi nani eepo")
    assert GAME.round_end(table(), Played("up1", "nui"), NAMES) is None
    early = state._replace(cards=(None, None))
    card = tiki_topple.parse_secret_card(FINAL)
    assert GAME.round_end(early, Dealt(0, card), NAMES) is None
    assert GAME.round_end(state, Dealt(0, card), NAMES) is None
    assert GAME.reason(table(), Played("toast", "nani"), NAMES) is None


@given(st.randoms(use_true_random=False), st.integers(2, 4))
def test_reasons_tell_no_secret(rng: random.Random, seats: int) -> None:
    """All through a round, they are equal for games that differ in secret cards alone."""
    seed = rng.random()
    known = []
    for _ in range(2):
        cards = [rng.sample(TIKIS, 3) for _ in range(seats)]
        known.append(list(played_out(random.Random(seed), cards)))
    for (one, action), (other, same) in zip(*known, strict=True):
        assert action == same
        assert GAME.reason(one, action, NAMES) == GAME.reason(other, same, NAMES)
    for one, action in known[0][:-1]:
        assert GAME.round_end(one, action, NAMES) is None
    assert GAME.round_end(*known[0][-1], NAMES)


def test_a_card_entered_during_the_round_has_no_reason() -> None:
    """Only its owner may know it then."""
    card = tiki_topple.parse_secret_card(("nani", "huhu", "nui"))
    assert GAME.reason(table(), Dealt(0, card), NAMES) is None


@given(
    st.lists(st.sampled_from(TIKIS), min_size=3, max_size=9, unique=True), st.permutations(TIKIS)
)
def test_the_lines_of_a_card_are_its_points(line: list[Tiki], card: list[str]) -> None:
    """Whatever the line and the card, what is paid in words is what the rules pay."""
    secret = tiki_topple.parse_secret_card(card[:3])
    paid = [re.search(r": (\d) points$", words) for words in card_lines(secret, line)]
    assert sum(int(each[1]) for each in paid if each) == tiki_topple.points_of(secret, tuple(line))


def refusals(rng: random.Random) -> Iterator[IllegalAction]:
    """Yield what a random game refuses of what is tried at random."""
    state = table(3)
    while state.phase == "play":
        for card, tiki in product(tiki_topple.CARDS, rng.sample(TIKIS, 3)):
            with contextlib.suppress(IllegalAction):
                tiki_topple.apply(state, Played(card, tiki))
                continue
            with pytest.raises(IllegalAction) as refused:
                tiki_topple.apply(state, Played(card, tiki))
            yield refused.value
        state = tiki_topple.apply(state, rng.choice(tiki_topple.legal_actions(state)))


def test_what_is_refused_is_in_words_for_people() -> None:
    """Neither a seat's number nor a clause's, nor the text of a card or a tiki."""
    found = [error for seed in range(5) for error in refusals(random.Random(seed))]
    assert {error.clause for error in found} >= {"TT-4", "TT-5", "TT-6", "TT-7", "TT-8"}
    raw = re.compile("|".join((r"seat|TT-\d|up[123]", *TIKIS)))
    for error in found:
        assert isinstance(error.args[0], Message)
        assert not raw.search(error.args[0])
        assert GAME.clause_words(error.clause)


def test_the_scoreboard_has_reasons_rules_and_the_round_end() -> None:
    """Every move says why; the end stays until the next line is up."""
    live_session = sit_down(2, rounds=2)
    for _, action, _ in random_round(random.Random(2), 2, TIKIS):
        live_session.referee.enter(action)
    newest = read_scoreboard(live_session).history[:MAX_EXPLAINED]
    assert all(line.reason and line.rule for line in newest)
    live_session.referee.enter("card 0 kapu nui nani")
    assert read_scoreboard(live_session).round_end is None
    live_session.referee.enter("card 1 eepo huhu lokahi")
    board = read_scoreboard(live_session)
    assert board.round_end
    assert board.history[0].gains in ((), board.round_end.points)
    assert board.round_end.points == tuple(player.score for player in board.players)
    live_session.referee.enter(" ".join(("line", *TIKIS)))
    assert read_scoreboard(live_session).round_end is None


def test_like_tikis_are_named_by_their_points() -> None:
    """Which two are alike, and never which tiki that is; three different ones are fine."""
    assert like_card_words(("nani", "huhu", "nui")) == ""
    for card, words in (
        (("nani", "nani", "nui"), "for 9 and for 5"),
        (("nani", "huhu", "nani"), "for 9 and for 2"),
        (("huhu", "nani", "nani"), "for 5 and for 2"),
        (("nani", "nani", "nani"), "three times"),
    ):
        assert words in like_card_words(card)
        assert "nani" not in like_card_words(card).lower()
