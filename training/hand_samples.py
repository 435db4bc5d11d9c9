"""Make samples that the networks for hands of cards learn from, in files of some photographs each.

`python -m training.hand_samples FOLDER --typefaces TYPEFACES` goes on until it is stopped or has
made what was asked for; a second one beside it takes another --seed.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.card_decks import COLOUR_CLASSES, NO_COLOUR, DrawnCard, draw_any_card
from rendering.hand_printers import make_printer
from rendering.hand_scenes import (
    HandScene,
    LaidCard,
    locate_on_card,
    make_grounds,
    render_cards,
    render_hand,
)
from rendering.prints import Print, Random
from rendering.typefaces import Typeface
from training.card_samples import list_bold, sampling_options, write_samples
from vision.cards.card_kinds import CARD_SYMBOLS, KINDS
from vision.cards.card_rectification import CARD
from vision.cards.index_finder import (
    INDEX_MM,
    LONG_PX,
    STRIDE_PX,
    IndexPlace,
    crop_index,
)
from vision.cards.symbols import OTHER

SCENES: Final = 24
"""How many photographs a file has."""
PER_PRINTER, GROUNDS, REGROUNDED = 3, 30, 8
"""How many show the same deck; how many grounds there are, for how many files."""
SIZES_PX: Final = (900, 1500)
MAX_INDICES: Final = 24
UNSAID: Final = -1
CLEAR, COVERED = 0.92, 0.55
"""From which share on an index that is seen can be read, and up to which it cannot."""
CROPS: Final = 2
"""How many crops are taken of an index."""
BESIDE: Final = 6
"""How many are taken of a photograph beside all indices."""


class HandSamples(NamedTuple):
    """Arrays of some photographs, and of crops of them.

    canvases: (n, 480, 640, 3) uint8.  indices: (n, MAX_INDICES, 5) float32, where each is, the way
    to the middle of its card, and how much of it is seen; NaN beyond the last.  cards: (n, 120,
    160) uint8, which cells show a card of the game.  crops: (m, CROP_PX, CROP_PX, 3) uint8.
    labels: (m, 2) int64, the places of kind and symbol in KINDS and CARD_SYMBOLS, or UNSAID.
    """

    canvases: NDArray[np.uint8]
    indices: NDArray[np.float32]
    cards: NDArray[np.uint8]
    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]


class Dealt:
    """Cards of as many printers, of the game and of others, in the order in which they are laid."""

    def __init__(self, cards: Sequence[DrawnCard]) -> None:
        self._cards = cards
        self._left = iter(cards)

    @property
    def names(self) -> list[tuple[str, str]]:
        """What each is called, NO_COLOUR and OTHER if it is not of the deck."""
        return [_name(card) for card in self._cards]

    def draw(self, random: Random, colour: str, symbol: str) -> NDArray[np.uint8]:
        """Return the next card (348, 224, 4), which has that *colour* and *symbol*."""
        del random
        card = next(self._left)
        assert _name(card) == (colour, symbol)
        return card.picture


def _name(card: DrawnCard) -> tuple[str, str]:
    if card.symbol in ("wild", "tiki"):
        return "wild", card.symbol
    is_of_deck = card.symbol != OTHER and card.colour != NO_COLOUR
    return (card.colour, card.symbol) if is_of_deck else (NO_COLOUR, OTHER)


def deal_any(random: Random, typefaces: Sequence[Typeface], grounds: Sequence[Print]) -> HandScene:
    """Return a photograph in which each card is another printer's."""
    dealt = Dealt([draw_any_card(random, typefaces) for _ in range(int(random.integers(4, 11)))])
    kind = str(random.choice(["fan", "row", "column", "grid"]))
    return render_cards(random, dealt, grounds, kind, dealt.names, int(random.uniform(*SIZES_PX)))


def locate_places(card: LaidCard) -> list[IndexPlace]:
    """Return where both indices of *card* are, seen or not."""
    return _locate(card, INDEX_MM)


def locate_bare(card: LaidCard) -> list[IndexPlace]:
    """Return the same places in the other two corners of *card*, where no index is."""
    return _locate(card, np.array([CARD.w - INDEX_MM[0], INDEX_MM[1]]))


def _locate(card: LaidCard, at_mm: NDArray[np.float64]) -> list[IndexPlace]:
    """Return the place *at_mm* (2,) on *card*, and the one opposite."""
    middle = np.array([CARD.w, CARD.h]) / 2
    ends = np.stack([at_mm, 2 * middle - at_mm, middle])
    first, second, centre = locate_on_card(card.corners, ends[None])[0]
    return [IndexPlace(at, centre - at, 1.0) for at in (first, second)]


def label_of(card: LaidCard, seen: float) -> tuple[int, int]:
    """Return the places of the kind and the symbol of an index, of which so much is *seen*."""
    other = (KINDS.index(OTHER), CARD_SYMBOLS.index(OTHER))
    if seen < COVERED or not card.is_of_deck:
        return other
    if seen < CLEAR:
        return UNSAID, UNSAID
    kind = card.colour if card.colour in COLOUR_CLASSES else card.symbol
    return KINDS.index(kind), CARD_SYMBOLS.index(card.symbol)


def make_samples(scenes: list[HandScene], random: Random) -> HandSamples:
    """Return what *scenes* give."""
    canvases, indices, cards, crops, labels = [], [], [], [], []
    for scene in scenes:
        small, places, shown = _shrink(scene)
        canvases.append(small)
        indices.append(places)
        cards.append(shown)
        for crop, label in _crop(random, scene):
            crops.append(crop)
            labels.append(label)
    return HandSamples(
        np.stack(canvases), np.stack(indices), np.stack(cards), np.stack(crops), np.array(labels)
    )


def _shrink(scene: HandScene) -> tuple[Print, NDArray[np.float32], NDArray[np.uint8]]:
    """Return a scene as one canvas, longer than high, with its indices and its cards."""
    scale = LONG_PX / max(scene.picture.shape[:2])
    small = cv2.resize(scene.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    is_high = small.shape[0] > small.shape[1]
    high = small.shape[1] if is_high else small.shape[0]
    found = np.full((MAX_INDICES, 5), np.nan, np.float32)
    shown = np.zeros(small.shape[:2], np.uint8)
    number = 0
    for card in scene.cards:
        fill = 1 if card.is_of_deck else 0
        cv2.fillConvexPoly(shown, np.round(card.corners * scale).astype(np.int32), fill)
        for place, seen in zip(locate_places(card), card.seen, strict=True):
            if card.is_of_deck and number < MAX_INDICES:
                at = (place.at + 0.5) * scale - 0.5
                found[number] = [*at, *(place.to_middle * scale), seen]
                number += 1
    if is_high:  # turned by a quarter, anticlockwise
        small, shown = np.rot90(small), np.rot90(shown)
        x, y, across, down = (found[:, each].copy() for each in range(4))
        found[:, 0], found[:, 1] = y, high - 1 - x
        found[:, 2], found[:, 3] = down, -across
    canvas = np.full((480, LONG_PX, 3), 114, np.uint8)
    canvas[: small.shape[0]] = small[:480]
    cells = np.zeros((480 // STRIDE_PX, LONG_PX // STRIDE_PX), np.uint8)
    sampled = shown[STRIDE_PX // 2 :: STRIDE_PX, STRIDE_PX // 2 :: STRIDE_PX]
    cells[: sampled.shape[0]] = sampled[: cells.shape[0]]
    return canvas, found, cells


def _crop(random: Random, scene: HandScene) -> list[tuple[Print, tuple[int, int]]]:
    """Return crops of all indices of *scene*, and of places where none is, with their labels."""
    other = (KINDS.index(OTHER), CARD_SYMBOLS.index(OTHER))
    found, taken = [], []
    for card in scene.cards:
        for place, seen in zip(locate_places(card), card.seen, strict=True):
            taken.append(place)
            label = label_of(card, seen)
            many = CROPS if label != other or random.random() < 0.5 else 1
            found += [(crop_index(scene.picture, _jitter(random, place)), label)
                      for _ in range(many)]  # fmt: skip
    for card in scene.cards:
        if card.symbol != "tiki":  # all four corners of which look alike
            for place in locate_bare(card):
                found.append((crop_index(scene.picture, _jitter(random, place)), other))
    size = float(np.median([np.hypot(*place.to_middle) for place in taken]))
    rows, columns = scene.picture.shape[:2]
    for _ in range(BESIDE):
        at = random.uniform(0, 1, 2) * (columns, rows)
        if random.random() < 0.6:  # on a card, where centre and edges are
            card = scene.cards[int(random.integers(len(scene.cards)))]
            shares = random.uniform(0, 1, 2)
            upper = card.corners[0] + shares[0] * (card.corners[1] - card.corners[0])
            lower = card.corners[3] + shares[0] * (card.corners[2] - card.corners[3])
            at = upper + shares[1] * (lower - upper)
        if min(np.hypot(*(at - place.at)) for place in taken) < 0.2 * size:
            continue
        turn = random.uniform(0, 2 * np.pi)
        way = size * random.uniform(0.6, 1.5) * np.array([np.cos(turn), np.sin(turn)])
        found.append((crop_index(scene.picture, IndexPlace(at, way, 1.0)), other))
    return found


def _jitter(random: Random, place: IndexPlace) -> IndexPlace:
    """Return *place* as a network finds it."""
    size = float(np.hypot(*place.to_middle))
    far = 0.02 if random.random() < 0.8 else 0.04
    turn, grow = random.normal(0, 0.04), np.exp(random.normal(0, 0.05))
    cos, sin = grow * np.cos(turn), grow * np.sin(turn)
    way = np.array([[cos, -sin], [sin, cos]]) @ place.to_middle
    return IndexPlace(place.at + random.normal(0, far * size, 2), way, 1.0)


def main() -> None:
    """Write files of samples into the folder of the command line."""
    options = sampling_options(__doc__, 100)
    options.add_argument("--mixed", action="store_true", help="each card of another printer")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    typefaces = list_bold(given.typefaces)
    for number in range(given.files):
        random = np.random.default_rng([given.seed, number])
        if number % REGROUNDED == 0:
            grounds = make_grounds(random, GROUNDS)
        scenes = []
        for scene in range(SCENES):
            if given.mixed:
                scenes.append(deal_any(random, typefaces, grounds))
                continue
            if scene % PER_PRINTER == 0:
                printer = make_printer(random, typefaces)
            scenes.append(render_hand(random, printer, grounds, long_px=SIZES_PX))
        write_samples(given.folder, given.seed, number, make_samples(scenes, random))
        print(f"{(number + 1) * SCENES} photographs", flush=True)


if __name__ == "__main__":
    main()
