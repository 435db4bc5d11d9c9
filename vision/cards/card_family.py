"""Registered cards of one design, and how a photograph differs from each of them, part by part.

They are laid over each other once, in the same light, so that it is known where they differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_alignment import Grid, Levels, align, even_light, turn
from vision.cards.card_light import match_light
from vision.cards.shown_card import KEPT_PX

COMPARED_PX: Final = (252, 168)
"""Rows and columns at which cards are compared: 2.9 pixels a mm."""
PART_PX, STEP_PX = 14, 7
"""Side of a part, 4.8 mm, and the distance between parts."""
MEMBER_AGREEMENT: Final = 0.3
"""From which agreement on a card is of the same design."""
NOISE_LEVELS: Final = 14.0
"""Noise of a part that is plain: where two cards are about as plain, they do not differ."""
SHADE_LEVELS: Final = 18.0
"""How much darker or brighter a part may be for nothing: light changes from place to place."""
MIN_STRENGTH, MAX_STRENGTH = 0.55, 1.7
"""How weak or strong a print may look, over how it is kept: blur, glare, exposure."""
DIFFERENT: Final = 0.3
"""From which difference on two parts do not look the same; the same ones have 0.02 to 0.1."""
MIN_SHARE: Final = 0.06
"""Of all pairs of cards, how many differ in a part for it to tell cards from each other."""
MIN_FAMILY: Final = 8
"""From how many cards on it is known in which parts cards of a design may differ at all."""
LIGHT_ROUNDS: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """What cards of a family share.

    count: from how many it was found.  evened: of the middle of all, to align others to.
    middle: (*COMPARED_PX, 3), their median, in whose light all are.  alike: (*COMPARED_PX) 0 to
    1, where they are printed alike.  ground: (3,) the mean colour there.
    """

    count: int
    evened: Levels
    middle: Levels
    alike: Levels
    ground: Levels

    def light(self, laid: Picture) -> Levels:
        """Return a card, laid over the middle, in its light, about the ground (*COMPARED_PX, 3)."""
        return match_light(reduce(laid), self.middle, self.alike) - self.ground


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Cards of one design.

    members: their places in the register.  design: what was found from the first of them.  lit:
    (members, *COMPARED_PX, 3), all over each other, in one light, about the ground.  distances:
    (members, all parts, members), how two cards differ.  telling: (all parts,), where cards of the
    design may differ.  prints: (parts, pixels, members), the telling parts alone.  apart:
    (members, parts, members), of *distances*.
    """

    members: tuple[int, ...]
    design: "Design"
    lit: Levels
    distances: Levels
    telling: NDArray[np.bool_]
    prints: Levels
    apart: Levels

    def mark_telling(self) -> NDArray[np.bool_]:
        """Return which pixels of a card (*KEPT_PX) are in telling parts."""
        marked = np.zeros(COMPARED_PX, np.uint8)
        for row, column in zip(*np.nonzero(self.telling.reshape(part_rows())), strict=True):
            top, left = row * STEP_PX, column * STEP_PX
            marked[top : top + PART_PX, left : left + PART_PX] = 1
        return cv2.resize(marked, KEPT_PX[::-1], interpolation=cv2.INTER_NEAREST) > 0

    def compare(self, laid: Picture) -> Grid:
        """Return how a card, laid over the middle, differs from each member (parts, members).

        0 is the same, about 1 something else.
        """
        light = self.design.light(laid)
        own = (self.prints**2).sum(axis=1)
        means = self.prints.mean(axis=1)
        best = np.full(own.shape, np.inf)
        for moved in _shift(light):
            parts = cut_parts(moved)[self.telling]
            with_own = np.matmul(parts[:, None], self.prints)[:, 0]
            square, mean = (parts**2).sum(axis=1)[:, None], parts.mean(axis=1)[:, None]
            best = np.minimum(best, _difference((square, mean), with_own, (own, means)))
        return best


def reduce(picture: Picture) -> Levels:
    """Return a card's picture at COMPARED_PX."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    small = cv2.resize(soft, COMPARED_PX[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def part_rows() -> tuple[int, int]:
    """Return how many rows and columns of parts a card has."""
    rows, columns = ((side - PART_PX) // STEP_PX + 1 for side in COMPARED_PX)
    return rows, columns


def cut_parts(levels: Levels) -> Levels:
    """Return the parts of a card (parts, pixels), row by row."""
    windows = np.lib.stride_tricks.sliding_window_view(levels, (PART_PX, PART_PX), axis=(0, 1))
    steps = np.moveaxis(windows[::STEP_PX, ::STEP_PX], 2, -1)
    return np.ascontiguousarray(steps).reshape(-1, PART_PX * PART_PX * 3)


def group_cards(pictures: Sequence[Picture]) -> list[Family]:
    """Return the designs of the cards with those *pictures* (*KEPT_PX, 3), each card in one."""
    families, left = [], list(range(len(pictures)))
    while left:
        evened = even_light(pictures[left[0]])
        found = {each: align(evened, turn(pictures[each])) for each in left[1:]}
        members = [left[0]] + [
            each for each, laid in found.items() if laid and laid.agreement >= MEMBER_AGREEMENT
        ]
        laid = [pictures[left[0]]] + [
            each.picture for number in members[1:] if (each := found[number]) is not None
        ]
        families.append(_make_family(members, laid))
        left = [each for each in left if each not in members]
    return families


def join(family: Family, pictures: Mapping[int, Picture]) -> Family:
    """Return *family* and those of the *pictures*, by their places, that are of its design.

    Only the new ones are laid over it and compared; what it shares is left as it was found.
    """
    found = {place: align(family.design.evened, turn(each)) for place, each in pictures.items()}
    laid = {
        place: each.picture
        for place, each in found.items()
        if each is not None and each.agreement >= MEMBER_AGREEMENT
    }
    if not laid:
        return family
    new = np.stack([family.design.light(each) for each in laid.values()])
    lit, count = np.concatenate([family.lit, new]), len(family.members)
    prints, size = _cut_prints(lit), count + len(new)
    distances = np.empty((size, prints.shape[0], size), np.float32)
    distances[:count, :, :count] = family.distances
    distances[count:] = _compare_members(prints[..., count:], prints)
    distances[:count, :, count:] = distances[count:, :, :count].transpose(2, 1, 0)
    return _finish((*family.members, *laid), family.design, lit, prints, distances)


def choose(family: Family, places: Mapping[int, int]) -> Family:
    """Return of *family* the members that have a new place in *places*, there."""
    kept = [number for number, each in enumerate(family.members) if each in places]
    members = tuple(places[family.members[number]] for number in kept)
    if len(kept) == len(family.members):
        return replace(family, members=members)
    lit, distances = family.lit[kept], family.distances[kept][..., kept]
    return _finish(members, family.design, lit, _cut_prints(lit), distances)


def _make_family(members: list[int], laid: list[Picture]) -> Family:
    """Return the family of cards whose pictures were *laid* over the first."""
    if len(members) > 2:  # the first may be the worst picture of all
        middle = even_light(np.median(np.stack(laid), axis=0).astype(np.uint8))
        again = (align(middle, (each,)) for each in laid)
        laid = [new.picture if new else old for new, old in zip(again, laid, strict=True)]
    evened = even_light(np.median(np.stack(laid), axis=0).astype(np.uint8))
    own = [reduce(each) for each in laid]
    middle, alike = np.median(np.stack(own), axis=0), np.ones(COMPARED_PX, np.float32)
    lit = np.stack(own)
    for _ in range(LIGHT_ROUNDS if len(own) > 1 else 0):
        lit = np.stack([match_light(each, middle, alike) for each in own])
        middle = np.median(lit, axis=0).astype(np.float32)
        alike = _find_alike(lit, middle)
    inner = (slice(30, -30), slice(22, -22))
    weights = np.maximum(alike[inner].ravel(), 1e-3)
    ground = np.average(middle[inner].reshape(-1, 3), axis=0, weights=weights).astype(np.float32)
    design = Design(len(members), evened, np.asarray(middle, np.float32), alike, ground)
    lit = lit - ground
    prints = _cut_prints(lit)
    distances = _compare_members(prints, prints)
    return _finish(tuple(members), design, lit, prints, distances)


def _finish(
    members: tuple[int, ...], design: Design, lit: Levels, prints: Levels, distances: Levels
) -> Family:
    """Return the family; prints: (all parts, pixels, members)."""
    telling = _find_telling(prints, distances)
    shown = np.ascontiguousarray(prints[telling])
    return Family(members, design, lit, distances, telling, shown, distances[:, telling])


def _cut_prints(lit: Levels) -> Levels:
    return np.stack([cut_parts(each) for each in lit], axis=-1)


def _find_alike(lit: Levels, middle: Levels) -> Levels:
    """Return how surely each pixel is printed alike in most pictures (n, *COMPARED_PX, 3)."""
    off = np.percentile(np.abs(lit - middle).max(axis=-1), 75, axis=0)
    usual = max(10.0, 1.6 * float(np.percentile(off, 40)))
    weights = (1 / (1 + (off / usual) ** 4)).astype(np.float32)
    return np.asarray(cv2.erode(weights, np.ones((3, 3))), np.float32)


def _compare_members(some: Levels, prints: Levels) -> Levels:
    """Return how *some* cards differ from all (some, parts, members), by their prints."""
    gram = np.matmul(some.transpose(0, 2, 1), prints).transpose(1, 0, 2)  # some, part, member
    sizes = [((each**2).sum(axis=1), each.mean(axis=1)) for each in (some, prints)]
    (own, means), kept = sizes
    apart = _difference((own.T[:, :, None], means.T[:, :, None]), gram, kept)
    square, mean = (each.T[:, :, None] for each in kept)
    back = _difference((square, mean), gram.transpose(2, 1, 0), (own, means))
    return np.minimum(apart, back.transpose(2, 1, 0)).astype(np.float32)


def _difference(
    seen: tuple[Levels, Levels], product: Levels, kept: tuple[Levels, Levels]
) -> NDArray[np.float32]:
    """Return how parts differ from those of cards, by their squares, means and product."""
    (square, mean), (own, own_mean) = seen, kept
    pixels = PART_PX * PART_PX * 3
    strength = np.clip(product / np.maximum(own, 1.0), MIN_STRENGTH, MAX_STRENGTH)
    shade = np.abs(mean - strength * own_mean)
    for_nothing = pixels * (shade**2 - np.maximum(shade - SHADE_LEVELS, 0) ** 2)
    off = square - 2 * strength * product + strength**2 * own - for_nothing
    return np.asarray(off / (np.maximum(square, own) + pixels * NOISE_LEVELS**2), np.float32)


def _find_telling(prints: Levels, apart: Levels) -> NDArray[np.bool_]:
    """Return in which parts cards of the design may differ: where these do, if they are many."""
    telling = np.zeros(part_rows(), np.bool_)
    telling[1:-1, 1:-1] = True
    flat = telling.ravel()
    if len(apart) >= MIN_FAMILY:
        return np.asarray(flat & ((apart > DIFFERENT).mean(axis=(0, 2)) > MIN_SHARE))
    pixels = PART_PX * PART_PX * 3
    printed = ((prints**2).sum(axis=1) > 2 * pixels * NOISE_LEVELS**2).any(axis=1)
    return np.asarray(flat & printed)


def _shift(levels: Levels) -> Iterator[Levels]:
    """Yield *levels* moved by up to one pixel in each direction."""
    padded = cv2.copyMakeBorder(levels, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    rows, columns = levels.shape[:2]
    for down in range(3):
        for right in range(3):
            yield np.ascontiguousarray(padded[down : down + rows, right : right + columns])
