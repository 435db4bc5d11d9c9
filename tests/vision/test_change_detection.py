"""Change detection in pictures of a whole game: what changed is never taken for unchanged."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
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
    noisy,
    pushed,
    settled,
    shot_of,
    view_of,
)
from vision.capture.frame import Picture
from vision.capture.frame_cache import MAX_FRAMES
from vision.columns import change_detection
from vision.columns.change_detection import (
    MIN_UNCHANGED_TO_KEEP_CONTENT,
    ChangeDetector,
    keep_unchanged,
    required_confidence,
)
from vision.columns.patches import PATCH_COLUMNS, PATCH_ROWS, Patches, View
from vision.observation import EMPTY, Table

GAME: Final = "tactiki"
SURE: Final = 0.9
EVERY: Final = 3
"""Of so many moves one is looked at in altered pictures."""
RISE_PX: Final = 2.0
TOP_PX: Final = 14
"""Half the side of a column's top."""


def lit_from_aside(picture: Picture) -> NDArray[Any]:
    """Return the picture with light that fades from one side to the other."""
    return picture * np.linspace(0.3, 1.5, picture.shape[1])[:, None]


def harsh(picture: Picture) -> NDArray[Any]:
    """Return the picture with far more contrast."""
    return 255.0 * (picture / 255.0) ** 2.2


def compare(detector: ChangeDetector, name: str, view: View) -> tuple[float, ...]:
    """Return the probability that each cell is unchanged."""
    return detector.compare(name, view.patches, view.geometry)


def set_reference(shot: Shot) -> ChangeDetector:
    """Return a detector of that shot, in which all is believed that truly lies there."""
    detector = ChangeDetector()
    assert compare(detector, shot.frame.name, view_of(GAME, shot.frame.name)) == ()
    detector.set_reference(shot.frame.name, shot.table)
    return detector


def split(
    before: Table, now: Table, unchanged: tuple[float, ...]
) -> tuple[list[float], list[float]]:
    """Return how surely the changed places look as they did, then how surely the others do."""
    each = list(zip(before, now, unchanged, strict=True))
    changed = [same for was, is_now, same in each if was != is_now]
    return changed, [same for was, is_now, same in each if was == is_now]


def follow() -> Iterator[tuple[list[float], list[float]]]:
    """Yield the same for each picture of a game, all of which are believed one after the other."""
    detector = ChangeDetector()
    before: Table = ()
    for shot in settled(GAME):
        unchanged = compare(detector, shot.frame.name, view_of(GAME, shot.frame.name))
        yield split(before, shot.table, unchanged) if before else ([], [])
        before = shot.table
        detector.set_reference(shot.frame.name, before)
        assert (detector.since, detector.table) == (shot.frame.name, before)


def follow_altered(
    alter: Callable[[Picture], NDArray[Any]],
) -> tuple[list[float], list[float]]:
    """Return the same of some moves together, each seen in an altered picture by fresh eyes."""
    changed: list[float] = []
    others: list[float] = []
    for one, other in list(pairwise(settled(GAME)))[::EVERY]:
        picture = np.clip(alter(other.frame.picture), 0, 255).astype(np.uint8)
        unchanged = compare(set_reference(one), "altered", Onlooker(GAME).look(picture))
        found = split(one.table, other.table, unchanged)
        changed += found[0]
        others += found[1]
    assert changed
    return changed, others


def test_what_a_move_changed_never_looks_as_it_did() -> None:
    """From picture to picture of a whole game; nearly all else is known again."""
    found = list(follow())
    assert sum(bool(changed) for changed, _ in found) > 20
    assert all(same <= 0.5 for changed, _ in found for same in changed)
    others = [same for _, unchanged in found for same in unchanged]
    assert np.mean(np.array(others) > SURE) >= 0.9


@pytest.mark.parametrize("alter", [bright, pushed, noisy])
def test_a_little_more_light_a_push_and_noise_keep_most_places_known(
    alter: Callable[[Picture], NDArray[Any]],
) -> None:
    """And nothing that changed is taken for what it was."""
    changed, others = follow_altered(alter)
    assert max(changed) <= 0.5
    assert np.mean(np.array(others) > SURE) > 0.6


@pytest.mark.parametrize("alter", [lit_from_aside, harsh])
def test_another_light_everywhere_tells_nothing(
    alter: Callable[[Picture], NDArray[Any]],
) -> None:
    """No place is known again, and few are said to have changed that have not."""
    changed, others = follow_altered(alter)
    assert max(changed + others) <= 0.5
    assert np.mean(np.array(others) < 0.25) < 0.2


def test_what_is_not_read_is_not_believed() -> None:
    """A picture that was never looked at changes nothing, before and after one was believed."""
    detector = ChangeDetector()
    detector.set_reference("never", (EMPTY,) * 25)
    assert (detector.since, detector.table) == ("", ())
    assert compare(detector, START, view_of(GAME, START)) == ()
    table = shot_of(GAME, START).table
    detector.set_reference(START, table)
    detector.set_reference("never", ("tac 1", *table[1:]))
    assert (detector.since, detector.table) == (START, table)


def test_only_a_few_pictures_are_remembered() -> None:
    """An older one is believed too late."""
    detector, view = ChangeDetector(), view_of(GAME, START)
    names = [str(number) for number in range(MAX_FRAMES + 1)]
    for name in names:
        compare(detector, name, view)
    detector.set_reference(names[0], (EMPTY,) * 25)
    assert detector.since == ""
    detector.set_reference(names[1], (EMPTY,) * 25)
    assert detector.since == names[1]


def test_what_is_forgotten_is_not_compared_with() -> None:
    """Nor can a picture from before be believed afterwards."""
    detector, view = set_reference(shot_of(GAME, START)), view_of(GAME, START)
    assert min(compare(detector, "again", view)) > SURE
    detector.forget()
    detector.set_reference("again", (EMPTY,) * 25)
    assert compare(detector, "new", view) == ()


def lift_tops(view: View, table: Table, lifted_px: float) -> Patches:
    """Return the patches of *view* in which the top of each column lies further out."""
    patches = view.patches.copy()
    away = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, lifted_px]])
    for at, content in enumerate(table):
        if content in (None, EMPTY):
            continue
        first = round(float(view.geometry.top_rows[at, int(content.split()[1])])) - TOP_PX
        size = (PATCH_COLUMNS, PATCH_ROWS)
        moved = cv2.warpAffine(patches[at], away, size, borderMode=cv2.BORDER_REPLICATE)
        patches[at, max(first, 0) :] = moved[max(first, 0) :]
    return patches


def test_a_top_of_the_same_colour_is_told_by_its_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly straight below the camera a level rises by two pixels, and little else changes."""
    shot = settled(GAME)[-1]
    view = view_of(GAME, shot.frame.name)
    geometry = replace(
        view.geometry, pixels_per_level=np.full_like(view.geometry.pixels_per_level, RISE_PX)
    )
    columns = [at for at, content in enumerate(shot.table) if content != EMPTY]
    detector = ChangeDetector()
    detector.compare("then", view.patches, geometry)
    detector.set_reference("then", shot.table)
    stayed = detector.compare("same", view.patches, geometry)
    lifted = lift_tops(view, shot.table, RISE_PX)
    told = partial(detector.compare, patches=lifted, geometry=geometry)
    laid = told("laid")
    monkeypatch.setattr(change_detection, "_measure_top_shift", lambda *_: 0.0)
    unaware = told("unaware")
    assert min(stayed[at] for at in columns) > SURE
    assert max(laid[at] for at in columns) < 0.5
    assert min(unaware[at] for at in columns) > 0.5


def test_only_what_is_well_known_is_recalled() -> None:
    """And nothing at all where nobody compared, whatever the table was."""
    assert keep_unchanged(
        ("tac 2", EMPTY, None),
        (MIN_UNCHANGED_TO_KEEP_CONTENT, MIN_UNCHANGED_TO_KEEP_CONTENT - 0.01, 1.0),
    ) == ("tac 2", None, None)
    assert keep_unchanged(("tac 2", EMPTY), ()) == (None, None)


def test_the_better_known_a_place_is_the_less_witnesses_are_asked() -> None:
    """None where it surely is as it was, all where it is as likely changed as not."""
    asked = required_confidence((0.98, 0.9, 0.7, 0.5, 0.04))
    assert asked is not None
    assert asked.tolist() == [0.0, 0.0, 0.85, 1.0, 1.0]
    assert required_confidence(()) is None


def test_a_tower_taller_than_eyes_can_tell_is_compared_all_the_same() -> None:
    """The rules know no tallest tower; the eyes count to six."""
    view, detector = view_of(GAME, START), ChangeDetector()
    assert compare(detector, "1", view) == ()
    detector.set_reference("1", ("tac 9", *(EMPTY,) * 24))
    assert len(compare(detector, "2", view)) == 25
