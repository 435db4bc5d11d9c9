"""Render photographs of hands of cards at a round's end: fanned, overlapping, or laid out.

All cards of a hand are one printer's. Nothing is photographed. Pictures are blue green red.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.black_cards import SIZE_PX
from rendering.card_decks import HUES_DEG, SYMBOL_CLASSES, DrawnCard, draw_any_card
from rendering.card_grounds import (
    Levels,
    Points,
    draw_any_ground,
    draw_limb,
    random_skin,
)
from rendering.designs import random_print
from rendering.drawn import CARD_MM, PX_PER_MM, Design, draw_card
from rendering.prints import Print, Random, hue_colour
from rendering.typefaces import Typeface
from vision.cards.card_kinds import CARD_COLOURS
from vision.cards.card_rectification import CORNERS_MM

LONG_PX: Final = (1280, 1920)
"""The longer side of a photograph, as pages send it."""
KINDS: Final = ("fan", "row", "column", "grid", "loose")
"""Held in a fan; overlapping sideways, or downwards; side by side; side by side, any way up."""
COPIES: Final = 2
"""How many of each coloured card there are, but for the 0, of which there is one."""
RARE: Final = 0.08
"""The share of Wilds, and of Tiki Faces half as many."""
MAX_TILT_DEG: Final = 30.0
MARGIN: Final = (0.03, 0.16)
"""How much of the picture is free around the hand, as a share of its side."""
FINGER_MM: Final = (7.5, 10.0)
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Printer:
    """What one printer makes: a design, its four inks, and cards without a colour."""

    design: Design
    inks: dict[str, Colour]
    others: Sequence[DrawnCard]

    def draw(self, random: Random, colour: str, symbol: str) -> NDArray[np.uint8]:
        """Return a card (348, 224, 4), with how much of each pixel it fills."""
        if colour == "wild":
            fit = [card for card in self.others if card.symbol == symbol]
            return fit[int(random.integers(len(fit)))].picture
        spin = bool(random.random() < 0.12)
        art = draw_card(symbol, self.inks[colour], self.design, random, spin)
        sized = cv2.resize(art, SIZE_PX, interpolation=cv2.INTER_AREA)
        return np.dstack([sized, _rounded()])


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card of a hand: its name, and where its corners (4, 2) are in the picture, in pixels."""

    colour: str
    symbol: str
    corners: Points


@dataclass(frozen=True, slots=True, eq=False)
class HandScene:
    """A photograph of a hand.  cards: from the lowest to the one on top of all."""

    picture: Print
    kind: str
    cards: tuple[LaidCard, ...]


def make_printer(random: Random, typefaces: Sequence[Typeface]) -> Printer:
    """Return a printer that does not exist, whose cards are as large as those in the shops."""
    design = random_print(random, True, typefaces)
    style = str(random.choice(["outlined", "filled"]))
    corner = float(random.uniform(7.0, 10.5))
    design = replace(
        design,
        style=style,
        symbol=float(random.uniform(27, 36)),
        outline=float(random.uniform(0.7, 1.8)),
        corner=corner,
        corner_inset=design.border + corner / 2 + float(random.uniform(0.5, 2.0)),
        border=float(random.uniform(2.6, 4.2)),
    )
    inks = {name: _ink(random, name) for name in CARD_COLOURS}
    others: list[DrawnCard] = []
    while {card.symbol for card in others} != {"wild", "tiki"}:
        card = draw_any_card(random, typefaces)
        if card.symbol in ("wild", "tiki"):
            others.append(card)
    return Printer(design, inks, others)


def _ink(random: Random, name: str) -> Colour:
    bright = (0.88, 1.0) if name == "yellow" else (0.5, 0.85)
    ink = hue_colour(
        random.uniform(*HUES_DEG[name]), random.uniform(0.72, 1.0), random.uniform(*bright)
    )
    red, green, blue = (round(255 * part) for part in ink)
    return red, green, blue


def _rounded() -> NDArray[np.uint8]:
    """Return how much of each pixel a card with round corners fills."""
    mask = np.zeros((SIZE_PX[1], SIZE_PX[0]), np.uint8)
    radius = round(3.0 * PX_PER_MM)
    for x in (radius, SIZE_PX[0] - 1 - radius):
        for y in (radius, SIZE_PX[1] - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, cv2.FILLED, cv2.LINE_AA)
    mask[radius:-radius] = 255
    mask[:, radius:-radius] = 255
    return mask


def render_hand(
    random: Random, printer: Printer, grounds: Sequence[Print], kind: str = ""
) -> HandScene:
    """Return one photograph of a hand that somebody may have left at the end of a round."""
    picture, kind, cards = draw_hand(random, printer, grounds, kind)
    return HandScene(expose(random, light(random, picture)), kind, cards)


def draw_hand(
    random: Random, printer: Printer, grounds: Sequence[Print], kind: str = "", count: int = 0,
    long_px: int = 0,
) -> tuple[Levels, str, tuple[LaidCard, ...]]:  # fmt: skip
    """Return a hand as it lies there, its colours as printed, its kind and its cards.

    0 leaves a number to chance.  count: of its cards.  long_px: the longer side of the picture.
    """
    kind = kind or str(random.choice(KINDS, p=[0.4, 0.15, 0.1, 0.2, 0.15]))
    count = count or int(random.integers(1 if kind in ("grid", "loose") else 2, 11))
    names = _deal(random, count)
    places = _LAYOUTS[kind](random, len(names))  # (n, 4, 2) mm on the table
    long_px = long_px or int(random.uniform(*LONG_PX))
    size = (long_px, round(long_px * 0.75))
    size = size if random.random() < 0.5 else (size[1], size[0])
    to_picture = _aim(random, places, size, any_way_up=kind != "fan")
    picture = _ground(random, grounds, size)
    skin = random_skin(random)
    if kind == "fan":
        _draw_palm(random, picture, places, to_picture, skin)
    cards = []
    for (colour, symbol), corners_mm in zip(names, places, strict=True):
        corners = _project(to_picture, corners_mm)
        _lay(random, picture, printer.draw(random, colour, symbol), corners)
        cards.append(LaidCard(colour, symbol, corners))
    if kind == "fan":
        _draw_thumb(random, picture, places, to_picture, skin)
    return picture, kind, tuple(cards)


def _deal(random: Random, count: int) -> list[tuple[str, str]]:
    """Return *count* cards of a deck."""
    dealt: list[tuple[str, str]] = []
    while len(dealt) < count:
        chance = random.random()
        if chance < RARE:
            dealt.append(("wild", "wild"))
        elif chance < 1.5 * RARE:
            dealt.append(("wild", "tiki"))
        else:
            card = (str(random.choice(CARD_COLOURS)), str(random.choice(SYMBOL_CLASSES[:12])))
            if dealt.count(card) < (1 if card[1] == "0" else COPIES):
                dealt.append(card)
    return dealt


def _place(centre: Points, turn_deg: float) -> Points:
    """Return the corners (4, 2) of a card at *centre* on the table, turned clockwise, in mm."""
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    around = (CORNERS_MM - np.array(CARD_MM) / 2) @ np.array([[cos, sin], [-sin, cos]])
    return np.asarray(around + centre)


def _fan(random: Random, count: int) -> Points:
    """Return cards turned about a place below them, each with its index free."""
    pivot_mm = random.uniform(75, 140)
    step = np.degrees(random.uniform(18, 28) / (pivot_mm + CARD_MM[1] / 2))
    turns = (np.arange(count) - (count - 1) / 2) * step + random.normal(0, 0.08 * step, count)
    radii = pivot_mm + random.normal(0, 2.5, count)
    centres = np.column_stack([np.sin(np.radians(turns)), -np.cos(np.radians(turns))])
    return np.stack([_place(r * c, t) for r, c, t in zip(radii, centres, turns, strict=True)])


def _row(random: Random, count: int) -> Points:
    step, slant = random.uniform(17, 30), random.normal(0, 1.5)
    return np.stack(
        [
            _place(np.array([n * step, n * slant + random.normal(0, 1.5)]), random.normal(0, 2.5))
            for n in range(count)
        ]
    )


def _column(random: Random, count: int) -> Points:
    step, slant = random.uniform(16, 30), random.normal(0, 1.5)
    return np.stack(
        [
            _place(np.array([n * slant + random.normal(0, 1.5), n * step]), random.normal(0, 2.5))
            for n in range(count)
        ]
    )


def _grid(random: Random, count: int, turn_deg: float = 4.0) -> Points:
    columns = int(np.ceil(np.sqrt(1.6 * count)))
    room = np.array(CARD_MM) + random.uniform(3, 14, 2)
    if turn_deg > 45:
        room = np.full(2, np.hypot(*CARD_MM) * random.uniform(0.85, 1.0))
    placed = []
    for n in range(count):
        at = room * np.array([n % columns, n // columns])
        turn = random.normal(0, turn_deg) if turn_deg < 45 else random.uniform(0, 360)
        placed.append(_place(at + random.normal(0, 1.2, 2), turn))
    return np.stack(placed)


def _loose(random: Random, count: int) -> Points:
    return _grid(random, count, 360.0)


_LAYOUTS: Final[dict[str, Callable[[Random, int], Points]]] = {
    "fan": _fan, "row": _row, "column": _column, "grid": _grid, "loose": _loose,
}  # fmt: skip


def _aim(
    random: Random, places: Points, size: tuple[int, int], *, any_way_up: bool
) -> NDArray[np.float64]:
    """Return the homography (3, 3) from mm to pixels that has all *places* in the picture."""
    yaw = random.normal(0, 12) if not any_way_up else random.integers(4) * 90 + random.normal(0, 8)
    tilt = np.radians(min(abs(random.normal(0, 14)), MAX_TILT_DEG))
    about = random.uniform(0, 2 * np.pi)
    axis = tilt * np.array([np.cos(about), np.sin(about), 0.0])
    turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, np.radians(yaw)]))[0]
    points = places.reshape(-1, 2)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    span = float(np.hypot(*np.ptp(points, axis=0)))
    far = span * random.uniform(1.2, 2.5)
    shifted = np.column_stack([turn[:, :2], -turn[:, :2] @ middle + np.array([0, 0, far])])
    seen = _project(shifted, points)
    low, high = seen.min(axis=0), seen.max(axis=0)
    free = random.uniform(*MARGIN) * min(size)
    scale = float(((np.array(size) - 2 * free) / (high - low)).min())
    centre = np.array(size) / 2 - scale * (low + high) / 2
    to_px = np.array([[scale, 0, centre[0]], [0, scale, centre[1]], [0, 0, 1]])
    return np.asarray(to_px @ shifted, np.float64)


def _project(homography: NDArray[np.float64], points: Points) -> Points:
    moved = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:], np.float64)


def _ground(random: Random, grounds: Sequence[Print], size: tuple[int, int]) -> Levels:
    ground = grounds[int(random.integers(len(grounds)))]
    ground = np.rot90(ground[:, :, random.permutation(3)], int(random.integers(4)))
    whole = cv2.resize(ground, (max(size), max(size)), interpolation=cv2.INTER_LINEAR)
    part = whole[: size[1], : size[0]]
    if random.random() < 0.6:
        part = cv2.GaussianBlur(part, (0, 0), random.uniform(1.0, 9.0))
    return np.ascontiguousarray(part, np.float32)


def _lay(random: Random, picture: Levels, art: NDArray[np.uint8], corners: Points) -> None:
    """Draw a card with the shadow that its edge throws."""
    high, wide = picture.shape[:2]
    mask = np.zeros((high, wide), np.float32)
    span = float(np.hypot(*(corners[2] - corners[0])))
    moved = corners + random.normal(0, 0.006 * span, 2)
    cv2.fillConvexPoly(mask, np.round(moved).astype(np.int32), random.uniform(0.1, 0.5))
    sigma = random.uniform(0.004, 0.012) * span
    picture *= 1.0 - np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma))[..., None]
    ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (np.array(SIZE_PX) - 1)
    scale = float(np.hypot(*(corners[3] - corners[0]))) / SIZE_PX[1]
    if scale < 0.8:
        art = np.asarray(cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        ends = ends * (np.array(art.shape[1::-1]) - 1) / (np.array(SIZE_PX) - 1)
    move = cv2.getPerspectiveTransform(ends.astype(np.float32), corners.astype(np.float32))
    laid = cv2.warpPerspective(art, move, (wide, high), flags=cv2.INTER_LINEAR)
    alpha = laid[..., 3:].astype(np.float32) / 255.0
    shade = np.float32(random.uniform(0.88, 1.05))
    picture += alpha * (laid[..., :3].astype(np.float32) * shade - picture)


def _draw_palm(
    random: Random, picture: Levels, places: Points, to_picture: NDArray[np.float64],
    skin: tuple[float, float, float],
) -> None:  # fmt: skip
    """Draw the hand behind a fan: fingers, and the arm below."""
    grip = _grip(places)
    line = _project(to_picture, np.array([grip + np.array([random.normal(0, 20), 170]), grip]))
    wide = _px_per_mm(to_picture, grip)
    draw_limb(picture, line, (36 * wide, 32 * wide), skin, random)
    for finger in range(4):
        tip = grip + np.array([-34 + random.normal(0, 4), -12 + 15 * finger])
        ends = _project(to_picture, np.array([grip + np.array([10, 14 * finger - 10]), tip]))
        draw_limb(picture, ends, (10 * wide, 8.5 * wide), skin, random)


def _draw_thumb(
    random: Random, picture: Levels, places: Points, to_picture: NDArray[np.float64],
    skin: tuple[float, float, float],
) -> None:  # fmt: skip
    """Draw the thumb that holds the fan, from below, over the cards that cross there."""
    grip = _grip(places)
    tip = grip + np.array([random.normal(0, 5), random.uniform(-26, -6)])
    root = grip + np.array([random.normal(20, 10), 60.0])
    wide = _px_per_mm(to_picture, grip) * random.uniform(*FINGER_MM)
    draw_limb(picture, _project(to_picture, np.array([root, tip])), (1.3 * wide, wide), skin,
              random, nail=True)  # fmt: skip


def _grip(places: Points) -> Points:
    """Return the middle of the cards' lower edges, in mm."""
    return np.asarray(places[:, 2:].mean(axis=(0, 1)))


def _px_per_mm(to_picture: NDArray[np.float64], at: Points) -> float:
    ends = _project(to_picture, at + np.array([[-5.0, 0.0], [5.0, 0.0]]))
    return float(np.hypot(*(ends[1] - ends[0]))) / 10.0


def light(random: Random, picture: Levels) -> Levels:
    """Return *picture* under a lamp, as a camera's settings show that."""
    high, wide = picture.shape[:2]
    lit = picture / np.float32(255)
    field = random.normal(0, random.uniform(0.02, 0.22), (3, 3)).astype(np.float32)
    lit *= np.exp(cv2.resize(field, (wide, high), interpolation=cv2.INTER_CUBIC))[..., None]
    warmth = random.normal(0, 0.12)
    gains = np.exp(np.array([-warmth, random.normal(0, 0.04), warmth]) + random.normal(-0.1, 0.22))
    lit = np.clip(lit * gains.astype(np.float32), 0, None) ** np.float32(random.uniform(0.8, 1.25))
    lit += np.float32(random.uniform(0, 0.05))
    return np.asarray(np.clip(lit * np.float32(255), 0, 255), np.float32)


def expose(random: Random, seen: Levels) -> Print:
    """Return what is *seen* through a lens, on a sensor and as a JPEG."""
    high, wide = seen.shape[:2]
    if random.random() < 0.6:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), random.uniform(0.3, 1.6)), np.float32)
    noise = random.standard_normal((high, wide, 3), np.float32) * np.float32(random.uniform(0, 7))
    taken = np.clip(seen + noise, 0, 255).astype(np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(55, 95))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", taken, quality)[1], cv2.IMREAD_COLOR))


def make_grounds(random: Random, count: int) -> list[Print]:
    """Return what hands lie on or are held before."""
    return [draw_any_ground(random) for _ in range(count)]
