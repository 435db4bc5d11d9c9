"""The scoreboard: what everybody at the table may see of a sitting, frozen at one moment.

No secret is in it before the rules reveal it; every page, the JSON, the lights and the display are
made from it, so that none of them can tell more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

from companion.referee.moments import Moment, MomentKind
from companion.referee.notices import Candidate, Illegal
from companion.referee.scribe import Scribe
from companion.referee.sitting import Sitting
from companion.rules import tiki_topple
from companion.rules.tiki_topple import State
from companion.session.events import MoveAccepted, MoveCorrected, RoundScored
from companion.session.history import Act

Slots: TypeAlias = tuple[str | None, ...]
"""What each of the nine slots holds, the top one first: a tiki's name, None if it is empty."""

SLOTS: Final = len(tiki_topple.TIKIS)
SEAT_NOTICE: Final = "seat"

__all__ = [
    "SEAT_NOTICE",
    "SLOTS",
    "Moment",
    "MomentKind",
    "Player",
    "Question",
    "Scoreboard",
    "Slots",
    "Told",
    "forms_of",
    "read_scoreboard",
    "slots_of",
]


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
    by_hand: it was tapped in, not seen.  heard: a sensor told it.  corrected: the people changed
        what it was.
    """

    seq: int
    seat: int | None
    words: str
    open: bool
    by_hand: bool
    corrected: bool
    heard: bool = False


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """One moment of a sitting, for everybody's eyes.

    number: of the newest item of the event stream.  phase: see the rules' `State`.
    round, rounds: which round of how many; *round* is the greater in a tie round, and *rounds* is 0
        where points end the game.
    line: what the game says should stand.  turn: the seat to act.
    waiting, waiting_for: a word and a sentence; empty while all is well.
    history: the newest first.  notices: who was given a new link to a seat, the newest last.
    slots: how many places of the table have a light beside them; 0 where the game has no line.
    moment: what happens right now, None most of the time.
    paused: whether what is seen and heard counts for nothing.
    table: what else everybody may know of a game that is told, as its rules' `view` has it.
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
    table: Mapping[str, Any] | None = field(default=None, hash=False)
    paused: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the scoreboard as plain JSON values."""
        return asdict(self)


def slots_of(line: Sequence[str]) -> Slots:
    """Return *line* as nine slots."""
    return (*line, *(None,) * (SLOTS - len(line)))


def read_scoreboard(sitting: Sitting) -> Scoreboard:
    """Return what is public of *sitting* now."""
    scribe = sitting.scribe
    return _read_line(sitting) if scribe is None else _read_told(sitting, scribe)


def _read_told(sitting: Sitting, scribe: Scribe[Any, Any]) -> Scoreboard:
    """Return what is public of a game that is told."""
    game, state = scribe.table, sitting.session.state
    outcome = game.rules.outcome(state)
    winners = outcome.winners if outcome else ()
    history = tuple(_history(sitting))
    public = game.public(state)
    return Scoreboard(
        number=sitting.feed.newest,
        game=sitting.header.game,
        round=game.round_number(state),
        rounds=0,
        phase=public["phase"],
        turn=game.expected(state),
        players=tuple(_told_players(sitting, scribe, winners)),
        line=(),
        toasted=(),
        last_move=history[0].words if history else "",
        last_move_open=False,
        question=_question(sitting),
        waiting=scribe.waiting.reason if scribe.waiting else "",
        waiting_for=scribe.waiting.message if scribe.waiting else "",
        winners=winners,
        history=history,
        warnings=(*public.get("warnings", ()), *sitting.troubles),
        notices=_invitations(sitting),
        moment=sitting.moment,
        paused=sitting.paused,
        table=public,
    )


def _told_players(
    sitting: Sitting, scribe: Scribe[Any, Any], winners: tuple[int, ...]
) -> Iterator[Player]:
    game, state, sides = scribe.table, sitting.session.state, sitting.header.sides
    rounds = [
        entry.event for entry in sitting.session.entries if isinstance(entry.event, RoundScored)
    ]
    latest = {scored.round: scored.points for scored in rounds}
    for seat, name in enumerate(sitting.header.players):
        yield Player(
            seat=seat,
            name=name,
            side=sides[seat] if sides else "",
            score=game.scores(state)[seat],
            points=tuple(
                points[seat]
                for number, points in sorted(latest.items())
                if number < game.round_number(state) or winners
            ),
            cards=(),
            is_turn=game.expected(state) == seat,
            plays=seat in game.playing(state),
            has_secret=False,
            shown=None,
            is_winner=seat in winners,
        )


def _read_line(sitting: Sitting) -> Scoreboard:
    """Return what is public of a game whose line is watched."""
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
        warnings=(*tiki_topple.view(state, None)["warnings"], *sitting.troubles),
        notices=_invitations(sitting),
        slots=SLOTS,
        moment=sitting.moment,
        paused=sitting.paused,
    )


def _invitations(sitting: Sitting) -> tuple[str, ...]:
    return tuple(
        item.body["message"]
        for item in sitting.feed.since(0)
        if item.body["type"] == SEAT_NOTICE
        and item.body["what"] == "invited"
        and item.body["session"] == sitting.session.number
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
            words=sitting.referee.table.sentence(act.seat, forms, sitting.header.players),
            open=len(forms) > 1,
            by_hand=isinstance(event, MoveAccepted) and event.frame is None and not event.by,
            corrected=act.seq in corrected,
            heard=getattr(event, "by", "") == "sensor",
        )


def forms_of(sitting: Sitting, act: Act) -> tuple[str, ...]:
    """Return the actions that *act* may still have been, the likeliest first."""
    known = sitting.session.history.forms(act.seq)
    return tuple(form for form in act.forms if form in known) or act.forms
