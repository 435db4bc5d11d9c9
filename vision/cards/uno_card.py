"""What one UNO card shows: colour, symbol, and whether spirals stand in two of its corners."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.acceptance import is_sure
from vision.cards.colours import Tints, direction
from vision.cards.detection import TINT_SOFT, Face
from vision.cards.segmentation import FIND_PX_PER_MM
from vision.cards.symbols import NINE, OTHER, SIX, SYMBOLS, name_symbols
from vision.geometry.rectification import Mask
from vision.observation import HIDDEN, Evidence

WILD: Final = "wild"
TIKI: Final = "tiki"
TINTS: Final = {
    "red": np.array([[-1.2, -1.3, -0.2], [-1.6, -1.6, -0.05]]),
    "yellow": np.array([[-1.3, -0.2, -0.03], [-1.6, 0.0, 0.1]]),
    "green": np.array(
        [[-1.1, -0.5, -1.3], [-0.65, -0.3, -1.2], [-1.5, -1.1, -1.6], [-1.4, -0.5, -0.8]]
    ),
    "blue": np.array([[-0.25, -0.8, -1.4], [0.0, -0.4, -1.6], [-0.1, -1.0, -1.6]]),
}
"""Colours of several printers, as logarithms of blue, green and red."""
INKS: Final = Tints(TINTS)
FAINT: Final = 1.0
"""A weaker tint is washed out: colours of cards that nobody washed out come to 1.0 and more."""
BEYOND_WHITE: Final = (0.0, 0.12, 0.24, 0.36, 0.48)
"""By how much, as a logarithm, overexposed paper may be brighter than it seems."""
BROWN: Final = np.array([-1.5, -0.85, -0.3])
"""The wooden face on a Tiki card."""
PLAIN: Final = ("0", "1", "2", "3", "4", "5", "7", "8", "skip", "reverse")
SAME: Final = {"6": ("6", SIX), "9": ("9", NINE)}
"""What the corners, which are never upside down, show of these two."""
UNLINED: Final = 0.5
"""How much less often these two are printed without their line."""
UNREAD: Final = 0.1
"""How little a corner is believed that says otherwise than the middle."""
FOREIGN: Final = 0.9
"""Corners that both show so surely no symbol of the game belong to another card, or to a sign that
merely looks like one: the middle is not believed then..."""
CERTAIN: Final = 0.02
"""...unless it is less likely than this to be something else: corners may be too small or too
blurred to be anything, and what is foreign is so in the middle too."""
LEAST_CONTRAST: Final = 25.0
BLACK: Final = -0.35
BLACK_SPREAD: Final = 0.35
"""A panel is black if it is this dark, and its colour this weak against its darkness."""
TINGED: Final = 0.6
"""The same of a panel around the four colours: in a dim lamp black ink is a very dark brown."""
INNER_MM: Final = (21.0, 32.0)
"""Half the width and height of the part of a wild card in which its four colours stand."""
LEAST_SHARE: Final = 0.06
"""Of all that is coloured there, the share that each of the four fills at least."""
LEAST_COLOURED: Final = 0.25
MOST_PAPER: Final = 0.6
"""How much of that part is coloured, and how much white there may be for that: the card that makes
the next player draw four has small cards on a white oval."""
COLOURED: Final = 0.35
"""A pixel has a colour if its logarithms differ by this much."""
FACE_MM: Final = (13.0, 15.0)
"""Half the width and height of what the wooden face of a Tiki card fills."""
LEAST_FACE: Final = 0.4
ALIKE: Final = 0.97
EYES: Final = (0.04, 0.35)
"""How much of that is wooden, as the cosine to that brown; and the share of white, its eyes and
teeth."""
SPIRAL_MM: Final = 9.5
SPIRAL_RADIUS_MM: Final = 4.5
AROUND_MM: Final = (7.5, 9.0)
SPIRAL: Final = 0.18
NO_SPIRAL: Final = 0.1
"""Where a spiral may stand, from the edges, and what lies around its badge; it whitens this much
of the place's outer half, or no more than that."""
HALF: Final = 0.5
UNLIKE, PRINTED = 0.2, 0.97
"""What is printed whitens both places alike, to this much, and so much of the card looks alike the
other way up."""
ALONE_RIVAL: Final = 0.08
"""How likely another card may be in a photograph of one card, which is looked at closely."""
EVEN: Final = 1e-3
"""What no evidence about 6 or 9 counts as."""

Named = NDArray[np.float64]
"""(3, classes): probabilities of SYMBOLS in the middle and in two corners."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as it is named in the game.

    color: red, yellow, green, blue or wild.  symbol: a digit, skip, reverse, wild or tiki.
    """

    color: str
    symbol: str
    confidence: float


def weigh_card(face: Face, named: Named | None = None) -> Evidence:
    """Return how likely each card "colour symbol" is; what is no card of the game is HIDDEN."""
    if named is None:
        named = name_symbols([face.middle(), *face.corners()])
    if face.contrast < LEAST_CONTRAST:
        return Evidence({HIDDEN: 1.0})
    if is_black(face, TINGED) and _is_wild(face):
        return Evidence({f"{WILD} {WILD}": 0.98, HIDDEN: 0.02})
    if is_black(face):
        return Evidence({HIDDEN: 1.0})
    symbols = weigh_symbols(named)
    if max(symbols.values()) < 0.5 and not face.is_tint_lost and _is_tiki(face):
        return Evidence({f"{WILD} {TIKI}": 0.95, HIDDEN: 0.05})
    likely = {
        f"{colour} {symbol}": shade * share
        for colour, shade in weigh_colours(face).items()
        for symbol, share in symbols.items()
    }
    return Evidence({**likely, HIDDEN: max(0.0, 1.0 - sum(likely.values()))})


def weigh_colours(face: Face) -> dict[str, float]:
    """Return how likely each colour is at least, whatever the lamp hides of it.

    Where a lamp overexposes the paper in one colour only, nobody knows by how much: then a colour
    is as likely as it is for the paper that speaks most against it.
    """
    steps = BEYOND_WHITE if face.is_tint_lost else BEYOND_WHITE[:1]
    tints = [face.tint - step * face.overexposed for step in steps]
    each = [INKS.weigh(tint, FAINT, at_least=face.is_tint_bounded) for tint in tints]
    return {colour: min(likely[colour] for likely in each) for colour in TINTS}


def weigh_symbols(named: Named) -> dict[str, float]:
    """Return how likely each symbol is, after the middle and the corners were compared.

    The middle may be upside down, where only a line tells 6 from 9; the corners never are.
    """
    middle, corners = named[0].copy(), named[1:]
    bare = [SYMBOLS.index(name) for name in (SIX, NINE)]
    middle[bare] *= UNLINED
    middle /= middle.sum()
    likely = {name: float(middle[SYMBOLS.index(name)]) for name in PLAIN}
    lined = [float(middle[SYMBOLS.index(name)]) for name in SAME]
    unlined = float(middle[bare].sum())
    upright = [
        float(corners[:, [SYMBOLS.index(name) for name in names]].sum(axis=1).mean())
        for names in SAME.values()
    ]
    alone = [line + unlined / 2 + EVEN for line in lined]
    weights = [share * (c + EVEN) for share, c in zip(alone, upright, strict=True)]
    # Corners that show neither say nothing: then the line tells, or it stays open.
    known = min(1.0, sum(upright) / 0.5)
    both = sum(lined) + unlined
    for name, share, weight in zip(SAME, alone, weights, strict=True):
        heard, unheard = weight / sum(weights), share / sum(alone)
        likely[name] = both * (known * heard + (1.0 - known) * unheard)
    return _agree(likely, float(middle[SYMBOLS.index(OTHER)]), corners)


def _agree(likely: dict[str, float], other: float, corners: Named) -> dict[str, float]:
    """Return the symbols' probabilities after the corners have been heard too.

    A corner that cannot be read says nothing; one that shows another symbol takes a reading back,
    and so do two that are surely of no symbol, where the middle is in doubt.  What deceives about
    the middle deceives about them, printed in its typeface: they count half.
    """
    if corners[:, SYMBOLS.index(OTHER)].min() > FOREIGN and other > CERTAIN:
        return dict.fromkeys(likely, 0.0)
    mean = corners.mean(axis=0)
    unread = float(mean[SYMBOLS.index(OTHER)]) + UNREAD
    heard = {
        name: share
        * math.sqrt(unread + sum(float(mean[SYMBOLS.index(c)]) for c in SAME.get(name, (name,))))
        for name, share in likely.items()
    }
    total = sum(heard.values()) + other * math.sqrt(unread + UNREAD)
    return {name: share / max(total, EVEN) for name, share in heard.items()}


def is_black(face: Face, spread: float = BLACK_SPREAD) -> bool:
    """Return whether the panel is black, or grey in glare; *spread*: how far it may be tinged."""
    tint = face.tint
    return bool(tint.max() < BLACK and np.ptp(tint) < spread * -tint.mean())


def _inner_tints(face: Face, half_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the tints (n, 3) of the pixels around the card's middle; half their extent in mm."""
    half_w, half_h = (round(side * FIND_PX_PER_MM) for side in half_mm)
    height, width = face.pale.shape
    rows = slice(height // 2 - half_h, height // 2 + half_h)
    columns = slice(width // 2 - half_w, width // 2 + half_w)
    pixels = face.picture[rows, columns].reshape(-1, 3).astype(np.float64)
    return np.asarray(np.log((pixels + TINT_SOFT) / (face.white + TINT_SOFT)), np.float64)


def _is_wild(face: Face) -> bool:
    """Return whether the middle of a black card is filled with the four colours."""
    tints = _inner_tints(face, INNER_MM)
    coloured = np.ptp(tints, axis=1) > COLOURED
    paper = float((tints.min(axis=1) > -COLOURED).mean())
    share = float(coloured.mean())
    if share < LEAST_COLOURED or paper > MOST_PAPER * share:
        return False
    seen = direction(tints[coloured])
    nearness = [(seen @ direction(known).T).max(axis=1) for known in TINTS.values()]
    counts = np.bincount(np.argmax(nearness, axis=0), minlength=len(TINTS))
    return float(counts.min() / counts.sum()) >= LEAST_SHARE


def _is_tiki(face: Face) -> bool:
    """Return whether a wooden face with eyes and teeth is in the card's middle, and only there."""
    if float(direction(face.tint) @ direction(BROWN)) > ALIKE:
        return False
    tints = _inner_tints(face, FACE_MM)
    paper = float((tints.min(axis=1) > -COLOURED).mean())
    if not EYES[0] <= paper <= EYES[1]:
        return False
    coloured = np.ptp(tints, axis=1) > COLOURED
    # Paper that is overexposed makes wood seem yellower than it is.
    steps = BEYOND_WHITE if face.overexposed.any() else BEYOND_WHITE[:1]
    return any(
        float((coloured & _are_wooden(tints - step, face.tint - step)).mean()) >= LEAST_FACE
        for step in steps
    )


def _are_wooden(tints: NDArray[np.float64], panel: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of *tints* (n, 3) are that brown, and nearer to it than to the *panel*'s (3,).

    A fat number in the colour of a yellow panel is brownish too where a lamp overexposes both.
    """
    seen = direction(tints)
    brown = seen @ direction(BROWN)
    return np.asarray((brown > ALIKE) & (brown > seen @ direction(panel)), np.bool_)


def find_spirals(face: Face) -> bool | None:
    """Return whether spirals stand in two corners, or None if that is not clear.

    An oval ends near both places, and whitens their inner halves: so the outer ones are looked at.
    A lamp mirrored in the varnish whitens a corner too, but then also what is around its badge, and
    not both corners alike; and it never turns a badge into plain panel.
    """
    white = face.paper
    shares, around = (
        [float(white[place].mean()) for place in places]
        for places in zip(*_lay_corners(face.pale.shape), strict=True)
    )
    if min(shares) <= NO_SPIRAL:
        return False
    alike = abs(shares[0] - shares[1]) <= UNLIKE and face.turned_alike >= PRINTED
    return True if min(shares) >= SPIRAL and (min(around) <= HALF or alike) else None


@lru_cache(maxsize=4)
def _lay_corners(shape: tuple[int, int]) -> tuple[tuple[Mask, Mask], ...]:
    """Return for two corners of a card where a spiral stands, its outer half, and what is around.

    shape: rows and columns of the card's picture, as the places' are.
    """
    at, radius = SPIRAL_MM * FIND_PX_PER_MM, SPIRAL_RADIUS_MM * FIND_PX_PER_MM
    low, high = (limit * FIND_PX_PER_MM for limit in AROUND_MM)
    height, width = shape
    rows, columns = np.indices(shape)
    places = []
    for x, y in ((width - at, at), (at, height - at)):
        across, along = columns + 0.5 - x, rows + 0.5 - y
        away = np.hypot(across, along)
        to_middle_x, to_middle_y = width / 2 - x, height / 2 - y
        outwards = across * to_middle_x + along * to_middle_y < 0
        inwards = (across * to_middle_x > 0) & (along * to_middle_y > 0)
        places.append((outwards & (away < radius), inwards & (away > low) & (away < high)))
    return tuple(places)


def name_card(face: Face) -> CardReading | None:
    """Return what the card is, or None if that is not sure."""
    evidence = weigh_card(face)
    best = evidence.best
    if not is_sure(evidence, rival=ALONE_RIVAL):
        return None
    color, symbol = best.split()
    return CardReading(color, symbol, evidence.of(best))
