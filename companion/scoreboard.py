"""The scoreboard: what everyone at the table may see of the session in play, frozen at one instant.

No secret is in it before the rules reveal it; every page, the JSON, the lights and the display are
made from it, so that none of them can tell more.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

from companion.colours import seat_colours
from companion.referee.game import EMPTY, Game, RoundEnd
from companion.referee.intention import Intention
from companion.referee.live_session import LiveSession
from companion.referee.notices import Candidate, Illegal
from companion.referee.table_dispute import sentence_of
from companion.referee.transient_notices import TransientNotice, TransientNoticeKind
from companion.referee.turn_clock import TurnTimes
from companion.rules.base import Outcome
from companion.session.events import MoveCorrected
from companion.session.history import Act

Places: TypeAlias = tuple[str | None, ...]
"""What each place of the table holds, None if it is empty or nobody knows."""

SEAT_NOTICE: Final = "seat"
MAX_EXPLAINED: Final = 12
"""So many of the newest things are explained; pages show no more of them at once."""

__all__ = [
    "SEAT_NOTICE",
    "HistoryLine",
    "Places",
    "Player",
    "Question",
    "Scoreboard",
    "TransientNotice",
    "TransientNoticeKind",
    "forms_of",
    "read_scoreboard",
]


@dataclass(frozen=True, slots=True)
class Player:
    """What is public of one seat.

    points: earned in each scored round.
    plays: whether the seat takes part in this round.
    has_secret: whether the seat has entered its secret; which one it is stays hidden.
    colour: of the player's pieces, lights and pages, see `companion.colours`.
    computer: the level at which the companion plays this seat itself, "" for a person.
    coached: whether this seat is given hints.
    """

    seat: int
    name: str
    side: str
    score: int
    points: tuple[int, ...]
    is_turn: bool
    plays: bool
    has_secret: bool
    is_winner: bool
    colour: str = ""
    computer: str = ""
    coached: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee wants to know, or what is wrong with the table.

    kind: "ask" several things may have happened; "unseen" legal moves of which no picture was taken
        may explain the table; "illegal" none does; "put_right" the people changed the game here and
        the table has to follow.
    slots: the wrong places, from 0.  seen: what lies there.  nearest: what should.
    rows: in which rows beside the lights they are, from 0.
    candidates: what may have happened, in words.
    meanings: of each candidate, how the game would stand then, "" if nobody needs to know.
    seats: of each candidate, the seat that may say so for itself; None: the host alone may.
    why, remedy: of a wrong table, the two parts of the message.  rule: its clause in plain words.
    mark: differs between any two questions, so that an answer meets the one it was given to.
    can_adopt, can_lead_back: whether people may say that the table is right, or that the game is.
    """

    kind: str
    message: str
    slots: tuple[int, ...] = ()
    seen: Places = ()
    nearest: Places = ()
    candidates: tuple[str, ...] = ()
    clause: str | None = None
    mark: str = ""
    can_adopt: bool = False
    can_lead_back: bool = False
    meanings: tuple[str, ...] = ()
    seats: tuple[int | None, ...] = ()
    rows: tuple[int, ...] = ()
    why: str = ""
    remedy: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One thing that happened and still counts.

    seq: its number in the log.  seat: who did it, None for chance.
    open: the words name several moves, and later play will tell which it was.
    by_hand: it was entered, not seen.  from_sensor: a sensor reported it.
    corrected: the people changed what it was.
    gains: the points that it brought, by seat; () if nobody's score changed.
    reason: why, in a sentence; "" if there is nothing to say.  rule: its clause in plain words.
    """

    seq: int
    seat: int | None
    words: str
    open: bool
    by_hand: bool
    corrected: bool
    from_sensor: bool = False
    gains: tuple[int, ...] = ()
    reason: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The session in play at one instant, for everyone's eyes.

    id: of the newest item of the event stream.  phase: see the rules' `State`.
    round, rounds: which round of how many; *round* is the greater in a tie round, and *rounds* is 0
        where points end the game.
    places: what the game says should lie in each place.  turn: the seat that is waited for.
    waiting, waiting_for: a word and a sentence; empty while all is well.
    winners: who has won; nobody if the game continues, or if it is_over and all have lost.
    together: whether all win or lose as one.
    history: the newest first.  notices: who was given a new link to a seat, the newest last.
    rows: in so many rows the places lie beside the lights, 0 if there are none.
    moment: what happens right now, None most of the time.
    seconds_left, seconds_limit: of a timed game: how many are left, and of how many.
    paused: whether what is seen and sensed is ignored.
    table: what else everyone may know of the game, as `Game.view` has it.
    round_end: how the newest round ended, until the next one begins.
    intention: what the companion means to do for a seat that it plays itself.
    rows_touched: in which rows beside the lights it is done, from 0, from first to last.
    time: how long each seat has had its turn, None where turns are not timed.
    """

    id: str
    game: str
    title: str
    round: int
    rounds: int
    phase: str
    turn: int | None
    players: tuple[Player, ...]
    places: Places
    last_move: str
    last_move_open: bool
    question: Question | None
    waiting: str
    waiting_for: str
    winners: tuple[int, ...]
    is_over: bool
    history: tuple[HistoryLine, ...]
    warnings: tuple[str, ...]
    notices: tuple[str, ...]
    rows: int = 0
    moment: TransientNotice | None = None
    seconds_left: int | None = None
    seconds_limit: int | None = None
    table: Mapping[str, Any] = field(default_factory=dict, hash=False)
    paused: bool = False
    together: bool = False
    round_end: RoundEnd | None = None
    intention: Intention | None = None
    rows_touched: tuple[int, ...] = ()
    time: TurnTimes | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the scoreboard as plain JSON values."""
        return asdict(self)


def read_scoreboard(live_session: LiveSession) -> Scoreboard:
    """Return what is public of *live_session* now."""
    game, state = live_session.game, live_session.session.state
    outcome = game.rules.outcome(state)
    history = tuple(_history(live_session))
    moves = [line for line in history if line.seat is not None]
    table, waiting = game.view(state), live_session.waiting
    return Scoreboard(
        id=live_session.feed.newest_id,
        game=game.name,
        title=game.title,
        round=game.round_number(state),
        rounds=game.rounds(state),
        phase=table["phase"],
        turn=game.expected(state),
        players=tuple(_players(live_session, outcome)),
        places=_places(game.shown(state)),
        last_move=moves[0].words if moves else "",
        last_move_open=bool(moves) and moves[0].open,
        question=_question(live_session),
        waiting=waiting.reason if waiting else "",
        waiting_for=waiting.message if waiting else "",
        winners=outcome.winners if outcome else (),
        is_over=outcome is not None,
        history=history,
        warnings=(*table.get("warnings", ()), *live_session.troubles),
        notices=_invitations(live_session),
        rows=game.rows,
        moment=live_session.transient_notice,
        seconds_left=live_session.countdown.seconds_left,
        seconds_limit=live_session.countdown.seconds_limit,
        paused=live_session.paused,
        together=game.together,
        table=table,
        round_end=_round_end(live_session),
        intention=live_session.intention,
        rows_touched=_rows(game, live_session.intention.places if live_session.intention else ()),
        time=live_session.turn_times,
    )


def _places(table: tuple[str | None, ...]) -> Places:
    return tuple(None if content == EMPTY else content for content in table)


def _invitations(live_session: LiveSession) -> tuple[str, ...]:
    return tuple(
        item.body["message"]
        for item in live_session.feed.since(0)
        if item.body["type"] == SEAT_NOTICE
        and item.body["what"] == "invited"
        and item.body["session"] == live_session.session.number
    )


def _players(live_session: LiveSession, outcome: Outcome | None) -> Iterator[Player]:
    game, state, sides = live_session.game, live_session.session.state, live_session.header.sides
    latest = live_session.session.scorings
    number = game.round_number(state)
    secrets = live_session.session.history.secrets
    known = {seat for entered_in, seat in secrets if entered_in == number}
    scores = game.scores(state)
    names = live_session.header.players
    colours = seat_colours(len(names), live_session.header.colours, game.colours(state))
    for seat, name in enumerate(live_session.header.players):
        yield Player(
            seat=seat,
            name=name,
            side=sides[seat] if sides else "",
            score=scores[seat],
            points=tuple(
                scored.points[seat]
                for at, scored in sorted(latest.items())
                if at < number or outcome
            ),
            is_turn=game.expected(state) == seat,
            plays=seat in game.playing(state),
            has_secret=seat in known or seat in game.secrets_entered(state),
            is_winner=outcome is not None and seat in outcome.winners,
            colour=colours[seat],
            computer=live_session.header.level_of(seat),
            coached=seat in live_session.coached,
        )


def _question(live_session: LiveSession) -> Question | None:
    asked = live_session.referee.question
    if asked is None:
        return None
    words = tuple(candidate.text for candidate in asked.candidates)
    meanings = tuple(candidate.meaning for candidate in asked.candidates)
    seats = tuple(_answerers(asked.candidates))
    mark = _mark(live_session, asked.candidates)
    if not isinstance(asked, Illegal):
        return Question(
            "ask", asked.message, candidates=words, mark=mark, meanings=meanings, seats=seats
        )
    kind = "unseen" if asked.candidates and not asked.clause else "illegal"
    return Question(
        # Only what the people did on a page leads to a wrong table that no picture showed.
        kind if asked.frame else "put_right",
        asked.message,
        asked.slots,
        _places(asked.seen),
        _places(asked.nearest),
        words,
        asked.clause,
        mark,
        live_session.referee.dispute.can_adopt,
        live_session.referee.dispute.can_lead_back,
        meanings,
        seats,
        _rows(live_session.game, asked.slots),
        asked.why,
        asked.remedy,
        live_session.game.clause_words(asked.clause) if asked.clause else "",
    )


def _rows(game: Game[Any, Any], slots: tuple[int, ...]) -> tuple[int, ...]:
    return tuple({slot * game.rows // game.places: None for slot in slots if game.rows})


def _answerers(candidates: tuple[Candidate, ...]) -> Iterator[int | None]:
    """Yield of each candidate the one seat whose move it is, which may say so itself.

    That nothing happened may be said by the seat that everything else would be a move of.
    """
    concerned = {seat for each in candidates for seat in each.whose}
    for each in candidates:
        seats = set(each.whose) or concerned
        yield seats.pop() if len(seats) == 1 else None


def _mark(live_session: LiveSession, candidates: tuple[Candidate, ...]) -> str:
    texts = " or ".join(", ".join(candidate.actions) or candidate.text for candidate in candidates)
    return f"{live_session.session.number}.{live_session.session.next_seq}: {texts}"


def _history(live_session: LiveSession) -> Iterator[HistoryLine]:
    session, game, count = live_session.session, live_session.game, 0
    corrected = {
        entry.event.corrects for entry in session.entries if isinstance(entry.event, MoveCorrected)
    }
    # Where nothing is seen all is entered, and need not be said of each thing.
    is_watched = any(act.frame for act in session.history.acts)
    for place, act in reversed(list(enumerate(session.history.acts))):
        if act.secret:
            continue
        event = session.entries[act.seq - 1].event
        from_sensor = getattr(event, "by", "") == "sensor"
        forms = list(dict.fromkeys(map(game.public, forms_of(live_session, act))))
        yield HistoryLine(
            seq=act.seq,
            seat=act.seat,
            words=sentence_of(act, forms, game, live_session.header.players),
            open=len(forms) > 1,
            by_hand=is_watched and act.seat is not None and not (act.frame or from_sensor),
            corrected=act.seq in corrected,
            from_sensor=from_sensor,
            **_why(live_session, place) if count < MAX_EXPLAINED else {},
        )
        count += 1


def _why(live_session: LiveSession, place: int) -> dict[str, Any]:
    """Return what the act at *place* brought, and why, as far as everyone may know."""
    session, game = live_session.session, live_session.game
    if session.history.acts[place].adopted is not None:
        return {}
    before, form, after = session.history.step(place)
    scores = zip(game.scores(before), game.scores(after), strict=True)
    gains = tuple(new - old for old, new in scores)
    reason = game.reason(before, session.rules.parse_action(form), live_session.header.players)
    return {
        "gains": gains if any(gains) else (),
        "reason": reason.message if reason else "",
        "rule": game.clause_words(reason.clause) if reason else "",
    }


def _round_end(live_session: LiveSession) -> RoundEnd | None:
    """Return how the round ended that the newest act has ended."""
    session = live_session.session
    history = session.history
    if not history.acts or history.acts[-1].adopted is not None:
        return None
    before, form, _ = history.step(len(history.acts) - 1)
    action = session.rules.parse_action(form)
    return live_session.game.round_end(before, action, live_session.header.players)


def forms_of(live_session: LiveSession, act: Act) -> tuple[str, ...]:
    """Return the actions that *act* may still have been, the likeliest first."""
    known = live_session.session.history.forms(act.seq)
    return tuple(form for form in act.forms if form in known) or act.forms
