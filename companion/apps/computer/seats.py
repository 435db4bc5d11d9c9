"""The seats that the companion plays itself: what it means to do, and what people make of it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import Any, Final, NamedTuple, TypeAlias

from companion.apps.computer.coach import coach_of
from companion.apps.computer.engine import Engine, EngineLost, Task
from companion.apps.computer.hands import hands_of
from companion.apps.computer.tasks import knows_enough, task_of, words_of
from companion.language.message import Message, say, sequence
from companion.referee.intention import Intention
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import remarked
from companion.registry import load
from companion.session.events import Entry, MoveAccepted
from companion.session.log import LogError

Choose: TypeAlias = Callable[[Task], Awaitable[Any]]
DEVICE: Final = say("the computer’s seat")
DEVIATIONS: Final = 3
"""After so many moves in a row that were not the ones it meant, people are told what they can do.
"""
CARDS_PAGE: Final = "/computer/cards"
"""Where the companion is shown its cards."""
RANDOM: Final = SystemRandom()
logger = logging.getLogger(__name__)


class _Moment(NamedTuple):
    """An instant of the game: as long as it lasts, the same is to be done for *seat*.

    is_chosen: whether the seat has to choose, and nothing else is waited for.
    """

    session: int
    next_seq: int
    seat: int
    is_chosen: bool


class ComputerSeats:
    """Follows the game, and plays the seats that its header gives to the companion.

    choose: searches for a move.
    """

    def __init__(self, live_session: LiveSession, choose: Choose) -> None:
        self._live = live_session
        self._choose = choose
        self._moment: _Moment | None = None
        self._search: asyncio.Task[None] | None = None
        self._done: Entry | None = None
        self._deviations = 0
        self._spoken = (0, 0)

    async def play(self) -> None:
        """Play until cancelled."""
        changed = asyncio.Event()
        changed.set()
        try:
            with (
                self._live.on_change.heard_by(changed.set),
                self._live.on_entry.heard_by(self._note),
            ):
                while await changed.wait():
                    changed.clear()
                    with contextlib.suppress(LogError):  # it is told, and tried again once it goes
                        self._attend()
        finally:
            self._stop()
            self._live.mean(None)

    def _note(self, entry: Entry) -> None:
        """Keep what was done, to be compared with what was meant."""
        meant, event = self._live.intention, entry.event
        if meant and meant.mark and isinstance(event, MoveAccepted) and event.seat == meant.seat:
            self._done = entry

    def _attend(self) -> None:
        """Begin what is to be done now, and leave what no longer is."""
        moment = self._now()
        if moment != self._moment:
            self._stop()
            meant, done, self._done = self._live.intention, self._done, None
            self._moment = moment
            self._live.mean(None)
            if meant is not None and done is not None:
                self._compare(meant, done)
                moment = self._moment = self._now()
        if self._answered():
            return
        is_idle = self._live.intention is None and self._search is None
        if is_idle and not self._is_held:
            if moment is not None:
                self._begin(moment)
            elif self._live.transient_notice is None:
                self._speak()

    def _answered(self) -> bool:
        """Say which of the moves it was that look alike, if the one that was meant is among them.

        Without asking: the others might be cards that it holds.
        """
        live, asked = self._live, self._live.referee.question
        if asked is None or live.intention is None or not live.intention.mark:
            return False
        for number, candidate in enumerate(asked.candidates):
            if candidate.actions == (live.intention.action,):
                live.referee.choose(number)
                live.changed()
                return True
        return False

    @property
    def _is_held(self) -> bool:
        """Whether people have to do something else first."""
        live = self._live
        return live.paused or bool(live.log.trouble) or live.referee.question is not None

    def _now(self) -> _Moment | None:
        """Return what is to be done for a seat of the companion's, None if nothing is."""
        header, session, game = self._live.header, self._live.session, self._live.game
        if not header.computers or game.rules.outcome(session.state):
            return None
        for due in game.secrets_due(session.state):
            if header.is_computer(due):
                return _Moment(session.number, session.next_seq, due, is_chosen=False)
        for other in header.computer_seats:
            if game.reflex(session.state, other):
                return _Moment(session.number, session.next_seq, other, is_chosen=False)
        chosen: int | None = game.rules.turn(session.state)
        seat: int | None = game.expected(session.state) if chosen is None else chosen
        if seat is None or not header.is_computer(seat):
            seat, chosen = self._undealt(), None
        if seat is None:
            return None
        return _Moment(session.number, session.next_seq, seat, chosen is not None)

    def _undealt(self) -> int | None:
        """Return a seat of the companion's that does not know its cards yet, while others play."""
        computers = self._live.header.computer_seats
        return next((seat for seat in computers if not knows_enough(self._live, seat)), None)

    def _begin(self, moment: _Moment) -> None:
        game, state, seat = self._live.game, self._live.session.state, moment.seat
        if secret := self._missing_secret(seat):
            self._live.referee.enter_secret(seat, secret)
            self._live.changed()
        elif reflex := game.reflex(state, seat):
            self._enter(reflex)
        elif moment.is_chosen and knows_enough(self._live, seat):
            self._search = asyncio.create_task(self._think(moment))
            self._search.add_done_callback(self._ended)
        elif not moment.is_chosen and (drawn := game.chance(state)):
            self._enter(game.rules.format_action(RANDOM.choice(drawn)))
        elif chore := game.chore(state, seat, self._live.header.players):
            page = CARDS_PAGE if hands_of(self._live).missing(seat) else ""
            self._live.mean(Intention(seat, "", chore, chore, page=page))

    def _speak(self) -> None:
        """Say once what the companion's seats wish, before another plays."""
        live, game = self._live, self._live.game
        now = live.session.number, live.session.next_seq
        if now == self._spoken:
            return
        self._spoken = now
        header, state = live.header, live.session.state
        said = {seat: game.wish(state, seat, header.players) for seat in header.computer_seats}
        if words := sequence(filter(None, said.values()), ". "):
            live.show(remarked(words, *(seat for seat in said if said[seat])))

    def _missing_secret(self, seat: int) -> str:
        """Return the secret that *seat* thinks of itself, "" where it has or needs none."""
        game, session = self._live.game, self._live.session
        number = game.round_number(session.state)
        if (number, seat) in session.history.secrets:
            return ""
        return game.own_secret(session.state, seat, RANDOM)

    async def _think(self, moment: _Moment) -> None:
        live, seat = self._live, moment.seat
        task = task_of(live, seat, live.header.level_of(seat))
        try:
            choice = await self._choose(task)
            action, trouble = choice.action, Message()
        except EngineLost:
            rules, player = live.game.rules, load(live.game.name, "player")
            options = player.options(task.seen, seat) or rules.legal_actions(task.seen)
            action = rules.format_action(RANDOM.choice(options))
            trouble = say(
                "its search has failed, so that it moves at random; the next move is tried again"
            )
        self._live.report(DEVICE, trouble)
        if moment == self._moment and not self._is_held:
            with contextlib.suppress(LogError):
                self._decide(seat, action)

    def _decide(self, seat: int, action: str) -> None:
        """Say what the companion means to do, or do what nobody's hand is needed for."""
        live, game, state = self._live, self._live.game, self._live.session.state
        parsed = game.rules.parse_action(action)
        if game.is_spoken(state, parsed):
            self._enter(action)
            return
        told = words_of(live, action)
        if place := self._place(seat, parsed):
            told = say("{move}, card {number} from the left", move=told, number=place)
        name = live.header.players[seat]
        words = say("Move for {player}: {action}", player=name, action=told)
        mark = f"{live.session.number}.{live.session.next_seq}"
        places = game.touched(state, parsed)
        live.mean(Intention(seat, game.public(action), words, told, places, mark))

    def _place(self, seat: int, action: Any) -> int:
        """Return where in the row of *seat* the card lies that *action* takes from it, or 0."""
        card = self._live.game.card_of(action)
        return hands_of(self._live).place_of(seat, card) if card else 0

    def _enter(self, action: str) -> None:
        self._live.referee.enter(action)
        self._live.changed()

    def _compare(self, meant: Intention, done: Entry) -> None:
        """Say so if people did something else than was meant, and settle what is open between."""
        live, event = self._live, done.event
        assert isinstance(event, MoveAccepted)
        forms = event.action, *event.also
        if meant.action in map(live.game.public, forms):
            self._deviations = 0
            if meant.action in event.also:
                live.referee.correct(done.seq, meant.action)
                live.changed()
            return
        self._deviations += 1
        name = live.header.players[meant.seat]
        words: str = say(
            "That was “{done}”; {player} had meant “{meant}”",
            done=words_of(live, event.action),
            player=name,
            meant=meant.told,
        )
        if self._deviations >= DEVIATIONS:
            rest = say(
                "On the host’s desk, a person can take over the seat of {player}", player=name
            )
            words = sequence([words, rest], ". ")
        live.show(remarked(words, meant.seat))

    def _ended(self, search: asyncio.Task[None]) -> None:
        if search is self._search:
            self._search = None
        if not search.cancelled() and (error := search.exception()) is not None:
            logger.error("The computer's search failed", exc_info=error)
            self._live.report(
                DEVICE, say("failed; a person can take the seat over on the host’s desk")
            )

    def _stop(self) -> None:
        if self._search is not None:
            self._search.cancel()
            self._search = None


async def play_seats(live_session: LiveSession) -> None:
    """Play the companion's seats of *live_session* and coach who wants it, until cancelled."""
    engine = Engine()
    try:
        async with asyncio.TaskGroup() as together:
            together.create_task(ComputerSeats(live_session, engine.choose).play())
            together.create_task(coach_of(live_session).follow(engine.choose))
    finally:
        await engine.close()
