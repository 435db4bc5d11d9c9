"""Trying out a table that was just learned: every place, as it is and in slightly other light.

The reader reads the picture that it has learned from once more, each place as if it alone were not
known, and the same picture in a little more or less light, with noise, and blurred. A place that it
then takes for something else, or is not sure of, would be misread or asked about in the game. All
games are tried out alike: by what every reader says of every place.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, runtime_checkable

from companion.language.message import say
from companion.referee.game import EMPTY, Table
from companion.table.readers import ComparingReader, Description, ReaderSetup
from vision.calibration import Separation
from vision.capture.frame import Frame
from vision.observation import HIDDEN, Observation, Reason, Status
from vision.photometry.conditions import Condition, simulate_condition

HOPELESS_SHARE: Final = 0.5
"""Of the places, how many must not be in doubt in the very picture that was learned from."""
WEAK_SHARE: Final = 0.1
"""Of the places, how many may be in doubt under one of the other conditions."""
MIN_KNOWN: Final = 0.9
"""Of a place of which nobody said what lies there, how probable the best class has to be."""
UNRECOGNISED: Final = say(
    "the camera does not recognise what it has just seen; check that nothing covers the"
    " places, that no lamp is reflected there, and that the table is as you chose"
)


@runtime_checkable
class Recogniser(Protocol):
    """The part of a reader that is tried out."""

    def recognise(self, frame: Frame, known: Table) -> Observation:
        """Return what *frame* shows in each place if all the others hold what is *known*.

        Nothing of earlier pictures counts.
        """


@dataclass(frozen=True, slots=True)
class Misreading:
    """A place that was not recognised.

    place: its number.  shown: what lies there, None if nobody said.
    seen: what it was taken for, None if the reader was not sure.  condition: under which.
    """

    place: int
    shown: str | None
    seen: str | None
    condition: Condition


@dataclass(frozen=True, slots=True)
class CalibrationCheck:
    """What came of it.

    places, empty: how many were tried under each condition, and in how many of them nothing lies.
    doubts: those that were not recognised, condition by condition.
    closest: which two classes of pieces look most alike now; None where nothing is compared.
    unseen: the classes that were not shown, so that nobody knows how well they are told apart.
    """

    places: int = 0
    empty: int = 0
    doubts: tuple[Misreading, ...] = ()
    closest: Separation | None = None
    unseen: tuple[str, ...] = ()

    @property
    def mistaken(self) -> tuple[Misreading, ...]:
        """Places that were taken for something else; in the picture as it is first."""
        return tuple(doubt for doubt in self.doubts if doubt.seen is not None)

    def share(self, condition: Condition) -> float:
        """Return which share of the places is in doubt under *condition*.

        Of those in which something lies, or of the empty ones, whichever is more.
        """
        found = [doubt for doubt in self.doubts if doubt.condition is condition]
        empty = sum(doubt.shown == EMPTY for doubt in found)
        filled = self.places - self.empty
        return max(empty / max(self.empty, 1), (len(found) - empty) / max(filled, 1))

    @property
    def is_hopeless(self) -> bool:
        """Whether not even the picture that was learned from is read."""
        is_mistaken = any(doubt.condition is Condition.AS_IT_IS for doubt in self.mistaken)
        return is_mistaken or self.share(Condition.AS_IT_IS) >= HOPELESS_SHARE

    @property
    def is_confused(self) -> bool:
        """Whether anything was taken for something else, or is in doubt in the picture itself.

        Colours may look alike by themselves and still be told apart by what is printed in them.
        """
        return bool(self.mistaken) or self.share(Condition.AS_IT_IS) > 0.0

    @property
    def is_good(self) -> bool:
        """Whether there is nothing that people should mend, or put up, first."""
        is_weak = self.closest is not None and self.closest.is_weak
        return not (is_weak or self.unseen or self.worst is not None)

    @property
    def worst(self) -> Misreading | None:
        """The doubt that people should hear of, None if the table is learned well."""
        if self.mistaken:
            return self.mistaken[0]
        worst = max(Condition, key=self.share)
        if self.share(worst) <= WEAK_SHARE:
            return None
        return next(doubt for doubt in self.doubts if doubt.condition is worst)


def name_class(name: str, class_words: Callable[[str], str]) -> str:
    """Return what people call a class of pieces, or what looks like one."""
    return say("the empty board") if name == EMPTY else class_words(name)


def check_calibration(
    setup: ReaderSetup, table: Description, frame: Frame, truth: Mapping[str, Any]
) -> CalibrationCheck:
    """Return what comes of a reader of the *table* that has learned *truth* from *frame*.

    Raises ValueError, in one line, if what it has learned is of no use.
    """
    reader = setup.open_reader(table)
    reader.calibrate(frame, truth)
    closest: Separation | None = None
    unseen: tuple[str, ...] = ()
    if isinstance(reader, ComparingReader):
        closest, unseen = reader.find_closest(), reader.list_unseen()
    is_shown = setup.shows(reader.read(frame), truth)
    assert isinstance(reader, Recogniser)
    found = try_table(reader, frame, setup.table_of(truth))
    trial = replace(found, closest=closest, unseen=unseen)
    if closest is not None and closest.is_hopeless and (trial.is_confused or not is_shown):
        raise ValueError(
            say(
                "{one} and {other} look the same to the camera in this light; use whiter or"
                " brighter light, or mark one of the two",
                one=setup.class_words(closest.one),
                other=name_class(closest.other, setup.class_words),
            )
        )
    if trial.is_hopeless or not is_shown:
        raise ValueError(UNRECOGNISED)
    return trial


def try_table(reader: Recogniser, frame: Frame, table: Table) -> CalibrationCheck:
    """Return how well *reader*, which has learned *frame*, recognises what lies there.

    table: what lies there; places that are None must be recognised as the same under all
    conditions, whatever they are taken for.  Empty places count among them.
    """
    doubts: list[Misreading] = []
    known = table
    for condition in Condition:
        picture = simulate_condition(frame.picture, condition)
        seen = reader.recognise(Frame(f"{frame.name} {condition}", picture, frame.taken_s), known)
        if condition is Condition.AS_IT_IS:
            known = _fill(table, seen)
        doubts += _compare(seen, known, condition)
    return CalibrationCheck(len(known), known.count(EMPTY), tuple(doubts))


def recognises(seen: Observation, table: Table) -> bool | None:
    """Return whether what was *seen* of a table is recognised as what lies there.

    One place in ten may be mistaken: a high column is now and then, by its height, in the very
    colours that were learned, and a colour that has become another is in more places.
    table: as for `try_table`.  None if the picture shows no table, or an arm is over it.
    """
    if len(seen.places) != len(table) or seen.reason is Reason.HAND:
        return None
    known = _fill(table, seen)
    doubts = tuple(_compare(seen, known, Condition.AS_IT_IS))
    found = CalibrationCheck(len(known), known.count(EMPTY), doubts)
    filled = len(known) - known.count(EMPTY)
    is_mistaken = len(found.mistaken) > WEAK_SHARE * filled
    return not is_mistaken and found.share(Condition.AS_IT_IS) < HOPELESS_SHARE


def _fill(table: Table, seen: Observation) -> Table:
    """Return *table*, with what is surely seen in places of which nobody knows what lies there."""
    if len(seen.places) != len(table):
        return table
    filled = list(table)
    for at, evidence in enumerate(seen.places):
        best = evidence.best
        is_sure = at not in seen.doubtful and evidence.of(best) >= MIN_KNOWN and best != HIDDEN
        if filled[at] is None and is_sure:
            filled[at] = best
    return tuple(filled)


def _compare(seen: Observation, known: Table, condition: Condition) -> Iterator[Misreading]:
    """Yield the places of *known* that were not recognised."""
    # The tiles were not found, or a hand was seen where none is.
    is_lost = len(seen.places) != len(known) or seen.reason is Reason.HAND
    for place, content in enumerate(known):
        if is_lost or (content is None and place in seen.doubtful):
            yield Misreading(place, content, None, condition)
        if is_lost or content is None:
            continue
        best = seen.places[place].best
        is_sure = place not in seen.doubtful and best != HIDDEN
        if best == content and (is_sure or _is_settled(seen)):
            continue
        yield Misreading(place, content, best if is_sure else None, condition)


def _is_settled(seen: Observation) -> bool:
    return seen.status is Status.OK
