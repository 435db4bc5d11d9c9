"""What pictures show beside the places, kept so that the next one can be compared with it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from companion.referee.evidence import LIMITS
from companion.referee.facts import SeenFact
from companion.referee.game import People
from companion.session.history import Act
from companion.session.session import Header
from vision.observation import HIDDEN, Evidence, Glimpse, Observation, Table

G = TypeVar("G", bound=Glimpse)

BEARINGS_DEG: Final = {"far": 0.0, "right": 90.0, "near": 180.0, "left": 270.0}
"""Where the middle of each side of the mat is, 0 at its top, clockwise."""


class SideObservations:
    """What the last pictures showed beside the places, one of each kind."""

    def __init__(self) -> None:
        self._known: dict[type[Any], tuple[Glimpse, int]] = {}

    def newest(self, kind: type[G]) -> G | None:
        """Return the last glimpse of that *kind*, None if there was none."""
        found = self._known.get(kind)
        return found[0] if found and isinstance(found[0], kind) else None

    def compare(self, observation: Observation, acts: Sequence[Act]) -> Iterator[SeenFact]:
        """Yield what *observation* shows, beside what was seen before.

        acts: all that counts in the log.
        """
        for now in observation.facts:
            before, seq = self._known.get(type(now), (None, 0))
            since = tuple(act.forms[0] for act in acts if act.seq > seq)
            yield SeenFact(now, before, since)

    def note(self, now: Glimpse, acts: Sequence[Act]) -> None:
        """Compare later pictures with *now*.

        What could not be handled is not noted: it is compared again when it is seen again.
        """
        self._known[type(now)] = (now, acts[-1].seq if acts else 0)


def name_places(observation: Observation) -> Table:
    """Return what each place seems to hold, None where that is hidden or doubtful."""
    return tuple(map(_name, observation.places))


def _name(seen: Evidence) -> str | None:
    best = seen.best
    return best if best != HIDDEN and seen.of(best) >= LIMITS.legible else None


def find_people(header: Header, newest: str, *, is_sure: bool) -> People:
    """Return who sits where; *newest* and *is_sure*: see `People`."""
    return People(header.players, newest, find_bearings(header), is_sure=is_sure)


def find_bearings(header: Header) -> tuple[float, ...]:
    """Return where each seat is, as `People` has it: as people said, else by their sides."""
    if header.bearings_deg:
        return header.bearings_deg
    if not header.sides or len(set(header.sides)) < len(header.sides):
        return ()  # two at one side cannot be told apart by it
    return tuple(BEARINGS_DEG[side] for side in header.sides)
