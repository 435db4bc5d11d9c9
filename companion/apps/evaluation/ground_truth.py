"""The true game of a recording: its actions in order, and the picture from which each is known.

truth.jsonl says what each picture shows, session.json under `replay` what people and sensors said
and, as `actions`, the whole game. Together they tell how the game must stand after every picture.
"""

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.film.prompting import MOVED
from companion.recording import BadRecording, EnteredAction, Recording, load_script, replay_header
from companion.referee.game import Table
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask
from companion.referee.referee import EntrySource
from companion.referee.wording import differing
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.session.log import Log

PILES: Final = frozenset(("piles", "discard"))
"""Forms of truth in which a card hides the one below it, so that no later picture shows that."""

Instant: TypeAlias = tuple[int, int]
"""When something is known: the number of a picture, and whether it is shown (0) or told after."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and what it shows: *kind* as truth.jsonl has it.

    moves: texts of the actions that it is the first to show, each with what followed from it.
    is_illegal: the rules forbid what lies there.  is_lying: the table lies as in the next settled
    picture already, or nobody has noted how it lies.
    """

    name: str
    kind: str
    moves: tuple[tuple[str, ...], ...] = ()
    is_illegal: bool = False
    is_start: bool = False
    is_lying: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether the table is at rest and in view."""
        return self.kind == "settled"


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the true game.

    by: who tells it, None if the table shows it.  at: when it is known.
    is_move: whether it is a move of its own, not what followed from one or began the game.
    """

    action: str
    by: EntrySource | None
    at: Instant
    is_move: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """How the game may stand, and what lies there; see `Game.key` and `Game.ruling`."""

    keys: frozenset[Hashable]
    table: Table
    rulings: frozenset[Hashable]

    def goes_on_as(self, other: "Position") -> bool:
        """Return whether play continues from both alike."""
        return bool(self.keys & other.keys)

    def is_ruled_as(self, other: "Position") -> bool:
        """Return whether nobody needs to tell both apart.

        Which of two pieces that look alike stands where is a matter of names.
        """
        return self.table == other.table and bool(self.rulings & other.rulings)


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The steps of a game, and its position before each and after the last.

    piles: whether cards are laid on each other, so that the table tells the top ones alone.
    """

    scenes: tuple[Scene, ...]
    steps: tuple[Step, ...]
    positions: tuple[Position, ...] = field(repr=False)
    piles: bool

    def shown(self, scene: int) -> int:
        """Return how many steps have been taken as the picture number *scene* shows the table."""
        return self._steps_until((scene, 0))

    def entered(self, scene: int) -> int:
        """Return how many steps have been taken when all is told that follows that picture."""
        return self._steps_until((scene, 1))

    def _steps_until(self, instant: Instant) -> int:
        return sum(step.at <= instant for step in self.steps)

    def without_pictures(self, lost: Collection[str]) -> "GroundTruth":
        """Return this as it is told when the pictures *lost* are missing.

        A card that is covered before any picture shows it, or of which people have to speak before
        they can go on, is told: no table shows it any more.
        """
        if not self.piles:
            return self
        shown = [at for at, scene in enumerate(self.scenes) if self._is_in_view(scene, lost)]
        steps = list(self.steps)
        for place in reversed(range(len(steps))):
            step = steps[place]
            if step.by is not None or self.scenes[step.at[0]].name not in lost:
                continue
            seen = min((at for at in shown if at > step.at[0]), default=len(self.scenes))
            later = [at for at in range(place + 1, len(steps)) if steps[at].at <= (seen, 0)]
            touched = set(self._changed(place))
            if any(
                steps[at].by == "hand" or touched.intersection(self._changed(at)) for at in later
            ):
                steps[place] = replace(step, by="hand", at=(step.at[0], 1))
        return replace(self, steps=tuple(_in_order(steps)))

    @staticmethod
    def _is_in_view(scene: Scene, lost: Collection[str]) -> bool:
        return scene.is_settled and not scene.is_illegal and scene.name not in lost

    def _changed(self, place: int) -> tuple[int, ...]:
        """Return the places of the table that step *place* changes."""
        return differing(self.positions[place].table, self.positions[place + 1].table)


def load_scenes(recording: Recording) -> tuple[Scene, ...]:
    """Return the pictures of *recording*, the calibration frame first; raises BadRecording."""
    return _scenes(recording, _rows(recording))


def load_ground_truth(recording: Recording) -> GroundTruth:
    """Return the true game of *recording*; raises BadRecording where anything does not fit."""
    rows = _rows(recording)
    scenes = _scenes(recording, rows)
    steps = _steps(recording, scenes)
    positions = _play(recording, [step.action for step in steps])
    is_piles = any(PILES & row["truth"].keys() for row in rows.values())
    return GroundTruth(scenes, tuple(_in_order(_unseen(steps, positions))), positions, is_piles)


def _rows(recording: Recording) -> dict[str, Mapping[str, Any]]:
    source = recording.folder / "truth.jsonl"
    rows = {str(row["frame"]): row for row in load_truth(source)}
    missing = [name for name in recording.frames if name not in rows]
    if missing:
        raise BadRecording(
            f"{source} has no line for {missing[0]}; to evaluate a game the truth of each of its"
            " frames is needed"
        )
    return rows


def load_truth(source: Path) -> list[Mapping[str, Any]]:
    """Return the lines of a truth.jsonl; raises BadRecording."""
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise BadRecording(f"{source}: {error.strerror}; the truth is needed to evaluate") from None
    except ValueError as error:
        raise BadRecording(f"{source} is not JSON, one object a line: {error}") from None
    for row in rows:
        if not (isinstance(row, dict) and {"frame", "kind", "truth"} <= row.keys()):
            raise BadRecording(f"{source}: each line wants frame, kind and truth")
        if not isinstance(row["truth"], dict):
            raise BadRecording(f"{source}: the truth of {row['frame']} is not an object")
    return rows


def _scenes(recording: Recording, rows: Mapping[str, Mapping[str, Any]]) -> tuple[Scene, ...]:
    first = (recording.calibration[0],) if recording.calibration else ()
    names = (*first, *recording.frames)
    try:
        return tuple(
            Scene(
                name,
                rows[name]["kind"],
                () if rows[name].get("illegal") else _moves(rows[name]),
                bool(rows[name].get("illegal")),
                bool(rows[name].get("start")),
                _is_lying(names[at:], rows),
            )
            for at, name in enumerate(names)
        )
    except (KeyError, TypeError) as error:
        source = recording.folder / "truth.jsonl"
        raise BadRecording(f"{source}: a line lacks or mistakes {error}") from None


def _moves(row: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the texts of each move that *row* is the first to show, and of what followed."""
    found = []
    for move in row.get("moves", [row["move"]] if "move" in row else []):
        action = move["action"] if "action" in move else f"{move['card']} {move['tiki']}"
        found.append((action, *(f"clash {result}" for result in move.get("clashes", ()))))
    return tuple(found)


def _is_lying(names: Sequence[str], rows: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether the first of *names*, with a hand in it, shows what the next settled one does.

    So it may where nobody has noted what lies there.
    """
    here = rows[names[0]]["truth"]
    lies = here.get("cells", here.get("slots"))
    for name in names[1:]:
        if rows[name]["kind"] == "settled":
            there = rows[name]["truth"]
            return lies is None or lies == there.get("cells", there.get("line"))
    return lies is None


def _steps(recording: Recording, scenes: Sequence[Scene]) -> list[Step]:
    """Return the actions of the game, each with when it is known."""
    said = [each for each in load_script(recording) if each.action != MOVED]
    actions = (recording.replay or {}).get("actions")
    aligned = _Alignment(recording, scenes, actions)
    for number, scene in enumerate(scenes):
        for texts in scene.moves:
            aligned.show(texts, number)
        if scene.moves:
            aligned.entered.clear()
        for each in said:
            if each.after_frame == scene.name:
                aligned.enter(each, number)
    return aligned.finish()


class _Alignment:
    """Lays what pictures show and people say beside the list of actions, if there is one."""

    def __init__(self, recording: Recording, scenes: Sequence[Scene], actions: object) -> None:
        self._source = recording.folder
        self._scenes = scenes
        self._actions = list(actions) if isinstance(actions, list) else None
        self._steps: list[Step] = []
        self.entered: list[str] = []

    def show(self, texts: Sequence[str], number: int) -> None:
        """Take a move that picture *number* shows, unless it was told before."""
        if texts[0] in self.entered:
            self.entered.remove(texts[0])
            return
        for place, text in enumerate(texts):
            self._take(Step(text, None, (number, 0), is_move=place == 0))

    def enter(self, said: EnteredAction, number: int) -> None:
        """Take what was said after picture *number*, also of what that shows already."""
        for place, step in enumerate(self._steps):
            if (step.action, step.by, step.at) == (said.action, None, (number, 0)):
                self._steps[place] = replace(step, by=said.by, at=(number, 1))
                return
        self._take(Step(said.action, said.by, (number, 1)))
        self.entered.append(said.action)

    def finish(self) -> list[Step]:
        """Return all steps; actions that nobody has told are told at the end."""
        for action in (self._actions or [])[len(self._steps) :]:
            self._steps.append(Step(action, "hand", (len(self._scenes) - 1, 1)))
        return self._steps

    def _take(self, step: Step) -> None:
        """Append *step*, and before it those actions that only the list names."""
        if self._actions is not None:
            known = len(self._steps)
            try:
                place = self._actions.index(step.action, known)
            except ValueError:
                raise BadRecording(
                    f"{self._source}: {step.action!r} of {self._scenes[step.at[0]].name} is not in"
                    " its place among the 'actions' of session.json"
                ) from None
            starts = (at for at, scene in enumerate(self._scenes) if scene.is_start)
            at = next(starts, step.at[0]) if known == 0 else step.at[0]
            self._steps += [Step(each, None, (at, 0)) for each in self._actions[known:place]]
        self._steps.append(step)


def _play(recording: Recording, actions: Sequence[str]) -> tuple[Position, ...]:
    """Return the positions before and after each of *actions*, entered by people who saw it all."""
    header, secrets = replay_header(recording)
    with Log(":memory:") as log:
        live_session = LiveSession(log, header, secrets)
        found = [position_of(live_session)]
        for action in actions:
            try:
                live_session.referee.enter(action)
            except (RulesError, ReplayError) as error:
                raise BadRecording(
                    f"{recording.folder}: the true game cannot be played, {action!r}: {error}"
                ) from None
            if isinstance(live_session.referee.question, Ask):  # whichever; only the keys count
                live_session.referee.choose(0)
            found.append(position_of(live_session))
    return tuple(found)


def position_of(live_session: LiveSession) -> Position:
    """Return how the game of *live_session* may stand."""
    game = live_session.game
    states = [branch.state for branch in live_session.session.history.branches]
    return Position(
        frozenset(map(game.key, states)), game.shown(states[0]), frozenset(map(game.ruling, states))
    )


def _unseen(steps: Sequence[Step], positions: Sequence[Position]) -> list[Step]:
    """Return *steps*, those told that are shown by a picture in which nothing has changed."""
    found = list(steps)
    for instant in {step.at for step in steps if step.by is None}:
        places = [at for at, step in enumerate(steps) if step.at == instant and step.by is None]
        before, after = positions[places[0]].table, positions[places[-1] + 1].table
        if before == after:
            for place in places:
                found[place] = replace(steps[place], by="hand", at=(instant[0], 1))
    return found


def _in_order(steps: Sequence[Step]) -> list[Step]:
    """Return *steps*, none known before the one that it follows."""
    found: list[Step] = []
    for step in steps:
        at = max(step.at, found[-1].at) if found else step.at
        found.append(replace(step, at=at))
    return found
