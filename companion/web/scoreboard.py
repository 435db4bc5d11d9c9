"""The scoreboard: what everybody at the table may see of a sitting, frozen at one moment.

No secret is in it before the rules reveal it; every page, the JSON, the lights and the display are
made from it, so that none of them can tell more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from companion.referee.notices import Candidate, Illegal
from companion.referee.sitting import Sitting
from companion.rules import tiki_topple
from companion.rules.tiki_topple import State
from companion.session.events import MoveAccepted, MoveCorrected
from companion.session.history import Act

Slots: TypeAlias = tuple[str | None, ...]
"""What each of the nine slots holds, the top one first: a tiki's name, None if it is empty."""

SLOTS: Final = len(tiki_topple.TIKIS)
SEAT_NOTICE: Final = "seat"


@dataclass(frozen=True, slots=True)
class Player:
    """What is public of one seat.

    points: earned in each scored round.  cards: the action cards left this round.
    plays: whether the seat takes part in this round (in a tie round not all do).
    has_secret: whether this round's secret card was entered; which one it is stays hidden.
    shown: the secret card as it was shown at this round's end, None before.
    """

    seat: int
    name: str
    side: str
    score: int
    points: tuple[int, ...]
    cards: tuple[str, ...]
    is_turn: bool
    plays: bool
    has_secret: bool
    shown: tuple[str, ...] | None
    is_winner: bool


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee wants to know, or what is wrong with the line.

    kind: "ask" several things may have happened; "illegal" no move explains the line; "put_right"
        the people changed the game here and the table has to follow.
    slots: the wrong ones, 0 at the top.  seen: what stands there.  nearest: what should.
    candidates: what may have happened, in words.
    mark: differs between any two questions, so that an answer meets the one it was given to.
    """

    kind: str
    message: str
    slots: tuple[int, ...] = ()
    seen: Slots = ()
    nearest: Slots = ()
    candidates: tuple[str, ...] = ()
    clause: str | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened and still counts.

    seq: its number in the log.  seat: who did it, None for a starting line or a shown card.
    open: the words name several moves, and later play will tell which it was.
    by_hand: it was tapped in, not seen.  corrected: the people changed what it was.
    """

    seq: int
    seat: int | None
    words: str
    open: bool
    by_hand: bool
    corrected: bool


MomentKind: TypeAlias = Literal[
    "topple",
    "knock",
    "wobble",
    "spin",
    "void_spin",
    "between",
    "distrusted",
    "countdown",
    "paused",
    "uno",
    "remark",
]


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that the table is told now, beside whose turn it is.

    kind: "topple" the tower fell; "knock" the table was hit, which counts for nothing; "wobble" the
        tower sways or leans; "spin" the idol chose; "void_spin" it turned less than once; "between"
        it stopped between two seats; "distrusted" steps of the spin were lost; "countdown" somebody
        has to hurry; "paused" the game waits; "uno" somebody called it; "remark" only words.
    seats: whom it concerns; both where the idol stopped between two.
    angle_deg: where the idol points, clockwise from its zero, from 0 to below 360.
    words: one plain line for display and voice, without a secret.
    """

    kind: MomentKind
    seats: tuple[int, ...] = ()
    angle_deg: float | None = None
    seconds_left: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """One moment of a sitting, for everybody's eyes.

    number: of the newest item of the event stream.  phase: see the rules' `State`.
    round, rounds: which round of how many; *round* is the greater in a tie round.
    line: what the game says should stand.  turn: the seat to act.
    waiting, waiting_for: a word and a sentence; empty while all is well.
    history: the newest first.  notices: who was given a new link to a seat, the newest last.
    slots: how many places of the table have a light beside them; 0 where the game has no line.
    moment: what happens right now, None most of the time.
    """

    number: int
    game: str
    round: int
    rounds: int
    phase: str
    turn: int | None
    players: tuple[Player, ...]
    line: Slots
    toasted: tuple[str, ...]
    last_move: str
    last_move_open: bool
    question: Question | None
    waiting: str
    waiting_for: str
    winners: tuple[int, ...]
    history: tuple[Told, ...]
    warnings: tuple[str, ...]
    notices: tuple[str, ...]
    slots: int = 0
    moment: Moment | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the scoreboard as plain JSON values."""
        return asdict(self)


def slots_of(line: Sequence[str]) -> Slots:
    """Return *line* as nine slots."""
    return (*line, *(None,) * (SLOTS - len(line)))


def read_scoreboard(sitting: Sitting) -> Scoreboard:
    """Return what is public of *sitting* now."""
    session, referee = sitting.session, sitting.referee
    state: State = session.state
    outcome = tiki_topple.outcome(state)
    winners = outcome.winners if outcome else ()
    history = tuple(_history(sitting))
    moves = [told for told in history if told.seat is not None]
    waiting = referee.waiting
    return Scoreboard(
        number=sitting.feed.newest,
        game=sitting.header.game,
        round=referee.table.round_number(state),
        rounds=state.options.rounds,
        phase=state.phase,
        turn=tiki_topple.turn(state),
        players=tuple(_players(sitting, state, winners)),
        line=slots_of(state.line),
        toasted=tuple(tiki for tiki in tiki_topple.TIKIS if state.line and tiki not in state.line),
        last_move=moves[0].words if moves else "",
        last_move_open=bool(moves) and moves[0].open,
        question=_question(sitting),
        waiting=waiting.reason if waiting else "",
        waiting_for=waiting.message if waiting else "",
        winners=winners,
        history=history,
        warnings=tuple(tiki_topple.view(state, None)["warnings"]),
        notices=tuple(
            item.body["message"]
            for item in sitting.feed.since(0)
            if item.body["type"] == SEAT_NOTICE
            and item.body["what"] == "invited"
            and item.body["session"] == session.number
        ),
        slots=SLOTS,
    )


def _players(sitting: Sitting, state: State, winners: tuple[int, ...]) -> Iterator[Player]:
    sides = sitting.header.sides
    round_number = sitting.referee.table.round_number(state)
    for seat, name in enumerate(sitting.header.players):
        secret = state.cards[seat] is not None
        secret = secret or (round_number, seat) in sitting.session.history.secrets
        yield Player(
            seat=seat,
            name=name,
            side=sides[seat] if sides else "",
            score=state.scores[seat],
            points=tuple(played.points[seat] for played in state.rounds),
            cards=state.hands[seat],
            is_turn=tiki_topple.turn(state) == seat,
            plays=seat in state.players,
            has_secret=secret,
            shown=_shown(sitting, state, seat),
            is_winner=seat in winners,
        )


def _shown(sitting: Sitting, state: State, seat: int) -> tuple[str, ...] | None:
    """Return the card that *seat* has shown, until the next round is under way.

    The engine may know a card from the set-up that nobody has shown: at a round's end only what was
    observed is public, the rest becomes so with the score.
    """
    if state.phase == "reveal":
        for act in reversed(sitting.session.history.acts):
            if act.seat is not None:
                break
            match act.forms[0].split():
                case ["card", owner, *card] if int(owner) == seat:
                    return tuple(card)
        return None
    scored = state.rounds and state.phase in ("line", "over")
    return state.rounds[-1].cards[seat] if scored else None


def _question(sitting: Sitting) -> Question | None:
    asked = sitting.referee.question
    if asked is None:
        return None
    words = tuple(candidate.text for candidate in asked.candidates)
    mark = _mark(sitting, asked.candidates)
    if not isinstance(asked, Illegal):
        return Question("ask", asked.message, candidates=words, mark=mark)
    return Question(
        # Only what the people did on a page leads to a wrong line that no picture showed.
        "illegal" if asked.frame else "put_right",
        asked.message,
        asked.slots,
        slots_of(asked.seen),
        slots_of(asked.nearest),
        words,
        asked.clause,
        mark,
    )


def _mark(sitting: Sitting, candidates: tuple[Candidate, ...]) -> str:
    texts = " or ".join(", ".join(candidate.actions) for candidate in candidates)
    return f"{sitting.session.number}.{sitting.session.next_seq}: {texts}"


def _history(sitting: Sitting) -> Iterator[Told]:
    session = sitting.session
    corrected = {
        entry.event.corrects for entry in session.entries if isinstance(entry.event, MoveCorrected)
    }
    for act in reversed(session.history.acts):
        event = session.entries[act.seq - 1].event
        forms = forms_of(sitting, act)
        yield Told(
            seq=act.seq,
            seat=act.seat,
            words=_words(sitting, act, forms),
            open=len(forms) > 1,
            by_hand=isinstance(event, MoveAccepted) and event.frame is None,
            corrected=act.seq in corrected,
        )


def forms_of(sitting: Sitting, act: Act) -> tuple[str, ...]:
    """Return the actions that *act* may still have been, the likeliest first."""
    known = sitting.session.history.forms(act.seq)
    return tuple(form for form in act.forms if form in known) or act.forms


def _words(sitting: Sitting, act: Act, forms: tuple[str, ...]) -> str:
    players, words = sitting.header.players, sitting.referee.table.words
    if act.seat is not None:
        return f"{players[act.seat]}: {' or '.join(map(words, forms))}"
    kind, *rest = forms[0].split()
    if kind == "card":
        return f"{players[int(rest[0])]} shows the {words(forms[0])}"
    return f"The round begins with {words(forms[0])}"
