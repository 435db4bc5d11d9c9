"""Worlds for tests, and what may be done in them."""

from collections.abc import Callable
from random import Random
from typing import Final

from companion.apps.virtual.laying import virtual_set
from companion.apps.virtual.piece import IDOL, Piece, Refused, Viewer
from companion.apps.virtual.resting import Ground
from companion.apps.virtual.world import World
from companion.registry import with_mats

GAMES: Final = with_mats()
SEATS: Final = 2
ANN, BEN = Viewer(0, 0), Viewer(1, 1)
HOST: Final = Viewer(-1, None, is_host=True)
BYSTANDER: Final = Viewer()
EVERYBODY: Final = (ANN, BEN, HOST, BYSTANDER)


def start_of(game: str, seed: int = 1) -> World:
    """Return the world in which *game* begins."""
    found, random = virtual_set(game), Random(seed)
    assert found is not None
    return World(found, found.start(SEATS, random), random)


def kept(world: World) -> list[tuple[str, str, str]]:
    """Return all that can be neither lost nor doubled, wherever it is."""
    return sorted(
        (piece.kind, "" if piece.kind == "die" else str(piece.look), piece.mark)
        for piece in world.pieces.values()
    )


def floating(world: World) -> list[Piece]:
    """Return the pieces that rest on nothing: neither on the ground, nor on another."""
    ground = Ground(world.set.floors, world.set.balance)
    ground.is_fallen = world.is_fallen
    lying = [piece for piece in world.lying if piece.rides != IDOL]
    return [
        piece
        for piece in lying
        if abs(piece.z - ground.below(piece.x, piece.y)[0]) > 1e-6
        and not any(
            abs(other.z + other.rise(piece) - piece.z) < 1e-6
            and other.footprint.meets(piece.footprint)
            for other in lying
            if other is not piece
        )
    ]


def tries(*acts: Callable[[], object]) -> int:
    """Do all *acts* that the table allows, and return how many those were."""
    done = 0
    for act in acts:
        try:
            act()
        except Refused:
            continue
        done += 1
    return done
