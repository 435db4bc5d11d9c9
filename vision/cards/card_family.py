"""Registered cards of one design, and how a photograph differs from each, cell by cell.

They are registered to each other once and relit, so that it is known where they differ.
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
CELL_PX: Final = 14
"""Side of a cell: 4.8 mm."""
STEP_PX: Final = 7
"""Distance between neighbouring cells, which overlap."""
MEMBER_AGREEMENT: Final = 0.3
"""From this registration agreement on a card is of the same design."""
NOISE_LEVELS: Final = 14.0
"""Standard deviation of noise in a uniform cell: two cards that are both uniform do not differ."""
MAX_OFFSET_LEVELS: Final = 18.0
"""Difference in brightness of a cell that is ignored: illumination varies over a card."""
MIN_STRENGTH: Final = 0.55
"""Least contrast of a print, as a factor of its template's: blur and glare weaken it."""
MAX_STRENGTH: Final = 1.7
"""Greatest contrast of a print, as a factor of its template's."""
DIFFERENT: Final = 0.3
"""From this difference on two cells look different; the same ones have 0.02 to 0.1."""
MIN_SHARE: Final = 0.06
"""Share of all pairs of cards that must differ in a discriminative cell."""
MIN_FAMILY: Final = 8
"""From so many cards on the discriminative cells of a design are known."""
LIGHT_ROUNDS: Final = 2
"""Iterations of relighting the cards and taking their median."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """What cards of a family share.

    count: how many cards it was found from.  evened: their median, evened, to align others to.
    middle: (*COMPARED_PX, 3) their median, to which all are relit.  alike: (*COMPARED_PX) 0 to 1,
    how surely all are printed alike there.  ground: (3,) the mean colour of those pixels.
    """

    count: int
    evened: Levels
    middle: Levels
    alike: Levels
    ground: Levels

    def light(self, registered: Picture) -> Levels:
        """Return a *registered* card, relit to the middle, minus the ground: (*COMPARED_PX, 3)."""
        return match_light(reduce(registered), self.middle, self.alike) - self.ground


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Cards of one design.

    members: their indices in the register.  design: what the first of them share.
    relit: (members, *COMPARED_PX, 3) all cards, registered and relit, minus the ground.
    distances: (members, all cells, members) how two cards differ.
    discriminative: (all cells,) where cards of the design may differ.
    templates: (cells, pixels, members) of the discriminative cells alone.
    cell_distances: (members, cells, members) the *distances* of the discriminative cells.
    """

    members: tuple[int, ...]
    design: "Design"
    relit: Levels
    distances: Levels
    discriminative: NDArray[np.bool_]
    templates: Levels
    cell_distances: Levels

    def mark_discriminative(self) -> NDArray[np.bool_]:
        """Return which pixels of a card (*KEPT_PX) are in discriminative cells."""
        marked = np.zeros(COMPARED_PX, np.uint8)
        for row, column in zip(*np.nonzero(self.discriminative.reshape(cell_grid())), strict=True):
            top, left = row * STEP_PX, column * STEP_PX
            marked[top : top + CELL_PX, left : left + CELL_PX] = 1
        return cv2.resize(marked, KEPT_PX[::-1], interpolation=cv2.INTER_NEAREST) > 0

    def compare(self, registered: Picture) -> Grid:
        """Return how a *registered* card differs from each member (cells, members).

        0 is the same, about 1 something else.
        """
        light = self.design.light(registered)
        own = (self.templates**2).sum(axis=1)
        means = self.templates.mean(axis=1)
        best = np.full(own.shape, np.inf)
        for moved in _shift(light):
            cells = crop_cells(moved)[self.discriminative]
            with_own = np.matmul(cells[:, None], self.templates)[:, 0]
            square, mean = (cells**2).sum(axis=1)[:, None], cells.mean(axis=1)[:, None]
            best = np.minimum(best, _difference((square, mean), with_own, (own, means)))
        return best


def reduce(picture: Picture) -> Levels:
    """Return a card's picture at COMPARED_PX."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    small = cv2.resize(soft, COMPARED_PX[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def cell_grid() -> tuple[int, int]:
    """Return how many rows and columns of cells a card has."""
    rows, columns = ((side - CELL_PX) // STEP_PX + 1 for side in COMPARED_PX)
    return rows, columns


def crop_cells(levels: Levels) -> Levels:
    """Return the cells of a card (cells, pixels), row by row."""
    windows = np.lib.stride_tricks.sliding_window_view(levels, (CELL_PX, CELL_PX), axis=(0, 1))
    steps = np.moveaxis(windows[::STEP_PX, ::STEP_PX], 2, -1)
    return np.ascontiguousarray(steps).reshape(-1, CELL_PX * CELL_PX * 3)


def group_cards(pictures: Sequence[Picture]) -> list[Family]:
    """Return the designs of the cards with those *pictures* (*KEPT_PX, 3), each card in one."""
    families, left = [], list(range(len(pictures)))
    while left:
        evened = even_light(pictures[left[0]])
        found = {each: align(evened, turn(pictures[each])) for each in left[1:]}
        members = [left[0]] + [
            each
            for each, registered in found.items()
            if registered and registered.agreement >= MEMBER_AGREEMENT
        ]
        registered = [pictures[left[0]]] + [
            each.picture for number in members[1:] if (each := found[number]) is not None
        ]
        families.append(_make_family(members, registered))
        left = [each for each in left if each not in members]
    return families


def join(family: Family, pictures: Mapping[int, Picture]) -> Family:
    """Return *family* and those of the *pictures*, by their places, that are of its design.

    Only the new ones are registered and compared; the design is not computed again.
    """
    found = {place: align(family.design.evened, turn(each)) for place, each in pictures.items()}
    registered = {
        place: each.picture
        for place, each in found.items()
        if each is not None and each.agreement >= MEMBER_AGREEMENT
    }
    if not registered:
        return family
    new = np.stack([family.design.light(each) for each in registered.values()])
    relit, count = np.concatenate([family.relit, new]), len(family.members)
    templates, size = _crop_templates(relit), count + len(new)
    distances = np.empty((size, templates.shape[0], size), np.float32)
    distances[:count, :, :count] = family.distances
    distances[count:] = _compare_members(templates[..., count:], templates)
    distances[:count, :, count:] = distances[count:, :, :count].transpose(2, 1, 0)
    return _finish((*family.members, *registered), family.design, relit, templates, distances)


def choose(family: Family, places: Mapping[int, int]) -> Family:
    """Return of *family* the members that have a new place in *places*, there."""
    kept = [number for number, each in enumerate(family.members) if each in places]
    members = tuple(places[family.members[number]] for number in kept)
    if len(kept) == len(family.members):
        return replace(family, members=members)
    relit, distances = family.relit[kept], family.distances[kept][..., kept]
    return _finish(members, family.design, relit, _crop_templates(relit), distances)


def _make_family(members: list[int], registered: list[Picture]) -> Family:
    """Return the family of cards whose pictures were *registered* to the first."""
    if len(members) > 2:  # the first may be the worst picture of all
        middle = even_light(np.median(np.stack(registered), axis=0).astype(np.uint8))
        realigned = (align(middle, (each,)) for each in registered)
        registered = [
            new.picture if new else old for new, old in zip(realigned, registered, strict=True)
        ]
    evened = even_light(np.median(np.stack(registered), axis=0).astype(np.uint8))
    own = [reduce(each) for each in registered]
    middle, alike = np.median(np.stack(own), axis=0), np.ones(COMPARED_PX, np.float32)
    relit = np.stack(own)
    for _ in range(LIGHT_ROUNDS if len(own) > 1 else 0):
        relit = np.stack([match_light(each, middle, alike) for each in own])
        middle = np.median(relit, axis=0).astype(np.float32)
        alike = _find_alike(relit, middle)
    inner = (slice(30, -30), slice(22, -22))
    weights = np.maximum(alike[inner].ravel(), 1e-3)
    ground = np.average(middle[inner].reshape(-1, 3), axis=0, weights=weights).astype(np.float32)
    design = Design(len(members), evened, np.asarray(middle, np.float32), alike, ground)
    relit = relit - ground
    templates = _crop_templates(relit)
    distances = _compare_members(templates, templates)
    return _finish(tuple(members), design, relit, templates, distances)


def _finish(
    members: tuple[int, ...], design: Design, relit: Levels, templates: Levels, distances: Levels
) -> Family:
    """Return the family; templates: (all cells, pixels, members)."""
    discriminative = _find_discriminative(templates, distances)
    shown = np.ascontiguousarray(templates[discriminative])
    return Family(
        members, design, relit, distances, discriminative, shown, distances[:, discriminative]
    )


def _crop_templates(relit: Levels) -> Levels:
    return np.stack([crop_cells(each) for each in relit], axis=-1)


def _find_alike(relit: Levels, middle: Levels) -> Levels:
    """Return how surely each pixel is printed alike in most pictures (n, *COMPARED_PX, 3)."""
    off = np.percentile(np.abs(relit - middle).max(axis=-1), 75, axis=0)
    typical = max(10.0, 1.6 * float(np.percentile(off, 40)))
    weights = (1 / (1 + (off / typical) ** 4)).astype(np.float32)
    return np.asarray(cv2.erode(weights, np.ones((3, 3))), np.float32)


def _compare_members(some: Levels, templates: Levels) -> Levels:
    """Return how *some* cards differ from all (some, cells, members), by their templates."""
    gram = np.matmul(some.transpose(0, 2, 1), templates).transpose(1, 0, 2)  # some, cell, member
    sizes = [((each**2).sum(axis=1), each.mean(axis=1)) for each in (some, templates)]
    (own, means), kept = sizes
    distances = _difference((own.T[:, :, None], means.T[:, :, None]), gram, kept)
    square, mean = (each.T[:, :, None] for each in kept)
    back = _difference((square, mean), gram.transpose(2, 1, 0), (own, means))
    return np.minimum(distances, back.transpose(2, 1, 0)).astype(np.float32)


def _difference(
    seen: tuple[Levels, Levels], product: Levels, kept: tuple[Levels, Levels]
) -> NDArray[np.float32]:
    """Return how cells differ from those of cards, by their squares, means and product."""
    (square, mean), (own, own_mean) = seen, kept
    pixels = CELL_PX * CELL_PX * 3
    strength = np.clip(product / np.maximum(own, 1.0), MIN_STRENGTH, MAX_STRENGTH)
    offset = np.abs(mean - strength * own_mean)
    ignored = pixels * (offset**2 - np.maximum(offset - MAX_OFFSET_LEVELS, 0) ** 2)
    off = square - 2 * strength * product + strength**2 * own - ignored
    return np.asarray(off / (np.maximum(square, own) + pixels * NOISE_LEVELS**2), np.float32)


def _find_discriminative(templates: Levels, distances: Levels) -> NDArray[np.bool_]:
    """Return the cells in which cards of the design may differ: where many of these do."""
    discriminative = np.zeros(cell_grid(), np.bool_)
    discriminative[1:-1, 1:-1] = True
    flat = discriminative.ravel()
    if len(distances) >= MIN_FAMILY:
        return np.asarray(flat & ((distances > DIFFERENT).mean(axis=(0, 2)) > MIN_SHARE))
    pixels = CELL_PX * CELL_PX * 3
    printed = ((templates**2).sum(axis=1) > 2 * pixels * NOISE_LEVELS**2).any(axis=1)
    return np.asarray(flat & printed)


def _shift(levels: Levels) -> Iterator[Levels]:
    """Yield *levels* moved by up to one pixel in each direction."""
    padded = cv2.copyMakeBorder(levels, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    rows, columns = levels.shape[:2]
    for down in range(3):
        for right in range(3):
            yield np.ascontiguousarray(padded[down : down + rows, right : right + columns])
