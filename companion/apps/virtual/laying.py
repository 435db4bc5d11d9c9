"""Laying tables without a companion: a snapshot of what a reading says."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.apps.virtual.room import USUAL, Room
from companion.apps.virtual.views import snapshot
from companion.apps.virtual.world import World
from companion.registry import GAMES, load
from companion.table.virtual_set import VirtualSet


def virtual_set(game: str) -> VirtualSet | None:
    """Return what lies on the virtual table of *game*, None if it has none."""
    if game not in GAMES or not GAMES[game].has_mat or not has_virtual(game):
        return None
    found: VirtualSet = load(game, "virtual").VIRTUAL_SET
    return found


def has_virtual(game: str) -> bool:
    """Return whether *game* says what lies on its virtual table."""
    try:
        load(game, "virtual")
    except ModuleNotFoundError:
        return False
    return True


def world_of(game: str, reading: Mapping[str, Any], seed: int = 0) -> World:
    """Return the world that shows *reading*, in the words of truth.jsonl; raises KeyError."""
    found, random = virtual_set(game), Random(seed)  # noqa: S311 - pieces lie a little crooked
    if found is None:
        raise KeyError(game)
    return World(found, found.lay(reading, random), random, found.idol_deg(reading))


def snapshot_of(
    game: str, reading: Mapping[str, Any], room: Room = USUAL, seed: int = 0
) -> dict[str, Any]:
    """Return the snapshot of a table that shows *reading*, as a bystander sees it."""
    world = world_of(game, reading, seed)
    if reading.get("toppled"):
        world.fall()
    return snapshot(world, room)
