"""Render photographs of single cards: any pose, bent, held, half in shadow, over any ground.

Nothing is photographed, so that what is trained on it may ship. Pictures are blue green red.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.card_decks import NO_COLOUR, DrawnCard
from rendering.card_grounds import (
    GROUND_PX,
    Levels,
    Points,
    draw_limb,
    draw_object,
    paste,
    random_quad,
    random_skin,
)
from rendering.drawn import CARD_MM
from rendering.prints import Print, Random, random_hue
from vision.cards.symbols import OTHER

ASPECTS: Final = (3 / 4, 3 / 4, 9 / 16, 1.0, 2 / 3)
CORNERS_MM: Final = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
"""Of a card about its centre, top left first."""
MOST: Final = 1.02
"""The longest card, over the longer side of the picture."""
MAX_TILT_DEG: Final = 55.0
MAX_OUT_SHARE: Final = 0.04
"""How far beyond the picture a corner may be, as a share of the longer side."""
MAX_SAG_MM: Final = 7.0
HELD: Final = 0.55
"""The share of cards that a hand holds."""
FAN: Final = 0.2
"""The share of cards that lie or are held over others."""
EMPTY: Final = 0.08
"""The share of pictures without a card."""
SHARPENED: Final = 0.4
"""The share of pictures whose edges the camera has made harder than they are, as phones do."""


@dataclass(frozen=True, slots=True)
class Framing:
    """How large a photograph is, in pixels along its longer side, and a card in it at least.

    least: length of the card over the longer side.
    """

    long_px: int
    least: float


WIDE: Final = Framing(384, 0.2)
CLOSE: Final = Framing(232, 0.6)
"""A card anywhere, and one that fills the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """What scenes are made of."""

    cards: Sequence[DrawnCard]
    grounds: Sequence[Print]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A photograph and what it shows.

    corners: (4, 2) float64 in pixels, the card's top left first, clockwise; None without a card.
    covered: share of the card behind fingers.
    """

    picture: Print
    corners: Points | None
    colour: str
    symbol: str
    covered: float


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    """Where a card is: a rotation (3, 3), its centre in pixels, focal length over distance."""

    turn: NDArray[np.float64]
    centre: Points
    focal_px: float
    distance_mm: float
    sag: float
    bend: Points

    def project(self, mm: Points) -> Points:
        """Return the pixels (..., 2) of places (..., 2) on the card, in mm about its centre."""
        along = mm @ self.bend
        depth = self.sag * (along / 43.5) ** 2
        places = mm @ self.turn[:, :2].T + depth[..., None] * self.turn[:, 2]
        scale = self.focal_px / (self.distance_mm + places[..., 2:])
        return np.asarray(self.centre + places[..., :2] * scale, np.float64)


def render_scene(random: Random, stock: Stock, framing: Framing = WIDE) -> Scene:
    """Return one photograph."""
    aspect = float(random.choice(ASPECTS))
    size = (framing.long_px, round(framing.long_px * aspect))
    size = size if random.random() < 0.55 else (size[1], size[0])
    picture = _lay_ground(random, stock, size)
    if random.random() < EMPTY:
        _draw_empty_hand(random, picture)
        return Scene(_photograph(random, picture), None, NO_COLOUR, OTHER, 0.0)
    card, pose = (
        stock.cards[int(random.integers(len(stock.cards)))],
        _random_pose(random, size, framing),
    )
    corners = pose.project(CORNERS_MM)
    skin, held = random_skin(random), random.random() < HELD
    if held:
        _draw_back_of_hand(random, picture, pose, skin)
    elif random.random() < 0.6:
        _drop_shadow(random, picture, corners)
    if random.random() < FAN:
        _draw_others(random, picture, pose, stock)
    shown = _draw_card(random, picture, card, pose)
    covered = np.zeros(shown.shape, np.bool_)
    if held or random.random() < 0.15:
        covered = _draw_front_fingers(random, picture, pose, skin)
    share = float((covered & shown).sum() / max(shown.sum(), 1))
    return Scene(_photograph(random, picture), corners, card.colour, card.symbol, share)


def _lay_ground(random: Random, stock: Stock, size: tuple[int, int]) -> Levels:
    """Return a part of a ground, turned, with things on it, out of focus or not."""
    ground = stock.grounds[int(random.integers(len(stock.grounds)))]
    if random.random() < 0.5:
        ground = np.asarray(ground[:, :, random.permutation(3)])
    ground = np.rot90(ground, int(random.integers(4)))
    left, top = (int(random.integers(0, GROUND_PX - side + 1)) for side in size)
    part = np.ascontiguousarray(ground[top : top + size[1], left : left + size[0]])
    for _ in range(int(random.integers(0, 5))):
        paste(part, draw_object(random), random_quad(random, max(size)))
    if random.random() < 0.3:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), random.uniform(1.0, 7.0)), np.uint8)
    return part.astype(np.float32)


def _random_pose(random: Random, size: tuple[int, int], framing: Framing) -> _Pose:
    while True:
        share = float(np.exp(random.uniform(np.log(framing.least), np.log(MOST))))
        length = framing.long_px * share
        yaw = random.uniform(0, 2 * np.pi)
        if random.random() < 0.6:
            yaw = random.integers(4) * np.pi / 2 + random.normal(0, 0.2)
        tilt = np.radians(min(abs(random.normal(0, 22)), MAX_TILT_DEG))
        about = random.uniform(0, 2 * np.pi)
        axis = tilt * np.array([np.cos(about), np.sin(about), 0.0])
        turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, yaw]))[0]
        distance = float(np.exp(random.uniform(np.log(130), np.log(700))))
        sag = random.normal(0, MAX_SAG_MM / 2.2) if random.random() < 0.5 else 0.0
        bend = random.choice([0.0, np.pi / 2, np.pi / 2, random.uniform(0, np.pi)])
        centre = np.array(size) * random.uniform(0.1, 0.9, 2)
        if random.random() < 0.5:
            centre = np.array(size) * np.clip(random.normal(0.5, 0.08, 2), 0.0, 1.0)
        pose = _Pose(
            np.asarray(turn, np.float64), centre, length * distance / CARD_MM[1], distance,
            float(np.clip(sag, -MAX_SAG_MM, MAX_SAG_MM)),
            np.array([np.cos(bend), np.sin(bend)]),
        )  # fmt: skip
        corners = pose.project(CORNERS_MM)
        slack = MAX_OUT_SHARE * framing.long_px
        if (corners > -slack).all() and (corners < np.array(size) + slack).all():
            return pose


def _scale_of(pose: _Pose) -> float:
    return pose.focal_px / pose.distance_mm


def _draw_card(random: Random, picture: Levels, card: DrawnCard, pose: _Pose) -> NDArray[np.bool_]:
    """Draw *card* with its bend, shade and glare; return which pixels it fills."""
    low = np.clip(np.floor(pose.project(_outline()).min(axis=0)) - 2, 0, None).astype(int)
    high = np.ceil(pose.project(_outline()).max(axis=0)).astype(int) + 3
    part = picture[low[1] : high[1], low[0] : high[0]]
    mm = _find_places(part.shape[:2], low, pose)
    art, px_per_mm = card.picture, card.picture.shape[0] / CARD_MM[1]
    if _scale_of(pose) < 0.8 * px_per_mm:
        shrink = max(_scale_of(pose) / px_per_mm, 0.15) * 1.15
        small = cv2.resize(art, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        art = np.asarray(small, np.uint8)
    steps = np.array(art.shape[1::-1]) / np.array(CARD_MM)
    at = ((mm + np.array(CARD_MM) / 2) * steps - 0.5).astype(np.float32)
    laid = cv2.remap(art, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    alpha = laid[..., 3:].astype(np.float32) / 255.0
    level = laid[..., :3].astype(np.float32) * _shade(random, mm, pose)[..., None]
    part += alpha * (level + _glare(random, mm)[..., None] - part)
    shown = np.zeros(picture.shape[:2], np.bool_)
    shown[low[1] : high[1], low[0] : high[0]] = alpha[..., 0] > 0.5
    return shown


def _outline() -> Points:
    """Return places along a card's edge in mm: bent edges go beyond the corners."""
    steps = np.linspace(0, 1, 9)[:, None]
    nexts = np.roll(CORNERS_MM, -1, axis=0)
    sides = [a + steps * (b - a) for a, b in zip(CORNERS_MM, nexts, strict=True)]
    return np.concatenate(sides)


def _find_places(shape: tuple[int, ...], low: NDArray[np.int_], pose: _Pose) -> Points:
    """Return what places (rows, columns, 2) of the card, in mm, the pixels from *low* on show."""
    corners = pose.project(CORNERS_MM).astype(np.float32)
    moved = cv2.getPerspectiveTransform(corners, CORNERS_MM.astype(np.float32))
    back = np.asarray(moved, np.float64)
    forth = np.asarray(np.linalg.inv(back), np.float64)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float64)
    pixels = np.dstack([x + low[0], y + low[1]])
    mm = _move(back, pixels)
    for _ in range(3 if pose.sag else 0):
        near = np.clip(mm, -60, 60)
        mm = _move(back, pixels - (pose.project(near) - _move(forth, near)))
    return mm


def _move(homography: NDArray[np.float64], points: Points) -> Points:
    moved = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:], np.float64)


def _shade(random: Random, mm: Points, pose: _Pose) -> Levels:
    slope = 2 * pose.sag * (mm @ pose.bend) / 43.5**2
    shade = random.uniform(0.75, 1.1) + random.uniform(-1.0, 1.0) * slope
    return np.asarray(np.clip(shade, 0.4, 1.5), np.float32)


def _glare(random: Random, mm: Points) -> Levels:
    """Return what a lamp mirrored in the varnish adds: a spot or a streak."""
    if random.random() < 0.6:
        return np.zeros(mm.shape[:2], np.float32)
    angle = random.uniform(0, np.pi)
    away = mm - random.uniform(-0.6, 0.6, 2) * np.array(CARD_MM)
    along = away @ np.array([np.cos(angle), np.sin(angle)])
    across = away @ np.array([-np.sin(angle), np.cos(angle)])
    far = (along / random.uniform(15, 80)) ** 2 + (across / random.uniform(6, 30)) ** 2
    return np.asarray(random.uniform(10, 150) * np.exp(-far), np.float32)


def _drop_shadow(random: Random, picture: Levels, corners: Points) -> None:
    mask = np.zeros(picture.shape[:2], np.float32)
    span = float(np.hypot(*np.ptp(corners, axis=0)))
    moved = corners + random.normal(0, 0.02 * span, 2)
    cv2.fillConvexPoly(mask, np.round(moved).astype(np.int32), random.uniform(0.15, 0.7))
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), random.uniform(0.5, 0.02 * span + 1)))
    picture *= 1.0 - mask[..., None]


def _draw_others(random: Random, picture: Levels, pose: _Pose, stock: Stock) -> None:
    """Draw one to four cards below the card, as in a fan or a pile."""
    count, step = int(random.integers(1, 5)), random.normal(0, 0.25)
    for number in range(count, 0, -1):
        turn = cv2.Rodrigues(np.array([0.0, 0.0, step * number + random.normal(0, 0.05)]))[0]
        shift = np.array([random.normal(0, 12), random.normal(0, 16)]) * _scale_of(pose)
        other = _Pose(
            pose.turn @ turn, pose.centre + shift, pose.focal_px, pose.distance_mm, 0.0, pose.bend
        )
        ends = other.project(CORNERS_MM)
        if ends.max() < -5 or (ends.min(axis=0) > picture.shape[1::-1]).any():
            continue
        _draw_card(random, picture, stock.cards[int(random.integers(len(stock.cards)))], other)


def _grip(random: Random) -> tuple[Points, Points]:
    """Return a place on the card's edge in mm, and the direction from there into the card."""
    side = int(random.choice([0, 1, 2, 2, 2, 3]))
    start, end = CORNERS_MM[side], CORNERS_MM[(side + 1) % 4]
    place = start + random.uniform(0.02, 0.98) * (end - start)
    inwards = -place / np.hypot(*place)
    angle = random.normal(0, 0.5)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return place, turn @ inwards


def _draw_front_fingers(
    random: Random, picture: Levels, pose: _Pose, skin: tuple[float, float, float]
) -> NDArray[np.bool_]:
    """Draw one to three fingers over the card's edges; return what they cover."""
    covered = np.zeros(picture.shape[:2], np.bool_)
    for _ in range(int(random.choice([1, 1, 1, 2, 2, 3]))):
        place, inwards = _grip(random)
        tip = place + inwards * random.uniform(1.0, 24.0)
        line = pose.project(np.array([place - inwards * random.uniform(30, 90), tip]))
        wide = random.uniform(7.0, 10.0) * _scale_of(pose)
        radius = (wide * random.uniform(1.0, 1.4), wide)
        nail = bool(random.random() < 0.6)
        covered |= draw_limb(picture, line, radius, skin, random, nail=nail)
    return covered


def _draw_back_of_hand(
    random: Random, picture: Levels, pose: _Pose, skin: tuple[float, float, float]
) -> None:
    """Draw an arm, a palm and fingers that the card will cover in part."""
    scale = _scale_of(pose)
    place, inwards = _grip(random)
    palm = place - inwards * random.uniform(-20, 40)
    root = palm - inwards * random.uniform(100, 250)
    arm = pose.project(np.array([root, palm]))
    sleeve = random_hue(random, (0.0, 0.9), (0.05, 0.9))
    if random.random() < 0.8:
        draw_limb(picture, arm, (32 * scale, 30 * scale), skin, random)
        if random.random() < 0.5:
            cuff = arm + (arm[0] - arm[1]) * random.uniform(0.2, 0.6)
            draw_limb(picture, cuff, (42 * scale, 40 * scale), sleeve, random)
    across = np.array([-inwards[1], inwards[0]])
    for finger in range(int(random.integers(0, 5))):
        start = palm + across * 17 * (finger - 1.5)
        tip = start + inwards * random.uniform(30, 100) + across * random.normal(0, 14)
        wide = random.uniform(7, 9.5) * scale
        draw_limb(picture, pose.project(np.array([start, tip])), (1.2 * wide, wide), skin, random)


def _draw_empty_hand(random: Random, picture: Levels) -> None:
    """Draw fingers that hold nothing, now and then."""
    skin = random_skin(random)
    for _ in range(int(random.integers(0, 6))):
        line = random.uniform(-0.1, 1.1, (2, 2)) * np.array(picture.shape[1::-1])
        wide = random.uniform(10, 50)
        draw_limb(picture, line, (wide, wide), skin, random, nail=bool(random.random() < 0.5))


def _photograph(random: Random, picture: Levels) -> Print:
    """Return *picture* under a lamp, through a lens, on a sensor and as a JPEG."""
    high, wide = picture.shape[:2]
    lit = picture * np.float32(1 / 255)
    if random.random() < 0.7:
        field = random.normal(0, random.uniform(0.02, 0.3), (3, 3)).astype(np.float32)
        lit *= np.exp(cv2.resize(field, (wide, high), interpolation=cv2.INTER_CUBIC))[..., None]
    if random.random() < 0.35:
        lit *= _cast_shadow(random, (high, wide))[..., None]
    warmth = random.normal(0, 0.13)
    gains = np.exp(np.array([-warmth, random.normal(0, 0.05), warmth]) + random.normal(-0.12, 0.3))
    lit *= gains.astype(np.float32)
    lit = np.asarray(cv2.pow(np.maximum(lit, 0), random.uniform(0.75, 1.3)), np.float32)
    strength = random.uniform(0.55, 1.25)
    mix = strength * np.eye(3) + (1 - strength) / 3
    lit = np.asarray(cv2.transform(lit, mix.astype(np.float32)), np.float32)
    lit += np.float32(random.uniform(0, 0.06))
    seen = np.clip(lit * np.float32(255), 0, 255)
    if random.random() < 0.25:
        small = cv2.resize(seen, None, fx=(shrink := random.uniform(0.4, 0.9)), fy=shrink,
                           interpolation=cv2.INTER_AREA)  # fmt: skip
        seen = cv2.resize(small, (wide, high), interpolation=cv2.INTER_LINEAR)
    if random.random() < 0.5:
        seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.3, 1.7))
    if random.random() < 0.15:
        kernel = np.zeros((9, 9), np.float32)
        reach = random.uniform(-4, 4, 2)
        ends = [(round(4 + sign * reach[0]), round(4 + sign * reach[1])) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0)
        seen = cv2.filter2D(seen, -1, kernel / kernel.sum())
    if random.random() < SHARPENED:
        soft = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.6, 2.2))
        seen = seen + np.float32(random.uniform(0.3, 1.8)) * (seen - soft)
    noise = random.standard_normal((high, wide, 3), np.float32) * np.float32(random.uniform(0, 9))
    taken = np.clip(seen + noise, 0, 255).astype(np.uint8)
    if random.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 95))]
        taken = cv2.imdecode(cv2.imencode(".jpg", taken, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(taken, np.uint8)


def _cast_shadow(random: Random, shape: tuple[int, int]) -> Levels:
    """Return how much light comes past something that stands near the lamp."""
    mask = np.ones(shape, np.float32)
    points = random_quad(random, max(shape)) * random.uniform(0.8, 1.6)
    cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), random.uniform(0.3, 0.85))
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), random.uniform(0.7, 14.0)), np.float32)
