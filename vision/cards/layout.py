"""What lies where in the two card games: Tippi Toppi's piles, UNO Tiki's discard pile and idol."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from vision.geometry.layout import Mat, parse_mat
from vision.geometry.session_values import (
    BadLayout,
    take_hfov_deg,
    take_length,
    take_number,
    take_table,
    take_value,
)

COLOURS: Final = ("orange", "pink", "green", "purple")
"""The colours of Tippi Toppi's cards."""
VALUES: Final = (1, 2, 3, 4, 5, 6, 7)
MAX_PILES: Final = 12


@dataclass(frozen=True, slots=True)
class Place:
    """Where the middle of a pile or of the idol is, in mm."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CardSize:
    """A card's sides in mm."""

    w: float
    h: float


@dataclass(frozen=True, slots=True)
class PileLayout:
    """The table of Tippi Toppi.

    piles: pile 0 (left) first.  hfov_deg: horizontal field of view of the camera in degrees.
    """

    mat: Mat
    piles: tuple[Place, ...]
    card: CardSize
    hfov_deg: float


@dataclass(frozen=True, slots=True)
class Idol:
    """The idol: its middle, and how wide its foot and how long its arm are, in mm."""

    x: float
    y: float
    diameter: float
    arm_reach: float


@dataclass(frozen=True, slots=True)
class UnoLayout:
    """The table of UNO Tiki."""

    mat: Mat
    discard: Place
    draw: Place
    idol: Idol
    card: CardSize
    hfov_deg: float


TIPPI_TOPPI: Final = PileLayout(
    mat=Mat(width=420.0, height=280.0, marker_ids=(12, 13, 14, 15), marker_mm=40.0),
    piles=tuple(Place(60.0 + 100.0 * i, 190.0) for i in range(4)),
    card=CardSize(58.0, 88.0),
    hfov_deg=66.0,
)
UNO_TIKI: Final = UnoLayout(
    mat=Mat(width=420.0, height=300.0, marker_ids=(16, 17, 18, 19), marker_mm=40.0),
    discard=Place(330.0, 150.0),
    draw=Place(330.0, 40.0),
    idol=Idol(150.0, 150.0, 90.0, 66.0),
    card=CardSize(56.0, 87.0),
    hfov_deg=66.0,
)
"""The rigs of the instructions, for when there is no session.json."""


def parse_pile_layout(session: Mapping[str, Any]) -> PileLayout:
    """Return the layout that a session.json of Tippi Toppi describes.

    Raises BadLayout, naming the key that is missing or wrong and what would be right.

    >>> parse_pile_layout({"mat": 7})
    Traceback (most recent call last):
    vision.geometry.session_values.BadLayout: 'mat' is 7; it must be a table with width, height, marker_ids and marker_mm
    """  # noqa: E501  (a doctest's message cannot be broken)
    mat = parse_mat(session)
    layout = take_table(session, "layout", "a table with piles")
    right = f"a list of 1 to {MAX_PILES} tables with x, y, w and h in mm"
    value = take_value(layout, "layout.piles", right)
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_PILES:
        raise BadLayout(f"'layout.piles' is {value!r:.40}; it must be {right}")
    piles, sizes = [], []
    for index, pile in enumerate(value):
        path = f"layout.piles.{index}"
        if not isinstance(pile, Mapping):
            raise BadLayout(f"'{path}' is {pile!r:.40}; it must be a table with x, y, w and h")
        piles.append(_place(pile, path))
        sizes.append(_card(pile, path))
    return PileLayout(mat, tuple(piles), sizes[0], take_hfov_deg(session))


def parse_uno_layout(session: Mapping[str, Any]) -> UnoLayout:
    """Return the layout that a session.json of UNO Tiki describes; raises BadLayout."""
    mat = parse_mat(session)
    layout = take_table(session, "layout", "a table with discard, draw, idol and card")
    discard, draw = (
        _place(take_table(layout, f"layout.{pile}", "a table with x and y in mm"), f"layout.{pile}")
        for pile in ("discard", "draw")
    )
    idol = take_table(layout, "layout.idol", "a table with x, y, diameter and arm_reach in mm")
    card = take_table(layout, "layout.card", "a table with w and h in mm")
    where = _place(idol, "layout.idol")
    diameter = take_length(idol, "layout.idol.diameter")
    arm_reach = take_length(idol, "layout.idol.arm_reach")
    return UnoLayout(
        mat=mat,
        discard=discard,
        draw=draw,
        idol=Idol(where.x, where.y, diameter, arm_reach),
        card=_card(card, "layout.card"),
        hfov_deg=take_hfov_deg(session),
    )


def _place(table: Mapping[str, Any], path: str) -> Place:
    right = "the middle in mm"
    return Place(take_number(table, f"{path}.x", right), take_number(table, f"{path}.y", right))


def _card(table: Mapping[str, Any], path: str) -> CardSize:
    return CardSize(take_length(table, f"{path}.w"), take_length(table, f"{path}.h"))
