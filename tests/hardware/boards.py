"""One scoreboard for everything that lights, display and sound can tell."""

from dataclasses import replace
from functools import cache

from companion.scoreboard import Question, Scoreboard, TransientNotice, read_scoreboard
from tests.tables import sit_down

SCORES = (17, 8, 23, 31)


@cache
def board_of(seats: int = 4) -> Scoreboard:
    """Return the scoreboard of a game in which the first seat is to act."""
    board = read_scoreboard(sit_down(seats))
    players = tuple(
        replace(player, score=score) for player, score in zip(board.players, SCORES, strict=False)
    )
    return with_turn(replace(board, phase="play", players=players), 0)


def with_turn(board: Scoreboard, seat: int | None) -> Scoreboard:
    """Return *board* with *seat* to act."""
    players = tuple(replace(player, is_turn=player.seat == seat) for player in board.players)
    return replace(board, turn=seat, players=players)


def with_winners(board: Scoreboard, *winners: int) -> Scoreboard:
    """Return *board* with the game over."""
    players = tuple(replace(each, is_winner=each.seat in winners) for each in board.players)
    return replace(with_turn(board, None), phase="over", winners=winners, players=players)


def states(seats: int = 4) -> dict[str, Scoreboard]:
    """Return one scoreboard for each thing that is told."""
    board = board_of(seats)
    nobody = with_turn(board, None)
    wrong = Question("illegal", "That does not fit.", (1, 4), rows=(1, 4), mark="1")
    moments = {
        "topple": TransientNotice("topple", seats=(1,)),
        "topple by nobody": TransientNotice("topple"),
        "knock": TransientNotice("knock"),
        "wobble": TransientNotice("wobble"),
        **{
            f"spin {seat}": TransientNotice("spin", (seat,), 360 / seats * seat)
            for seat in range(seats)
        },
        "void spin": TransientNotice("void_spin", angle_deg=20.0),
        "between": TransientNotice("between", seats=(0, 1), angle_deg=45.0),
        "distrusted": TransientNotice("distrusted"),
        "countdown": TransientNotice("countdown", seconds_left=7),
        "paused": TransientNotice("paused"),
        "slow": TransientNotice("slow", seats=(1,)),
        "uno": TransientNotice("uno", seats=(1,)),
    }
    return {
        **{f"turn {seat}": with_turn(board, seat) for seat in range(seats)},
        "ask": replace(board, question=Question("ask", "What happened?", mark="1")),
        "wrong": replace(board, question=wrong),
        "put right": replace(board, question=replace(wrong, kind="put_right")),
        "no view": replace(board, waiting="tiles"),
        "reveal": replace(nobody, phase="reveal"),
        "calm": replace(nobody, phase="line"),
        "won": with_winners(board, 1),
        "tie": with_winners(board, 0, 1),
        **{name: replace(board, moment=moment) for name, moment in moments.items()},
    }
