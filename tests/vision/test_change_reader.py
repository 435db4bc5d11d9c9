"""Cells read by how they have changed: a whole game, in other light, under a hand, by few cells."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.shipped import (
    START,
    Onlooker,
    Shot,
    bright,
    layout_of,
    noisy,
    pushed,
    settled,
    shot_of,
    view_of,
)
from vision.capture.frame import Picture
from vision.capture.frame_cache import MAX_FRAMES
from vision.columns import change_reader
from vision.columns.change_network import CLASSES, SAME, tell_changes
from vision.columns.change_reader import MOST_DIFFERENT, ChangeReader
from vision.columns.heights import Heights
from vision.columns.model import Model
from vision.observation import HIDDEN, Evidence, Table

SURE: Final = 0.9
SKIN: Final = (130, 160, 215)
GAME: Final = "topple"


@cache
def alone() -> Heights:
    """Return what tells columns without a past, calibrated by the game's last table."""
    last = settled(GAME)[-1]
    return Heights(layout_of(GAME), Model.DISCS, 0.0, view_of(GAME, last.frame.name), last.cells)


def reader_after(shot: Shot, table: Table | None = None) -> ChangeReader:
    """Return a reader for which *shot* was accepted as what it shows, or as *table*."""
    reader = ChangeReader(layout_of(GAME), 0.0)
    view = view_of(GAME, shot.frame.name)
    assert reader.read(shot.frame.name, view, alone()) is None
    reader.set_reference(shot.frame.name, table or shot.table)
    return reader


def count_wrong(found: Sequence[Evidence] | None, table: Table) -> tuple[int, int]:
    """Return how many cells look most like something else than *table*, and how many surely."""
    assert found is not None
    wrong = [
        each for each, true in zip(found, table, strict=True) if each.best not in (true, HIDDEN)
    ]
    return len(wrong), sum(each.of(each.best) > SURE for each in wrong)


def follow(alter: Callable[[Picture], NDArray[Any]] | None = None) -> tuple[int, int, int]:
    """Return how many cells of a game were told, how many wrongly, and how many surely so."""
    told = wrong = surely = 0
    for one, other in pairwise(settled(GAME)):
        view = view_of(GAME, other.frame.name)
        if alter is not None:
            picture = np.clip(alter(other.frame.picture), 0, 255).astype(np.uint8)
            view = Onlooker(GAME).look(picture)
        found = reader_after(one).read("now", view, alone())
        few, sure = count_wrong(found, other.table)
        told, wrong, surely = told + len(other.table), wrong + few, surely + sure
    return told, wrong, surely


def test_a_whole_game_is_told_by_its_changes() -> None:
    """Each move of the game that ships is told from the table before; no cell surely wrong."""
    told, wrong, surely = follow()
    assert told > 500
    assert wrong <= told // 200
    assert not surely


@pytest.mark.parametrize("alter", [bright, pushed, noisy])
def test_another_light_a_push_and_noise_change_nothing(
    alter: Callable[[Picture], NDArray[Any]],
) -> None:
    """In altered pictures hardly a cell is told wrongly, and surely none."""
    told, wrong, surely = follow(alter)
    assert wrong <= told // 100
    assert surely <= 1


def test_a_wrong_past_is_noticed() -> None:
    """Told of a disc that never stood there, the reader does not confirm it: the check can fail."""
    shot = settled(GAME)[-1]
    empty = shot.table.index("empty")
    table = (*shot.table[:empty], "pink 3", *shot.table[empty + 1 :])
    found = reader_after(shot, table).read("now", view_of(GAME, shot.frame.name), alone())
    assert found is not None
    wrong = count_wrong(found, table)
    assert wrong == (0, 0) or found[empty].best != "pink 3"


def test_what_a_hand_covers_is_hidden_and_nothing_else_changes() -> None:
    """Under a patch of skin cells are hidden or as they were; the others are as they were."""
    shot = settled(GAME)[-1]
    view = view_of(GAME, shot.frame.name)
    centre = layout_of(GAME).cell_centres[12]
    x, y = view.pose.project(np.array([[*centre, 8.0]]))[0]
    covered = view.picture.copy()
    cv2.ellipse(covered, (round(x), round(y)), (60, 38), 20.0, 0.0, 360.0, SKIN, -1)
    found = reader_after(shot).read("now", Onlooker(GAME).look(covered), alone())
    assert count_wrong(found, shot.table)[1] == 0
    assert found is not None
    assert found[12].best == HIDDEN


def test_in_the_dark_no_cell_is_seen() -> None:
    """Nor does such a picture become the one that later ones are compared with."""
    shot = settled(GAME)[-1]
    reader, view = reader_after(shot), view_of(GAME, shot.frame.name)
    dark = replace(view, picture=np.asarray(view.picture // 50, np.uint8))
    found = reader.read("dark", dark, alone())
    assert found is not None
    assert {each.best for each in found} == {HIDDEN}
    reader.set_reference("dark", shot.table)
    assert reader.since == shot.frame.name


def test_only_cells_that_differ_are_shown_to_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight as a rule; the others too where even the eighth has changed."""
    shown: list[int] = []

    def count(pairs: Any, marks: Any, heights: Any) -> Any:
        shown.append(len(pairs))
        return tell_changes(pairs, marks, heights)

    monkeypatch.setattr(change_reader, "tell_changes", count)
    shots = settled(GAME)
    for one, other in pairwise(shots):
        reader_after(one).read("now", view_of(GAME, other.frame.name), alone())
    assert set(shown) == {MOST_DIFFERENT}
    assert len(shown) <= 1.5 * (len(shots) - 1)
    shown.clear()
    reader_after(shots[0]).read("now", view_of(GAME, shots[-1].frame.name), alone())
    assert sum(shown) > MOST_DIFFERENT


def test_cells_without_a_past_are_read_alone() -> None:
    """Where people say that another thing lay there, what stands there is told anew."""
    shot = settled(GAME)[-1]
    stands = next(at for at, content in enumerate(shot.table) if content and "1" in content)
    table = (*shot.table[:stands], None, *shot.table[stands + 1 :])
    found = reader_after(shot, table).read("now", view_of(GAME, shot.frame.name), alone())
    assert count_wrong(found, shot.table) == (0, 0)


def test_a_picture_that_nobody_remembers_is_no_reference() -> None:
    """Only the last few pictures can be accepted; after `forget` there is none."""
    reader, view = ChangeReader(layout_of(GAME), 0.0), view_of(GAME, START)
    for number in range(MAX_FRAMES + 1):
        reader.read(str(number), view, alone())
    reader.set_reference("0", shot_of(GAME, START).table)
    assert reader.since == ""
    reader.set_reference("1", shot_of(GAME, START).table)
    assert reader.since == "1"
    reader.forget()
    assert reader.read("2", view, alone()) is None


def test_changes_are_probabilities_and_impossible_ones_hardly_are() -> None:
    """A network's scores become a distribution; an empty cell cannot lose a piece."""
    shape = tell_changes(
        np.zeros((2, 2, 128, 48, 3), np.uint8), np.zeros((2, 10, 64), np.float32), np.array([0, 3])
    )
    assert shape.shape == (2, CLASSES)
    assert shape.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert shape[0, :SAME].max() == pytest.approx(0.001)
