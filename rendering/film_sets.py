"""What every set of a film offers, and how what nobody touches stays as it lies."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from rendering.plots import Table
from rendering.room import Spot
from rendering.scenes import Scene
from vision.geometry.layout import Mat

Lying: TypeAlias = list[tuple[str, dict[str, Any]]]
"""What lies in one place, bottom first: its name, and how it lies."""


class FilmSet(Protocol):
    """A table that is filmed, with all that lies on it."""

    @property
    def mat(self) -> Mat:
        """Its corner tiles."""

    @property
    def kept(self) -> tuple[Spot, ...]:
        """Where nothing else may lie."""

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""

    def dress(self, folder: Path) -> Scene:
        """Return what all scenes have in common; prints are drawn into *folder*."""

    def arrange(self, table: Table, seat: int | None) -> Scene:
        """Return the parts of a scene in which *table* is, as *seat* leaves it.

        What lies there is ``cards``, to be added to the things of all scenes, or ``columns``.
        """

    def tell(self, table: Table, *, still: bool) -> dict[str, Any]:
        """Return the truth of *table*; not *still*: while a hand is there."""

    def call(self, name: str) -> Any:
        """Return what truth.jsonl calls a piece in a hand."""

    def spots(self) -> dict[Any, Spot]:
        """Return where the places now are that a hand may hide, by their names in the truth."""

    def edges(self) -> tuple[Spot, ...]:
        """Return the areas at whose edges a hand may wait."""

    def hold(self, name: str, tip: tuple[float, float, float]) -> Scene:
        """Return the parts of a scene in which a hand with its fingers at *tip* holds a piece."""


def keep_lying(
    lying: Lying, names: Sequence[str], lay: Callable[[Lying, str], dict[str, Any]]
) -> Lying:
    """Return what lies in a place once it is *names*: what was not touched lies as it did.

    lay: puts a name onto what lies there.

    >>> old = [("red", {"x": 1}), ("blue", {"x": 2})]
    >>> keep_lying(old, ["red", "pink"], lambda below, name: {"x": 9})
    [('red', {'x': 1}), ('pink', {'x': 9})]
    """
    found: Lying = []
    for (name, thing), wanted in zip(lying, names, strict=False):
        if name != wanted:
            break
        found.append((name, thing))
    for name in names[len(found) :]:
        found = [*found, (name, lay(found, name))]
    return found
