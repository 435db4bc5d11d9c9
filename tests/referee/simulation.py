"""Games before simulated eyes: what the referee makes of doubts, lost pictures and cheats.

No camera and no reader: see `simulated_eyes.py`. What is troubled mostly stays so while the table
does: eyes repeat their mistakes.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.apps.evaluation.counts import Counts
from companion.referee.explain import tables
from companion.referee.game import EMPTY, Play, Table
from companion.referee.hypotheses import Proposal, hypothesis_of
from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.session.log import Log
from tests.referee.simulated_eyes import Faults, SimulatedEyes, look
from vision.observation import Observation, Reason, Status

NAMES: Final = ("Ann", "Bob", "Cem", "Dia")
SIDES: Final = ("near", "right", "far", "left")
MAX_LOOKS: Final = 5  # so many pictures of one table before people enter what happened
MAX_STEPS: Final = 40


@dataclass(slots=True)
class Tally(Counts):
    """What became of games.

    plays: how many were made, of which `right` were accepted without a word from the people, and
    `asked` after one.  wrong: believed though they had not happened.
    cheats: illegal tables, of which `named` were refused and `believed` were taken.
    stuck: games that could not go on.
    """

    plays: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    cheats: int = 0
    named: int = 0
    believed: int = 0
    stuck: int = 0
    faults: list[str] = field(default_factory=list)


class SimulatedGame:
    """One game of *name*, played at random by its own contract and watched by simulated eyes."""

    def __init__(self, name: str, seed: int, faults: Faults) -> None:
        self.game: Any = game_of(name)
        self.rng = random.Random(seed)
        self.faults = faults
        self.eyes = SimulatedEyes(self.rng, faults)
        self.tally = Tally()
        seats = min(self.game.seats[-1], max(self.game.seats[0], self.rng.choice((2, 3))))
        self.log = Log(":memory:")
        header = open_header(self.game, NAMES[:seats], {}, 0, SIDES[:seats])
        self.live_session = LiveSession(self.log, header)
        self.true: Any = self.live_session.session.state
        self._frame = 0
        self._acts: list[Any] = []

    def play(self, steps: int = MAX_STEPS) -> Tally:
        """Play until the game, or patience, is over."""
        try:
            self._play_on(steps)
        finally:
            self.log.close()
        return self.tally

    def _play_on(self, steps: int) -> None:
        for _ in range(steps):
            if self.game.rules.outcome(self.true) is not None or not self._step():
                break

    def _step(self) -> bool:
        """Let one thing happen; False once the game cannot go on."""
        self._acts = list(self.live_session.session.history.acts)
        plays = [each for each in self.game.plays(self.true) if not self._looks_like_now(each)]
        if self.game.expects_start(self.true):
            return self._start()
        if not plays or self.rng.random() < self.faults.entered:
            return self._enter_something(plays)
        is_begun = None not in plays[0].table
        if is_begun and self.rng.random() < self.faults.cheat:
            self._cheat(plays)
        play = self.rng.choice(plays)
        if self.rng.random() < self.faults.lost:
            return self._play_twice(play)
        before = self.true
        asked = self.tally.asked
        if not self._make(play, plays):
            return False
        # What people have entered in answer stays entered, a die among it.
        is_seen = self.tally.asked == asked and play.seat is not None
        if is_seen and self.rng.random() < self.faults.back:
            return self._take_back(play, before)
        return True

    def _looks_like_now(self, play: Play) -> bool:
        return bool(play.table == self.game.shown(self.true))

    def _start(self) -> bool:
        while not self.game.start(self.game.shown(self.true)):
            action = self.rng.choice(self.game.rules.legal_actions(self.true))
            self.true = self.game.rules.apply(self.true, action)
        for _ in range(MAX_LOOKS):
            self._look_until_settled(self.game.shown(self.true), [])
            if self._knows():
                break
        return self._is_followed("a start")

    def _enter_something(self, plays: list[Play]) -> bool:
        seen = {each.actions[0] for each in plays}
        offers = self.game.offers(self.true) or self.game.rules.legal_actions(self.true)
        texts = [text for text in map(self.game.rules.format_action, offers) if text not in seen]
        if not texts:
            return bool(plays)
        return self._enter([self.rng.choice(texts)])

    def _enter(self, texts: list[str]) -> bool:
        before = self.game.shown(self.true)
        for text in texts:
            self.true = self._after(self.true, text)
            self.live_session.referee.enter(text)
        shown = self.game.shown(self.true)
        if shown != before and None not in shown:
            self._look_until_settled(shown, [])
        return self._is_followed(f"entered {texts}")

    def _after(self, state: Any, text: str) -> Any:
        return self.game.rules.apply(state, self.game.rules.parse_action(text))

    def _make(self, play: Play, plays: list[Play]) -> bool:
        """Make *play* before the eyes, and answer truly if the referee asks."""
        for text in play.actions:
            self.true = self._after(self.true, text)
        self.tally.plays += 1
        self._show_arm(play.seat)
        self._look_until_settled(play.table, plays)
        return self._settle(play.actions)

    def _settle(self, texts: tuple[str, ...]) -> bool:
        """Count what the referee made of the true *texts*, and help it if it needs help."""
        if self._knows():
            self.tally.right += 1
            return True
        if self._is_part_of(texts):  # the rest is hidden as yet
            self._look_clearly(self.game.shown(self.true))
            if self._knows():
                self.tally.right += 1
                return True
        if self.live_session.session.history.acts != self._acts:
            self.tally.wrong += 1
            self.tally.faults.append(f"{self.game.name}: {texts} taken for {self._newest()}")
            return False
        self.tally.asked += 1
        return self._answer(texts)

    def _is_part_of(self, texts: tuple[str, ...]) -> bool:
        """Tell whether the referee has believed the first of *texts*, and not all of them yet."""
        acts, before = self.live_session.session.history.acts, len(self._acts)
        new = [act.forms for act in acts[before:]]
        fits = all(text in forms for text, forms in zip(texts, new, strict=False))
        return acts[:before] == self._acts and 0 < len(new) < len(texts) and fits

    def _look_clearly(self, table: Table) -> None:
        """Show *table* once more when nothing hides anything any longer."""
        self._show_arm(None)
        self._show(look(table, self._known_table(), {}))

    def _answer(self, texts: tuple[str, ...]) -> bool:
        """Answer a question truly: by the right candidate, else by entering what happened."""
        referee = self.live_session.referee
        asked = referee.question
        for place, candidate in enumerate(asked.candidates if asked else ()):
            if candidate.actions == tuple(map(self.game.public, texts)) and referee.choose(place):
                return self._is_followed(f"chosen {texts}")
        for text in texts:
            if self._knows():  # what was entered so far has told the referee the rest
                break
            try:
                referee.enter(text)
            except (RulesError, ReplayError) as error:
                return self._is_followed(f"{text} was refused ({error})")
        self._look_until_settled(self.game.shown(self.true), [])
        return self._is_followed(f"entered {texts}")

    def _play_twice(self, first: Play) -> bool:
        """Make two plays of which only the second's table is ever seen, twice."""
        start = self.true
        log = Proposal(self.live_session.session.history)
        plain = set(tables(self.game, hypothesis_of(self.game, log)))
        for text in first.actions:
            self.true = self._after(self.true, text)
        seconds = [each for each in self.game.plays(self.true) if not self._looks_like_now(each)]
        # What one play or a take-back would leave as well, no eyes can tell from two.
        seconds = [each for each in seconds if each.table not in plain]
        if not seconds or self.game.shown(self.true) != first.table:
            self.true = start
            return self._make(first, [])
        second = self.rng.choice(seconds)
        for text in second.actions:
            self.true = self._after(self.true, text)
        self.tally.plays += 1
        for _ in range(2):
            self._show_arm(second.seat)
            self._look_until_settled(second.table, seconds)
        return self._settle((*first.actions, *second.actions))

    def _take_back(self, play: Play, before: Any) -> bool:
        """Take *play* back before the eyes of all."""
        self._show_arm(play.seat)
        self.true = before
        self._look_until_settled(self.game.shown(before), [])
        # Somebody else's move may leave the very same table, or only a part was taken back.
        return self._knows() or self._put_right(f"{play.actions} taken back")

    def _put_right(self, what: str) -> bool:
        """Let the people take back what the referee has wrong and enter what it has missed."""
        referee, wanted = self.live_session.referee, [act.forms for act in self._acts]
        while (known := self._known_forms()) != wanted[: len(known)]:
            referee.undo()
        for forms in wanted[len(known) :]:
            referee.enter(forms[0])
        self._look_until_settled(self.game.shown(self.true), [])
        return self._is_followed(what)

    def _cheat(self, plays: list[Play]) -> None:
        """Show a table that no plain explanation leads to, then put it right."""
        table = self._illegal(plays)
        if table is None:
            return
        self.tally.cheats += 1
        acts = list(self.live_session.session.history.acts)
        self._show_arm(None)
        self._look_until_settled(table, plays)
        if self.live_session.session.history.acts != acts:
            # What is wrong may have been hidden, and what was seen a play.
            self._look_clearly(table)
        if isinstance(self.live_session.referee.question, Illegal):
            self.tally.named += 1
        elif self.live_session.session.history.acts != acts:
            self.tally.believed += 1
            self.tally.faults.append(f"{self.game.name}: {table} believed as {self._newest()}")
        self._show_arm(None)
        self._look_until_settled(self.game.shown(self.true), plays)

    def _illegal(self, plays: list[Play]) -> Table | None:
        referee = self.live_session.referee
        legal = tables(self.game, hypothesis_of(self.game, Proposal(referee.session.history)))
        contents = sorted({name for play in plays for name in play.table if name} | {EMPTY})
        shown = self.game.shown(self.true)
        for _ in range(20):
            table = list(shown)
            for place in self.rng.sample(
                range(len(table)), min(len(table), self.rng.choice((1, 2)))
            ):
                table[place] = self.rng.choice(contents)
            if tuple(table) not in legal:
                return tuple(table)
        return None

    # The eyes.

    def _show_arm(self, seat: int | None) -> None:
        sides = self.live_session.header.sides
        seen = seat is not None and self.rng.random() >= self.faults.unseen_arm
        arms = frozenset((sides[seat],)) if seen and seat is not None else frozenset()
        self._show(Observation("", Status.UNSETTLED, reason=Reason.HAND, arms=arms))

    def _look_until_settled(self, table: Table, plays: list[Play]) -> None:
        """Show *table* until the referee has nothing to wait for, or the people lose patience."""
        troubles = self.eyes.find_troubles(table, plays)
        for _ in range(MAX_LOOKS):
            again = {place: how for place, how in troubles.items() if self.rng.random() < 0.7}
            seen = again or troubles if self.rng.random() < 0.5 else again
            picture = look(table, self._known_table(), seen)
            self._show(picture)
            # A camera looks again, every second, while its reader is not sure of every place.
            if picture.status is Status.OK or not self._is_open():
                return

    def _show(self, observation: Observation) -> None:
        self._frame += 1
        self.live_session.observe(replace(observation, frame=f"{self._frame:04}.jpg"))

    # What the referee knows.

    def _knows(self) -> bool:
        """Tell whether the referee is where the people are, as far as it matters to them.

        Where it cannot tell two pieces apart, they forget it, too.
        """
        game, branches = self.game, self.live_session.session.history.branches
        if self._is_open():
            return False
        known = {game.key(branch.state) for branch in branches}
        if game.key(self.true) not in known:
            truth = (game.ruling(self.true), game.shown(self.true))
            states = [branch.state for branch in branches]
            alike = [each for each in states if (game.ruling(each), game.shown(each)) == truth]
            if not alike:
                return False
            self.true = alike[0]
        return True

    def _known_table(self) -> Table:
        known: Table = self.game.shown(self.live_session.session.state)
        return known

    def _known_forms(self) -> list[tuple[str, ...]]:
        return [act.forms for act in self.live_session.session.history.acts]

    def _is_open(self) -> bool:
        referee = self.live_session.referee
        return referee.question is not None or bool(
            referee.waiting and referee.waiting.reason == Reason.UNCLEAR.value
        )

    def _is_followed(self, what: str) -> bool:
        """Tell whether the referee is where the people are; a game that is not has got stuck.

        People who see that nothing happens move something and look again.
        """
        for _ in range(3):
            if self._knows():
                return True
            self._show_arm(None)
            self._look_until_settled(self.game.shown(self.true), [])
        self.tally.stuck += 1
        referee = self.live_session.referee
        self.tally.faults.append(
            f"{self.game.name}: stuck after {what}: {referee.question or referee.waiting}"
        )
        return False

    def _newest(self) -> list[tuple[str, ...]]:
        return [act.forms for act in self.live_session.session.history.acts[-4:]]


def simulate(name: str, games: int, faults: Faults, seed: int = 1, steps: int = MAX_STEPS) -> Tally:
    """Return what became of *games* random games of *name*, of so many *steps* each."""
    tally = Tally()
    for number in range(games):
        tally.add(SimulatedGame(name, seed * 10_000 + number, faults).play(steps))
    return tally


def watched() -> Iterator[str]:
    """Return the games that have places that a camera could read."""
    return (name for name in GAMES if game_of(name).places)
