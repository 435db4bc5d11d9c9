"""How a table is fitted by the corners of a board that people have dragged, without corner tiles.

It is kept with the description of the table, in its mat, so that readers and recordings need not
know how a table was fitted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from vision.geometry.session_values import BadLayout, take_number, take_table, take_value

CORNERS: Final = 4
MAX_RIM_SAMPLES: Final = 200

Pairs: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class CornerFit:
    """Where the corners of a known rectangle are seen, from its top left one clockwise.

    corners: in shares of the picture's width and height.
    outline: the same in mm of the table, z_mm above it.
    white: the level (3,) of white paper there, blue, green and red, as far as it could be told.
    rim: the levels (n, 3) of its rim, see `vision.photometry.rim_white`; () if unknown.
    tilts: whether the rectangle moves by itself, so that the table around it is followed instead.
    sheet: whether it is one of paper, on which things lie that come and go.
    """

    corners: Pairs
    outline: Pairs
    z_mm: float
    white: tuple[float, ...] = ()
    rim: tuple[tuple[float, ...], ...] = ()
    tilts: bool = False
    sheet: bool = False


def with_fit(table: Mapping[str, Any], fit: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return a session.json's *table* fitted by corners, by its tiles if *fit* is None."""
    if fit is None or not table:
        return table
    return {**table, "mat": {**table["mat"], "fit": dict(fit)}}


def fit_to_json(fit: CornerFit) -> dict[str, Any]:
    """Return *fit* as `parse_fit` takes it from a session.json's mat.

    >>> square = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    >>> fit = CornerFit(square, ((0, 0), (420, 0), (420, 300), (0, 300)), 0.0)
    >>> parse_fit({"fit": fit_to_json(fit)}) == fit
    True
    """
    return {
        "corners": [list(each) for each in fit.corners],
        "outline": [list(each) for each in fit.outline],
        "z": fit.z_mm,
        "white": list(fit.white),
        "rim": [list(each) for each in fit.rim],
        "tilts": fit.tilts,
        "sheet": fit.sheet,
    }


def parse_fit(mat: Mapping[str, Any]) -> CornerFit | None:
    """Return the fit that a session.json's *mat* has, None if it has none; raises BadLayout."""
    if mat.get("fit") is None:
        return None
    fit = take_table(mat, "mat.fit", "a table with corners, outline and z")
    corners = _take_pairs(fit, "mat.fit.corners", "shares of the picture")
    return CornerFit(
        corners,
        _take_pairs(fit, "mat.fit.outline", "mm of the table"),
        take_number(fit, "mat.fit.z", "its height above the table in mm"),
        _take_levels(fit.get("white", ()), "mat.fit.white", (0, 3)),
        _take_rim(fit.get("rim", ())),
        fit.get("tilts") is True,
        fit.get("sheet") is True,
    )


def _take_pairs(fit: Mapping[str, Any], path: str, unit: str) -> Pairs:
    right = f"{CORNERS} pairs of numbers in {unit}"
    value = take_value(fit, path, right)
    if not isinstance(value, Sequence) or len(value) != CORNERS:
        raise BadLayout(f"'{path}' is {value!r:.40}; it must be {right}")
    found = [_take_levels(each, path, (2,)) for each in value]
    return tuple((x, y) for x, y in found)


def _take_rim(value: Any) -> tuple[tuple[float, ...], ...]:
    if not isinstance(value, Sequence) or len(value) > MAX_RIM_SAMPLES:
        raise BadLayout(f"'mat.fit.rim' is {value!r:.40}; it must be a list of levels")
    return tuple(_take_levels(each, "mat.fit.rim", (3,)) for each in value)


def _take_levels(value: Any, path: str, lengths: tuple[int, ...]) -> tuple[float, ...]:
    is_listed = isinstance(value, list | tuple) and len(value) in lengths
    if not is_listed or not all(type(each) in (int, float) for each in value):
        raise BadLayout(f"'{path}' has {value!r:.40}; it must have {lengths[-1]} numbers")
    return tuple(float(each) for each in value)
