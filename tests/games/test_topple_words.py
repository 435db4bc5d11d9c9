"""Topple in words: why each piece scores, how a round ended, and what the rules say."""

import random
import re
from pathlib import Path
from typing import Any, Final

import pytest

from companion.games.topple.game import GAME
from companion.games.topple.help import CLAUSES
from companion.language.message import Message
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules import topple
from companion.rules.base import IllegalAction
from companion.scoreboard import HistoryLine, Scoreboard, read_scoreboard
from tests.games.topple_seats import seat
from tests.referee.entering import sit, tell
from tests.tables import NAMES, open_log

RULES: Final = Path(__file__).parents[2] / "docs" / "rules" / "topple.md"
ROW: Final = ("20 pink", "21 yellow", "22 blue", "23 pink", "24 yellow")
"""Row 3, filled by Bob, who has yellow on B3 as well."""


def place(*pieces: str) -> list[str]:
    """Return the actions that place *pieces*, each after a 6."""
    return [action for piece in pieces for action in ("roll 6", f"place {piece}")]


def board(*actions: str, seats: int = 3, **options: Any) -> Scoreboard:
    """Return the scoreboard after *actions*."""
    live_session = seat(seats, **options)
    tell(live_session, *actions)
    return read_scoreboard(live_session)


def newest(*actions: str, **options: Any) -> HistoryLine:
    """Return the newest thing that happened."""
    return board(*actions, **options).history[0]


@pytest.mark.parametrize(
    ("options", "pieces", "gains", "reason", "clause"),
    [
        ({}, ROW[:1], (), "This piece scores nothing", "TO-5"),
        ({}, ROW, (0, 4, 0), "Row 3 is now full: 3 points, and 1 more for a stack in it", "TO-5"),
        (
            {"count_completing": True},
            ROW,
            (0, 5, 0),
            "Row 3 is now full: 3 points, and 2 more for stacks in it with yellow on top",
            "TO-5",
        ),
        (
            {},
            (*ROW, "21 blue"),
            (0, 0, 2),
            "Row 3 was already full: 2 points for the stacks in it with blue on top",
            "TO-6",
        ),
        (
            {},
            ("22 pink", "22 yellow", "22 blue", "22 pink"),
            (2, 0, 0),
            "The stack on C3 was already 3 high: 2 points for its pink pieces",
            "TO-7",
        ),
        (
            {},
            ("22 pink", "22 yellow", "22 blue", "02 pink", "12 yellow", "32 blue", "42 pink"),
            (4, 0, 0),
            "Column C is now full: 3 points, and 1 more for a stack in it with pink on top",
            "TO-5",
        ),
        (
            {},
            ("00 pink", "11 yellow", "33 blue", "44 pink", "22 yellow"),
            (0, 4, 0),
            "The diagonal A1–E5 is now full: 3 points, and 1 more for a stack in it",
            "TO-5",
        ),
        (
            {},
            (*ROW, "22 blue", "22 pink", "22 yellow"),
            (0, 4, 0),
            (
                "Row 3 was already full: 3 points for the stacks in it with yellow on top."
                " The stack on C3 was already 3 high: 1 point for its yellow piece."
                " 4 points in all"
            ),
            "TO-8",
        ),
    ],
)
def test_a_piece_says_which_rows_and_stack_scored(
    options: dict[str, Any],
    pieces: tuple[str, ...],
    gains: tuple[int, ...],
    reason: str,
    clause: str,
) -> None:
    """Each of them with its points, in the board's own names, and the rule in plain words."""
    line = newest(*place(*pieces), **options)
    assert line.reason.startswith(reason)
    assert line.rule == CLAUSES[clause]
    assert line.gains == gains


@pytest.mark.parametrize(
    ("actions", "reason", "clause"),
    [
        (("roll 6",), "A 6 allows any spot", "TO-4"),
        (("roll ?",), "Nobody saw the number, so the piece may go on any spot", "TO-4"),
        (
            ("roll 6", "topple"),
            (
                "The tower fell while Ann was placing: Ann loses 10 points. It was the first turn"
                " of the round, so nobody gets a bonus"
            ),
            "TO-9",
        ),
        (
            (*place("20 pink"), "roll 6", "topple"),
            (
                "The tower fell while Bob was placing: Bob loses 10 points, and Ann gets 3 for the"
                " turn before"
            ),
            "TO-9",
        ),
        (
            (*place("20 pink"), "knock 2"),
            "Cem knocked the tower over and loses 10 points. Nobody gets a bonus for that",
            "TO-10",
        ),
    ],
)
def test_a_roll_and_a_fall_say_what_they_mean(
    actions: tuple[str, ...], reason: str, clause: str
) -> None:
    """What a newcomer would ask about."""
    line = newest(*actions)
    assert (line.reason, line.rule) == (reason, CLAUSES[clause])


@pytest.mark.parametrize(
    ("rolls", "reason"),
    [
        ((3,), "Everyone rolls; whoever rolls highest begins"),
        ((3, 5, 5), "Bob and Cem share the highest roll and roll again"),
        ((3, 5, 4), "Bob rolled highest and begins"),
        ((3, 5, 5, 2, 6), "Cem rolled highest and begins"),
    ],
)
def test_the_rolls_for_the_first_turn_say_what_they_decide(
    rolls: tuple[int, ...], reason: str
) -> None:
    """Who begins, and who rolls again."""
    header = open_header(game_of("topple"), NAMES[:3], {}, None)
    live_session = LiveSession(open_log(), header)
    tell(live_session, *(f"roll {pips}" for pips in rolls))
    line = read_scoreboard(live_session).history[0]
    assert (line.reason, line.rule) == (reason, CLAUSES["TO-3"])


def test_a_roll_for_one_level_needs_no_reason() -> None:
    """The level is what everyone waits for next."""
    found = board("roll 3")
    assert (found.history[0].reason, found.history[0].rule) == ("", "")
    assert found.waiting_for == "Ann places a piece on a level 3 spot"


def test_where_nobody_has_to_place_the_reason_says_so() -> None:
    """An option of the table, not a rule of the book."""
    line = newest("roll 6", "pass", must_place=False)
    assert (line.words, line.reason) == (
        "Ann places no piece",
        "At this table, nobody has to place a piece",
    )


def test_a_round_ends_with_its_sums_and_the_tower_as_it_stood() -> None:
    """Who won it, what each player's points are made of, and the table until play goes on."""
    live_session = seat(3)
    tell(live_session, *place(*ROW), "roll 6", "topple")
    ended = read_scoreboard(live_session).round_end
    assert ended is not None
    assert ended.message == "The tower fell while Cem was placing"
    assert (ended.number, ended.clause, ended.winners) == (1, "TO-9", (1,))
    assert (ended.points, ended.scores) == ((0, 7, -10), (0, 7, -10))
    assert ended.reasons == (
        ("nothing scored",),
        ("4 points for rows and stacks", "+3 points: had the turn before the fall"),
        ("\N{MINUS SIGN}10 points: the tower fell while placing",),
    )
    assert ended.places[10:15] == ("pink 1", "yellow 1", "blue 1", "pink 1", "yellow 1")
    assert ended.view["cells"][2] == [["pink"], ["yellow"], ["blue"], ["pink"], ["yellow"]]
    assert read_scoreboard(live_session).places[10] is None
    tell(live_session, "roll 1")
    assert read_scoreboard(live_session).round_end is None


@pytest.mark.parametrize(
    ("options", "actions", "message", "winners"),
    [
        (
            {"target": 4},
            (*place(*ROW), "knock 0"),
            "Ann knocked the tower over. Bob has 4 points and wins the game",
            (1,),
        ),
        (
            {"target": 3},
            (*place("00 pink"), "roll 6", "topple"),
            "The tower fell while Bob was placing. Ann has 3 points and wins the game",
            (0,),
        ),
        (
            {"target": 4, "tie": "share"},
            (*place(*ROW, "21 blue", "00 pink", "00 yellow", "22 blue"), "knock 0"),
            "Ann knocked the tower over. Bob and Cem win the game together with 4 points each",
            (1, 2),
        ),
        (
            {"young": True},
            (*place(*ROW), "roll 6", "topple"),
            "The tower fell while Cem was placing. Cem is out",
            (),
        ),
        (
            {"young": True},
            (*place(*ROW), "roll 6", "topple", *place("00 pink"), "knock 1"),
            "Bob knocked the tower over. Bob is out. Ann is the last one left and wins",
            (0,),
        ),
    ],
)
def test_the_end_of_a_round_says_what_it_has_decided(
    options: dict[str, Any], actions: tuple[str, ...], message: str, winners: tuple[int, ...]
) -> None:
    """Who won the game, or who is out."""
    found = board(*actions, **options)
    assert found.round_end is not None
    assert found.round_end.message == message
    assert found.round_end.winners == winners


def test_the_last_piece_ends_a_round_and_stays_on_the_final_table() -> None:
    """TO-11: with all pieces placed nobody is to blame, and the last one is seen."""
    live_session = seat(2)
    while not live_session.session.state.rounds:
        mover = live_session.session.state.seat
        colours = [name for name, left in zip(COLOURS, stock(live_session), strict=True) if left]
        own = next(name for name in colours if COLOURS.index(name) % 2 == mover)
        tell(
            live_session, *place(f"{len(live_session.session.history.acts) // 2 % 25 // 5}0 {own}")
        )
    ended = read_scoreboard(live_session).round_end
    assert ended is not None
    assert ended.message.startswith("All pieces are placed")
    assert sum(len(stack) for row in ended.view["cells"] for stack in row) == 48
    assert sum(ended.points) == sum(ended.scores) > 0
    line = read_scoreboard(live_session).history[0]
    assert line.reason.endswith("All pieces are placed, so the round is over")


COLOURS: Final = topple.COLOURS


def stock(live_session: LiveSession) -> tuple[int, ...]:
    """Return how many pieces of each colour are left."""
    left: tuple[int, ...] = live_session.session.state.stock
    return left


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{}, {"count_completing": True}, {"young": True}])
def test_the_reasons_add_up_to_what_is_scored(seed: int, options: dict[str, Any]) -> None:
    """Whatever is placed: the parts that are told are the points that the rules give."""
    rng, state = random.Random(seed), topple.initial(2 + seed % 3, options, {"first": 0})
    scored = 0
    for _ in range(300):
        actions = [each for each in topple.legal_actions(state) if _is_calm(each)]
        action = rng.choice(actions or topple.legal_actions(state))
        if isinstance(action, topple.Placed) and not options.get("young"):
            colour = state.options.colours.index(action.colour)
            told = sum(part.points for part in topple.parts(state, action.spot, colour))
            assert told == topple.worth(
                state.cells, state.marks, action.spot, colour, state.options
            )
            scored += told
        state = topple.apply(state, action)
        if state.phase == "over":
            break
    assert scored or options.get("young")


def _is_calm(action: topple.Action) -> bool:
    return not isinstance(action, topple.Toppled | topple.Knocked)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_is_said_in_messages_without_ids(seed: int) -> None:
    """Every line, reason, ending, question and refusal; no clause number, no seat number."""
    rng, live_session = random.Random(seed), seat(2 + seed % 3, young=seed == 3, target=30)
    for _ in range(80):
        offers = live_session.referee.offers()
        if not offers:
            break
        tell(live_session, rng.choice(offers))
        found = read_scoreboard(live_session)
        line, ended = found.history[0], found.round_end
        texts = [line.words, line.reason, line.rule, found.waiting_for]
        if ended:
            texts += [ended.message, *(text for lines in ended.reasons for text in lines)]
            assert GAME.clause_words(ended.clause)
        for text in filter(None, texts):
            assert isinstance(text, Message), text
            assert not re.search(r"TO-\d|seat \d|['\"]", text), text
        refused = rng.choice(("roll 2", "place 22 pink", "place 22 green", "pass", "knock 1"))
        error = refusal(live_session.session.state, refused)
        assert error is None or isinstance(error.args[0], Message)
        assert error is None or GAME.clause_words(error.clause)


def refusal(state: topple.State, action: str) -> IllegalAction | None:
    """Return why the rules refuse *action*, None if they do not."""
    try:
        topple.apply(state, topple.parse_action(action))
    except IllegalAction as error:
        return error
    return None


def test_what_looks_wrong_says_why() -> None:
    """A piece on a level that the die does not allow, and one of another player."""
    live_session = sit("topple", "roll 1")
    state = live_session.session.state
    seen = ["empty"] * 25
    seen[0] = "pink 1"
    found = GAME.refusal(state, tuple(seen), "Ann")
    assert found is not None
    assert found.message == "This looks like pink on A1, but a roll of 1 only allows level 1"
    seen[0], seen[12] = "empty", "yellow 1"
    found = GAME.refusal(state, tuple(seen), "Ann")
    assert found is not None
    assert found.message == ("This looks like yellow on C3, but Ann has no yellow pieces to place")
