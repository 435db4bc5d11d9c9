"""Which one scene lights, display and sound all tell of a scoreboard."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from companion.referee.live_session import HURRY_S, NOT_SAVED
from companion.scoreboard import Scoreboard, TransientNotice, TransientNoticeKind

SceneKind: TypeAlias = (
    Literal[
        "won",
        "ask",
        "illegal",
        "put_right",
        "no_view",
        "reveal",
        "calm",
        "turn",
        "meant",
        "clock",
        "lost",
        "not_saved",
    ]
    | TransientNoticeKind
)

NEEDS_ATTENTION: Final = (
    "tiles",
    "picture",
)  # reasons to wait that someone has to do something about
# Notices that a question waits for, since they are what the people have to settle first.
BEFORE_QUESTIONS: Final = ("paused", "topple", "spin", "void_spin", "between", "distrusted")
# What may last for hours, so that it must not keep lights, wires and pages busy.
STATIC: Final = ("turn", "calm", "won", "lost", "paused", "no_view", "not_saved")


@dataclass(frozen=True, slots=True)
class Scene:
    """The one thing that the table is shown now.

    seats: whom it concerns: to act, to have won (nobody in particular where all play together), to
        be chosen between.  rows: in which something lies wrong, see `Question`; or which is
        touched, from first to last, by a move that people do for the companion.
    angle_deg, seconds_left: as in `TransientNotice`.  seconds_limit: how many there were at first.
    """

    kind: SceneKind
    seats: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    angle_deg: float | None = None
    seconds_left: int | None = None
    seconds_limit: int | None = None

    @property
    def moves(self) -> bool:
        """Whether its lights change with the beat."""
        return self.kind not in STATIC


def scene_of(board: Scoreboard) -> Scene:
    """Return what matters most on *board*.

    A game that is won comes first, then that nothing can be saved, then what has just happened to
    tower or idol, then what the referee wants to know, then passing things, then what the companion
    means to do, and the turn only when there is nothing else; the clock of a timed game while it is
    nobody's turn.
    """
    moment, asked = board.moment, board.question
    if board.winners:
        return Scene("won", () if board.together else board.winners)
    if board.is_over:
        return Scene("lost")
    if board.waiting == NOT_SAVED:
        return Scene("not_saved")
    if moment and moment.kind in BEFORE_QUESTIONS:
        return _transient_scene(moment)
    if asked:
        if asked.kind in ("ask", "unseen"):
            return Scene("ask")
        return Scene("put_right" if asked.kind == "put_right" else "illegal", rows=asked.rows)
    if moment and moment.kind != "remark":  # which is only words
        return _transient_scene(moment)
    if board.waiting in NEEDS_ATTENTION:
        return Scene("no_view")
    if board.phase == "reveal":
        return Scene("reveal")
    if (meant := board.intention) is not None:
        return Scene("meant", (meant.seat,), rows=board.rows_touched)
    if board.turn is not None:
        return Scene("turn", (board.turn,))
    left, limit = board.seconds_left, board.seconds_limit
    if left is None:
        return Scene("calm")
    # Said here too, so that a play in the last seconds does not hide them until the next one.
    return Scene(
        "countdown" if left <= HURRY_S else "clock", seconds_left=left, seconds_limit=limit
    )


def _transient_scene(moment: TransientNotice) -> Scene:
    return Scene(
        moment.kind, moment.seats, angle_deg=moment.angle_deg, seconds_left=moment.seconds_left
    )


def is_lively(board: Scoreboard) -> bool:
    """Return whether the lights change with the beat."""
    return scene_of(board).moves
