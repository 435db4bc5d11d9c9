"""The readers of real tables read what the virtual camera sees, in all five games."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from companion.apps.evaluation.pictures import agrees
from companion.apps.virtual.laying import snapshot_of
from companion.table.readers import Reader, reader_setup_of, usual_table
from tests.virtual.drawing import draw_frame, drawing_page
from tests.virtual.random_tables import TEACHING, random_truths
from vision.observation import HIDDEN, Observation, Reason, Status

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TABLES: Final = 3
SURE: Final = {"tiki_topple": 3, "tactiki": 1, "topple": 2, "tippi_toppi": 3, "uno_tiki": 3}
"""How many of these are read at least: of columns some wait for the next picture."""
HAND: Final[Mapping[str, Any]] = {"seat": 0, "z": 45.0, "side": "near"}
REACHED: Final = {
    "tiki_topple": (210.0, 120.0),
    "tactiki": (170.0, 170.0),
    "topple": (190.0, 140.0),
    "tippi_toppi": (160.0, 170.0),
    "uno_tiki": (330.0, 130.0),
}
"""Where a hand covers a piece in each game."""
FACES: Final = ("tiki-draw1", "tiki-draw2", "tiki-draw4", "tiki-discard2", "tiki-goto")


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """Return a page that can draw."""
    with drawing_page(browser) as found:
        yield found


def taught(page: "Page", game: str) -> Reader:
    """Return a reader of the virtual table of *game*, which has seen the teaching table."""
    setup = reader_setup_of(game)
    description = {**usual_table(game), "image": {"width": 960, "height": 540, "hfov_deg": 66.0}}
    frame = draw_frame(page, snapshot_of(game, TEACHING[game]), "000.jpg")
    assert setup.check(frame, TEACHING[game], description) is None
    reader = setup.open_reader(description)
    reader.calibrate(frame, TEACHING[game])
    return reader


@pytest.mark.slow(keep=["tiki_topple", "topple"])
@pytest.mark.parametrize("game", TEACHING)
def test_tables_are_read(page: "Page", game: str) -> None:
    """Each table that is read is read rightly, and most are."""
    reader, setup = taught(page, game), reader_setup_of(game)
    read = 0
    for number, truth in enumerate(random_truths(game, np.random.default_rng(8), TABLES), 1):
        frame = draw_frame(page, snapshot_of(game, truth, seed=number), f"{number:03d}.jpg")
        seen = reader.read(frame)
        assert seen.status is not Status.NO_MAT
        if seen.reading is not None:
            assert agrees(seen.reading, truth), (truth, seen.reading)
            read += 1
        if "cells" in truth:  # as the referee does, when it has accepted a move
            reader.set_reference(frame.name, setup.table_of(truth))
    assert read >= SURE[game]


@pytest.mark.slow(keep=["tiki_topple", "topple"])
@pytest.mark.parametrize("game", TEACHING)
def test_a_hand_hides_what_it_covers(page: "Page", game: str) -> None:
    """A hand hides what it covers, until it is away."""
    reader = taught(page, game)
    assert not is_hidden(look(page, reader, game, [], "001.jpg"))
    x, y = REACHED[game]
    covered = look(page, reader, game, [{**HAND, "x": x, "y": y}], "002.jpg")
    assert covered.status is Status.UNSETTLED
    assert covered.reading is None
    assert is_hidden(covered)
    assert not is_hidden(look(page, reader, game, [], "003.jpg"))


def is_hidden(seen: Observation) -> bool:
    """Return whether the table is not read since an arm was seen, or a place cannot be."""
    if seen.reading is not None:
        return False
    hidden = any(place.of(HIDDEN) > 0.5 for place in seen.places)
    return hidden or bool(seen.arms) or seen.reason is Reason.HAND


def look(
    page: "Page", reader: Reader, game: str, hands: Sequence[Mapping[str, Any]], name: str
) -> Observation:
    """Return what is read of the teaching table with *hands* over it."""
    snapshot = {**snapshot_of(game, TEACHING[game]), "hands": list(hands)}
    return reader.read(draw_frame(page, snapshot, name))


def test_face_in_idol_is_read(page: "Page") -> None:
    """The small card at the idol's back is named."""
    game = "uno_tiki"
    reader = taught(page, game)
    for number, face in enumerate(FACES, 1):
        truth = {**TEACHING[game], "idol_deg": 15.0 * number - 30.0, "idol": face}
        seen = reader.read(draw_frame(page, snapshot_of(game, truth), f"{number:03d}.jpg"))
        assert agrees(seen.reading or {}, truth), (truth, seen.reading)
        assert face in {place.best for place in seen.places}, (face, seen.places)


def test_ghost_and_highlight_are_hidden_from_the_camera(page: "Page") -> None:
    """What is marked in a player's view is in no picture of the camera."""
    found = page.evaluate(
        """async (snapshot) => {
          const [{ TableScene }, { Eye }] = await Promise.all(
            ["/scene.js", "/eye.js"].map((each) => import(each)));
          const table = new TableScene();
          table.load(snapshot);
          const eye = new Eye(table);
          const pixels = () => {
            eye.draw(true);
            const gl = eye.renderer.getContext(), all = new Uint8Array(4 * 960 * 540);
            gl.readPixels(0, 0, 960, 540, gl.RGBA, gl.UNSIGNED_BYTE, all);
            return all;
          };
          const plain = pixels(), { id } = snapshot.pieces[0];
          const before = [table.version, table.viewVersion];
          table.highlight(id);
          table.ghost({ id, x: 210, y: 150, z: 2, turn: 0 });
          const after = [table.version, table.viewVersion];
          table.changes.note(null);
          const marked = pixels();
          return { before, after, differ: plain.filter((each, at) => each !== marked[at]).length };
        }""",
        {**snapshot_of("uno_tiki", TEACHING["uno_tiki"]), "room": {"noise": 0}},
    )
    assert found["differ"] == 0
    assert found["before"][0] == found["after"][0]
    assert found["before"][1] < found["after"][1]


def test_what_a_column_of_ten_discs_hides_is_not_told(page: "Page") -> None:
    """Its top, where none of the heights that are told would have it, seems to be that behind."""
    reader, setup = taught(page, "topple"), reader_setup_of("topple")
    cells: list[list[list[str]]] = [[[] for _ in range(5)] for _ in range(5)]
    cells[1][2] = ["blue", "pink", "blue", "yellow"]
    cells[2][2] = ["pink", "yellow", "blue"] * 3
    cells[3][3] = ["green"]
    before = {"cells": cells, "toppled": False}
    for number in (1, 2):
        frame = draw_frame(page, snapshot_of("topple", before, seed=5), f"{number:03d}.jpg")
        reader.read(frame)
        reader.set_reference(frame.name, setup.table_of(before))
    cells[2][2].append("green")
    seen = reader.read(draw_frame(page, snapshot_of("topple", before, seed=5), "003.jpg"))
    assert seen.places[7].best in ("yellow 4", HIDDEN)
