"""TacTiki by camera while the seats have entered their ranks: the ranks settle every attack."""

from collections import Counter
from typing import Final

from companion.recording import load_recording, replay_header
from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.registry import recordings
from companion.rules import tactiki
from companion.rules.tactiki.ranks import constraints_of, solve
from tests.referee.entering import acts
from tests.tables import open_log, see_hand, see_table

RECORDING: Final = load_recording(recordings()["tactiki"])
ACTIONS: Final[list[str]] = (RECORDING.replay or {})["actions"]
PIECES: Final = 10
"""Of each seat, numbered in turn, seat 0's first."""
ATTACKER: Final = 7
"""The piece that makes the first attack, and loses it."""


def ranks_that_fit() -> list[list[int]]:
    """Return ranks of both seats with which every attack goes as it was recorded."""
    state = tactiki.initial(2, {}, {})
    for action in ACTIONS:
        state = tactiki.apply(state, tactiki.parse_action(action))
    constraints = constraints_of(state.facts)
    domains = solve(constraints, {})
    assert domains is not None
    found = {piece: domains[place].bit_length() - 1 for piece, place in constraints.places.items()}
    seats = []
    for seat in (0, 1):
        known = [found.get(2 * each + seat) for each in range(PIECES)]
        left = Counter(dict.fromkeys(range(1, 6), 2)) - Counter(filter(None, known))
        others = iter(left.elements())
        seats.append([rank or next(others) for rank in known])
    return seats


def watch(ranks: list[list[int]]) -> LiveSession:
    """Return the game as perfect eyes saw it, with *ranks* entered, until something is asked."""
    header, _ = replay_header(RECORDING)
    live_session = LiveSession(open_log(), header)
    for seat, each in enumerate(ranks):
        live_session.referee.enter_secret(seat, f"ranks {seat} {' '.join(map(str, each))}")
    state = tactiki.initial(2, {}, {})
    for number, action in enumerate(ACTIONS):
        live_session.observe(see_hand(f"hand {number}", header.sides[state.seat]))
        state = tactiki.apply(state, tactiki.parse_action(action))
        if state.phase != "clash":
            live_session.observe(see_table(f"{number}", live_session.game.shown(state)))
        if live_session.referee.question is not None:
            break
    return live_session


def test_attacks_are_settled_by_the_ranks_that_were_entered() -> None:
    """Every move of the game, and nothing is asked."""
    live_session = watch(ranks_that_fit())
    moves = [text for text in acts(live_session) if text.startswith("move")]
    assert Counter(moves) == Counter(text for text in ACTIONS if text.startswith("move"))
    assert live_session.referee.question is None


def test_an_attack_that_went_otherwise_than_the_ranks_say_is_named() -> None:
    """The table shows that the attacker fell; by its rank it would have won."""
    ranks = ranks_that_fit()
    seat, place = ATTACKER % 2, ATTACKER // 2
    other = next(at for at, rank in enumerate(ranks[seat]) if rank == 3)
    ranks[seat][place], ranks[seat][other] = ranks[seat][other], ranks[seat][place]
    live_session = watch(ranks)
    attack = ACTIONS.index("clash lose") - 1
    assert acts(live_session)[-1] == ACTIONS[attack - 1]
    assert isinstance(live_session.referee.question, Illegal)
