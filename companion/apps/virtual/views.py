"""What each viewer sees of the virtual table: the one place that decides who may know what."""

from typing import Any, Final

import msgspec

from companion.apps.virtual.piece import CARD, Piece, Viewer
from companion.apps.virtual.room import Room
from companion.apps.virtual.world import World

BYSTANDER: Final = Viewer()
DIGITS: Final = 2
"""Of millimetres and degrees."""


def look_seen(piece: Piece, viewer: Viewer) -> Any:
    """Return what *viewer* sees of a piece's face; None of a card whose back is seen.

    A face that shows is seen by all, one in a private hand by its owner, and one that comes from
    there by whoever holds it.
    """
    if piece.kind != CARD:
        return piece.look
    own = viewer.private if viewer.private is not None else viewer.hand
    if piece.of is not None:
        return piece.look if own is not None and piece.of == own else None
    if piece.up:
        return piece.look
    holds = piece.held is not None and piece.held == viewer.hand
    return piece.look if holds and piece.is_known else None


def see_piece(piece: Piece, viewer: Viewer) -> dict[str, Any]:
    """Return a piece as the snapshot for *viewer* has it; its mark is never there."""
    width, depth, height = piece.size
    return {
        "id": piece.id,
        "kind": piece.kind,
        "look": look_seen(piece, viewer),
        "x": round(piece.x, DIGITS),
        "y": round(piece.y, DIGITS),
        "z": round(piece.z, DIGITS),
        "turn": round(piece.turn, DIGITS),
        "lean": list(piece.lean),
        "up": piece.up,
        "held": piece.held,
        "of": piece.of,
        "rides": piece.rides,
        "size": [width, depth, height],
    }


def see_pieces(world: World, viewer: Viewer) -> dict[int, dict[str, Any]]:
    """Return all pieces as *viewer* sees them, by number."""
    return {number: see_piece(world.pieces[number], viewer) for number in sorted(world.pieces)}


def see_board(world: World) -> dict[str, Any] | None:
    """Return how the balance board stands, None where there is none."""
    if world.set.balance is None:
        return None
    tilt, towards = world.tilt
    return {"tilt": tilt, "towards": towards, "fallen": world.is_fallen}


def see_idol(world: World) -> dict[str, Any] | None:
    """Return where the idol points and what is in it, None where there is none."""
    if world.set.idol is None:
        return None
    card = world.idol_card
    return {
        "angle": round(world.idol_deg, DIGITS),
        "card": card.look if card is not None and card.up else None,
    }


def see_hands(world: World) -> list[dict[str, Any]]:
    """Return the hands that are over the table."""
    return [
        {
            "seat": hand.number,
            "x": round(hand.x, DIGITS),
            "y": round(hand.y, DIGITS),
            "z": round(hand.z, DIGITS),
            "side": hand.side,
        }
        for _, hand in sorted(world.hands.items())
        if hand.is_over
    ]


def snapshot(world: World, room: Room, viewer: Viewer = BYSTANDER) -> dict[str, Any]:
    """Return all that is drawn for *viewer*; `static/scene.js` loads it."""
    found: dict[str, Any] = {
        "game": world.set.game,
        "table": dict(world.set.table),
        "pieces": list(see_pieces(world, viewer).values()),
        "hands": see_hands(world),
        "room": msgspec.to_builtins(room),
    }
    parts = {"board": see_board(world), "idol": see_idol(world)}
    return found | {name: part for name, part in parts.items() if part is not None}


def changes(
    sent: dict[int, dict[str, Any]], seen: dict[int, dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[int]]:
    """Return which pieces look different from what was *sent*, and the numbers of those gone."""
    changed = [piece for number, piece in seen.items() if sent.get(number) != piece]
    return changed, sorted(sent.keys() - seen.keys())
