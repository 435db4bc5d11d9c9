"""Bumped cameras, pushed boards and tiles that slid, on recorded tables."""

from functools import cache

import numpy as np
import pytest

from companion.registry import recordings
from tests.vision import bumps
from tests.vision.bumps import Moved, Table, Tally, retaken
from vision.capture.frame import Picture, load_frame
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import Mover, ViewWatch

GAMES = tuple(recordings())
RANDOM = np.random.default_rng(5)


@cache
def table(game: str) -> Table:
    """Return the shipped table of *game*, before the first move."""
    return Table.of(recordings()[game], "000.jpg")


def watching(game: str) -> ViewWatch:
    """Return a watch that has seen the table."""
    watch = ViewWatch(table(game).rig)
    assert watch.look(TableView(retaken(table(game).picture, RANDOM))) is None
    return watch


def again(picture: Picture) -> Picture:
    """Return it as the camera takes it again."""
    return retaken(picture, RANDOM)


@pytest.mark.parametrize(
    ("game", "what", "dx_mm", "dy_mm", "turn_deg"),
    [
        ("tiki_topple", "camera", -8.0, 1.0, 0.0),
        ("uno_tiki", "camera", 3.0, -20.0, 6.0),
        ("tactiki", "camera", 3.0, -20.0, 6.0),
        ("topple", "board", 4.0, 2.0, 0.0),
        ("tippi_toppi", "board", 4.0, 2.0, 0.0),
    ],
)
def test_what_was_bumped_is_told_at_once(
    game: str, what: Moved, dx_mm: float, dy_mm: float, turn_deg: float
) -> None:
    """Which of the two, how far and where to; and once, though a tile may be out of view then."""
    watch, bumped = watching(game), table(game).bump(what, dx_mm, dy_mm, turn_deg)
    looks = [watch.look(TableView(again(bumped))) for _ in range(4)]
    (change,) = (look for look in looks if look is not None)
    assert change in looks[:2]
    assert change.mover in (what, Mover.EITHER)
    if change.mover.value == what:
        assert (change.dx_mm, change.dy_mm) == pytest.approx((dx_mm, dy_mm), abs=0.5)
        assert change.turn_deg == pytest.approx(turn_deg, abs=0.3)


@pytest.mark.parametrize("game", ["tiki_topple", "uno_tiki"])
def test_a_bump_of_less_than_a_millimetre_is_none(game: str) -> None:
    """A table is trodden on; nothing is read differently for it."""
    watch = watching(game)
    for _ in range(3):
        assert watch.look(TableView(again(table(game).bump("camera", 0.7, 0.4)))) is None


def test_a_bump_is_told_though_a_tile_does_not_agree() -> None:
    """One that is measured badly, or was turned where it lies, needs a second picture."""
    game = "tactiki"
    turned = Table(table(game).slide(2, 0.0, 0.0, 9.0), table(game).rig, table(game).pose)
    watch, bumped = watching(game), turned.bump("board", 12.0, -5.0)
    first, then = (watch.look(TableView(again(bumped))) for _ in range(2))
    assert first is None
    assert then is not None
    assert then.mover == Mover.BOARD
    assert (then.dx_mm, then.dy_mm) == pytest.approx((12.0, -5.0), abs=0.5)
    assert watch.slid is None


@pytest.mark.parametrize("game", ["tiki_topple", "tactiki"])
def test_a_lens_that_is_darker_at_its_edges_does_not_hide_a_bumped_camera(game: str) -> None:
    """On a table with little pattern its shade, which stays, is most of what is around the mat."""
    height, width = table(game).picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    shade = (1.0 - 0.3 * (x * x + y * y))[..., None]

    def through_lens(picture: Picture) -> Picture:
        pale = 0.4 * picture.astype(np.float64) + 120.0
        return again(np.asarray(shade * pale, np.uint8))

    watch = ViewWatch(table(game).rig)
    assert watch.look(TableView(through_lens(table(game).picture))) is None
    bumped = table(game).bump("camera", 14.0, 6.0)
    change = watch.look(TableView(through_lens(bumped))) or watch.look(
        TableView(through_lens(bumped))
    )
    assert change is not None
    assert change.mover == Mover.CAMERA


@pytest.mark.parametrize("what", ["camera", "board"])
def test_a_bump_is_told_by_three_tiles_where_the_fourth_was_never_seen(what: Moved) -> None:
    """A mug stands on it all evening; it takes two pictures, and is told once."""
    game = "tactiki"
    whole = table(game)
    covered = whole.picture.copy()
    corners = whole.pose.project(np.array([[*whole.rig.mat.centres[3], 0.0]]))
    x, y = corners[0].astype(int)
    covered[y - 60 : y + 60, max(x - 60, 0) : x + 60] = 90
    three = Table(covered, whole.rig, whole.pose)
    watch, bumped = ViewWatch(whole.rig), three.bump(what, 12.0, -5.0, 3.0)
    for _ in range(6):
        assert watch.look(TableView(again(covered))) is None
    looks = [watch.look(TableView(again(bumped))) for _ in range(4)]
    (change,) = (look for look in looks if look is not None)
    assert change in looks[:2]
    assert change.mover in (what, Mover.EITHER)
    assert watch.slid is None


def test_a_tile_that_was_hidden_at_first_is_compared_once_it_was_seen() -> None:
    """A hand was over it."""
    game = "tactiki"
    picture = table(game).picture
    covered = picture.copy()
    x, y = (
        table(game).pose.project(np.array([[*table(game).rig.mat.centres[2], 0.0]]))[0].astype(int)
    )
    covered[y - 60 : y + 60, x - 60 : x + 60] = 90
    watch = ViewWatch(table(game).rig)
    for each in (covered, picture):
        assert watch.look(TableView(again(each))) is None
    for _ in range(2):
        assert watch.look(TableView(again(table(game).slide(2, 0.0, 12.0)))) is None
    assert watch.slid is not None
    assert watch.slid.tile == 2


@pytest.mark.parametrize("tile", range(4))
def test_a_tile_that_slid_is_known_until_it_is_put_back(tile: int) -> None:
    """After a second look, for a hand over its edge may look like it."""
    game = "tactiki"
    watch, slid = watching(game), table(game).slide(tile, 9.0, -4.0)
    known = []
    for picture in (slid, slid, slid, table(game).picture):
        assert watch.look(TableView(again(picture))) is None
        known.append(watch.slid)
    first, then, still, back = known
    assert first is back is None
    assert then is not None
    assert still is not None
    assert then.tile == tile
    assert (then.dx_mm, then.dy_mm) == pytest.approx((9.0, -4.0), abs=1.5)


def test_what_is_looked_at_after_a_restart_is_right() -> None:
    """Calibrating says so."""
    game = "tactiki"
    watch, slid = watching(game), table(game).slide(1, 12.0, 0.0)
    for _ in range(2):
        watch.look(TableView(again(slid)))
    watch.restart()
    assert watch.slid is None
    for _ in range(3):
        assert watch.look(TableView(again(slid))) is None
    assert watch.slid is None


def test_a_picture_of_another_size_begins_anew() -> None:
    """The camera was opened with other settings."""
    watch, picture = watching("tactiki"), table("tactiki").picture
    smaller = np.ascontiguousarray(picture[:800])
    assert watch.look(TableView(smaller)) is None
    assert watch.look(TableView(picture)) is None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_bumps_has_no_alarm(game: str) -> None:
    """Hands, arms and moves among its frames."""
    frames = sorted(path.name for path in recordings()[game].glob("*.jpg"))
    watch = ViewWatch(table(game).rig)
    for frame in frames[::4]:
        assert watch.look(TableView(load_frame(recordings()[game] / frame).picture)) is None
        assert watch.slid is None


def test_the_tally_counts_what_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has to be able to fail."""
    tally = Tally(1)
    monkeypatch.setattr(ViewWatch, "look", lambda *_: None)
    monkeypatch.setattr(bumps, "BUMPS", 2)
    tally.try_bumps(table("tactiki"), "a table")
    tally.try_tiles(table("tactiki"), "a table")
    assert len(tally.lost) == tally.counts["bumps"] + 4
