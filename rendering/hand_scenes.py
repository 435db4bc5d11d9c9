"""Render photographs of hands of cards at a round's end: fanned, overlapping, or laid out.

All cards of a hand are one printer's. Nothing is photographed. Pictures are blue green red.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.black_cards import SIZE_PX
from rendering.card_decks import NO_COLOUR, SYMBOL_CLASSES
from rendering.card_grounds import (
    Levels,
    Points,
    draw_any_ground,
    draw_limb,
    random_skin,
)
from rendering.drawn import CARD_MM
from rendering.hand_layouts import LAYOUTS
from rendering.hand_printers import Printer
from rendering.prints import Print, Random
from vision.cards.card_kinds import CARD_COLOURS
from vision.cards.card_rectification import CORNERS_MM
from vision.cards.index_finder import INDEX_MM
from vision.cards.symbols import OTHER

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
MIXED: Final = (0.25, 0.25)
"""How many hands have cards of another game between, and how many of their cards those are."""
COVERING: Final = 0.3
"""How many fans have a child's thumb on the index of a card."""
INDEX_SIZE_MM: Final = np.array([9.0, 11.0])
"""About how large an index is."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card of a hand.

    colour, symbol: its name; NO_COLOUR and OTHER if it is not of the deck.  corners: (4, 2) in
    pixels of the picture.  seen: how much of each of its two indices is, from 0 to 1.
    """

    colour: str
    symbol: str
    corners: Points
    seen: tuple[float, float]

    @property
    def is_of_deck(self) -> bool:
        """Whether it is a card of the game."""
        return self.colour != NO_COLOUR


@dataclass(frozen=True, slots=True, eq=False)
class HandScene:
    """A photograph of a hand.  cards: from the lowest to the one on top of all."""

    picture: Print
    kind: str
    cards: tuple[LaidCard, ...]


def render_hand(
    random: Random,
    printer: Printer,
    grounds: Sequence[Print],
    kind: str = "",
    long_px: tuple[int, int] = LONG_PX,
) -> HandScene:
    """Return one photograph of a hand that somebody may have left at the end of a round.

    Cards of another game may lie between.  long_px: from where to where its longer side is.
    """
    kind = kind or any_kind(random)
    strange = MIXED[1] if random.random() < MIXED[0] else 0.0
    names = deal(random, any_count(random, kind), strange)
    return render_cards(random, printer, grounds, kind, names, int(random.uniform(*long_px)))


class Draws(Protocol):
    """What draws a card by its name."""

    def draw(self, random: Random, colour: str, symbol: str) -> NDArray[np.uint8]:
        """Return a card (348, 224, 4), with how much of each pixel it fills."""


def render_cards(
    random: Random, printer: Draws, grounds: Sequence[Print], kind: str,
    names: Sequence[tuple[str, str]], long_px: int,
) -> HandScene:  # fmt: skip
    """Return one photograph, as long as that, of cards with those *names*.

    Of a fan an index may be covered.
    """
    covering = COVERING if kind == "fan" else 0.0
    picture, cards = draw_cards(random, printer, grounds, kind, names, long_px, covering)
    return HandScene(expose(random, light(random, picture)), kind, cards)


def draw_hand(
    random: Random, printer: Printer, grounds: Sequence[Print], kind: str = "", count: int = 0,
    long_px: int = 0,
) -> tuple[Levels, str, tuple[LaidCard, ...]]:  # fmt: skip
    """Return a hand as it lies there, its colours as printed, its kind and its cards.

    0 leaves a number to chance.  count: of its cards.  long_px: the longer side of the picture.
    """
    kind = kind or any_kind(random)
    names = deal(random, count or any_count(random, kind))
    long_px = long_px or int(random.uniform(*LONG_PX))
    picture, cards = draw_cards(random, printer, grounds, kind, names, long_px)
    return picture, kind, cards


def any_kind(random: Random) -> str:
    """Return one of KINDS, most often a fan."""
    return str(random.choice(KINDS, p=[0.4, 0.15, 0.1, 0.2, 0.15]))


def any_count(random: Random, kind: str) -> int:
    """Return how many cards a hand of that *kind* has."""
    return int(random.integers(1 if kind in ("grid", "loose") else 2, 11))


def draw_cards(
    random: Random, printer: Draws, grounds: Sequence[Print], kind: str,
    names: Sequence[tuple[str, str]], long_px: int, covering: float = 0.0,
) -> tuple[Levels, tuple[LaidCard, ...]]:  # fmt: skip
    """Return cards with those *names* as they lie there, and where they are.

    covering: how likely a finger is on the index of one.
    """
    places = LAYOUTS[kind](random, len(names))  # (n, 4, 2) mm on the table
    size = (long_px, round(long_px * 0.75))
    size = size if random.random() < 0.5 else (size[1], size[0])
    to_picture = _aim(random, places, size, any_way_up=kind != "fan")
    picture = _ground(random, grounds, size)
    skin = random_skin(random)
    if kind == "fan":
        _draw_palm(random, picture, places, to_picture, skin)
    quads = [_project(to_picture, each) for each in places]
    for (colour, symbol), corners in zip(names, quads, strict=True):
        _lay(random, picture, printer.draw(random, colour, symbol), corners)
    covered = np.zeros(picture.shape[:2], np.bool_)
    if kind == "fan":
        covered |= _draw_thumb(random, picture, places, to_picture, skin)
    if random.random() < covering:
        covered |= _cover_index(random, picture, places, to_picture, skin)
    return picture, tuple(
        LaidCard(*name, quad, _measure_seen(quad, quads[number + 1 :], covered))
        for number, (name, quad) in enumerate(zip(names, quads, strict=True))
    )


def locate_indices(corners: Points) -> Points:
    """Return the corners (2, 4, 2) of both index places of a card with those *corners* (4, 2)."""
    around = INDEX_SIZE_MM / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    ends = np.stack([INDEX_MM + around, np.array(CARD_MM) - INDEX_MM + around])
    return locate_on_card(corners, ends)


def locate_on_card(corners: Points, at_mm: Points) -> Points:
    """Return where the places *at_mm* (n, m, 2) of a card with those *corners* (4, 2) are."""
    move = cv2.getPerspectiveTransform(CORNERS_MM.astype(np.float32), corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(at_mm, move), np.float64)


def _measure_seen(
    corners: Points, above: Sequence[Points], covered: NDArray[np.bool_]
) -> tuple[float, float]:
    """Return how much is seen of both indices of a card that others lie *above*."""
    seen = []
    for place in locate_indices(corners):
        low = np.floor(place.min(axis=0)).astype(int)
        size = np.ceil(place.max(axis=0)).astype(int) - low + 1
        own = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(own, np.round(place - low).astype(np.int32), 1)
        whole = int(own.sum())
        for other in above:
            cv2.fillConvexPoly(own, np.round(other - low).astype(np.int32), 0)
        (left, top), (rows, columns) = np.maximum(low, 0), covered.shape
        inside = own[top - low[1] : rows - low[1], left - low[0] : columns - low[0]]
        free = ~covered[top : top + inside.shape[0], left : left + inside.shape[1]]
        seen.append(float((inside * free).sum()) / max(whole, 1))
    return seen[0], seen[1]


def deal(random: Random, count: int, strange: float = 0.0) -> list[tuple[str, str]]:
    """Return *count* cards of a deck, of which such a share is of another game."""
    dealt: list[tuple[str, str]] = []
    while len(dealt) < count:
        chance = random.random()
        if chance < RARE:
            dealt.append(("wild", "wild"))
        elif chance < 1.5 * RARE:
            dealt.append(("wild", "tiki"))
        elif random.random() < strange:
            dealt.append((NO_COLOUR, OTHER))
        else:
            card = (str(random.choice(CARD_COLOURS)), str(random.choice(SYMBOL_CLASSES[:12])))
            if dealt.count(card) < (1 if card[1] == "0" else COPIES):
                dealt.append(card)
    return dealt


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
) -> NDArray[np.bool_]:  # fmt: skip
    """Draw the thumb that holds the fan, from below, over the cards that cross there.

    Return which pixels it covers.
    """
    grip = _grip(places)
    tip = grip + np.array([random.normal(0, 5), random.uniform(-26, -6)])
    root = grip + np.array([random.normal(20, 10), 60.0])
    wide = _px_per_mm(to_picture, grip) * random.uniform(*FINGER_MM)
    ends = _project(to_picture, np.array([root, tip]))
    return draw_limb(picture, ends, (1.3 * wide, wide), skin, random, nail=True)


def _cover_index(
    random: Random, picture: Levels, places: Points, to_picture: NDArray[np.float64],
    skin: tuple[float, float, float],
) -> NDArray[np.bool_]:  # fmt: skip
    """Draw a finger that comes from above onto one card's index; return which pixels it covers."""
    number = int(random.integers(len(places)))
    tip = places[number, 0] + INDEX_MM + random.normal(0, 5, 2)
    root = tip + np.array([random.normal(0, 15), -60.0])
    wide = 0.75 * _px_per_mm(to_picture, tip) * random.uniform(*FINGER_MM)
    ends = _project(to_picture, np.array([root, tip]))
    return draw_limb(picture, ends, (1.2 * wide, wide), skin, random, nail=True)


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
