"""The virtual tables of all games: what a reading says lies there, and lies there again."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.apps.virtual.laying import snapshot_of, virtual_set, world_of
from companion.registry import GAMES as LISTED
from companion.registry import recordings, with_mats
from tests.virtual.worlds import GAMES, floating, start_of

RECORDED = sorted(recordings())


def truths(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield what lies there in the settled pictures of a recording."""
    for line in (folder / "truth.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["kind"] not in ("moving", "occluded") and not row["truth"].get("toppled"):
            idol = {"idol": row["idol"]} if row.get("idol") else {}
            yield {**row["truth"], **idol}


@pytest.mark.parametrize("game", RECORDED)
def test_every_table_of_a_recording_is_laid_and_read_again(game: str) -> None:
    """In the words of truth.jsonl; and nothing floats."""
    count = 0
    for seed, truth in enumerate(truths(recordings()[game])):
        world = world_of(game, truth, seed)
        found = world.set.lies(world.lying, idol_deg=world.idol_deg, fallen=world.is_fallen)
        assert found.items() <= truth.items()
        assert not floating(world)
        count += 1
    assert count > 10


@pytest.mark.parametrize("game", GAMES)
def test_a_start_is_another_each_time_and_has_all_pieces(game: str) -> None:
    """Chance is the caller's: the same seed gives the same table."""
    first, again, other = start_of(game, 1), start_of(game, 1), start_of(game, 2)
    look = [
        [(p.kind, str(p.look), p.x, p.y, p.mark) for p in world.pieces.values()]
        for world in (first, again, other)
    ]
    assert look[0] == look[1] != look[2]
    kinds = [Counter(p.kind for p in world.pieces.values()) for world in (first, other)]
    assert kinds[0] == kinds[1]
    assert kinds[0]["tile"] == 4
    assert not floating(first)


def test_what_lies_beside_a_board_hides_no_tile_and_no_place() -> None:
    """The eyes need the tiles whole."""
    for game in GAMES:
        world = start_of(game)
        tiles = [p.footprint for p in world.lying if p.kind == "tile"]
        others = [p.footprint for p in world.lying if p.kind != "tile"]
        assert not [1 for tile in tiles for other in others if tile.meets(other)], game


def test_games_without_a_mat_have_no_virtual_table() -> None:
    """A score sheet is entered by hand."""
    assert [game for game in LISTED if virtual_set(game) is None] == [
        game for game in LISTED if game not in with_mats()
    ]
    assert virtual_set("chess") is None


def test_a_snapshot_of_a_film_is_the_same_for_the_same_seed() -> None:
    """Judging renders what it renders again; a fallen tower lies there fallen."""
    cells = {"cells": [[{"height": 2, "top": "pink"}, *[{"height": 0, "top": None}] * 4]] * 5}
    assert snapshot_of("topple", cells, seed=4) == snapshot_of("topple", cells, seed=4)
    assert snapshot_of("topple", {"toppled": True})["board"]["fallen"]
    found = virtual_set("topple")
    assert found is not None
    laid = found.lay(cells, Random(1))
    assert sum(piece.look == "pink" for piece in laid) == 12
