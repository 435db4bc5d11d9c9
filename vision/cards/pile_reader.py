"""Read Tippi Toppi's piles: colour and value of the card on top of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration import NO_CARD, BadCalibration
from vision.capture.frame import Frame, Picture
from vision.cards.acceptance import LIKELY, is_sure
from vision.cards.colours import Tint, Tints
from vision.cards.detection import Face
from vision.cards.layout import COLOURS, TIPPI_TOPPI, VALUES, CardSize, PileLayout
from vision.cards.reidentification import Lying, Memory
from vision.cards.symbols import NINE, SIX, SYMBOLS, name_symbols
from vision.cards.top_card import TopCard, Window, is_as_large, look_at
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose
from vision.geometry.rectification import shrink_to_fit
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status, Table
from vision.occlusion.arms_over_cards import ArmDetector, measure_beyond
from vision.occlusion.background import BackgroundModel, Thing
from vision.photometry.chromaticity import to_levels
from vision.photometry.white_reference import estimate_light, is_same_illuminant

WANDER_MM: Final = 8.0
"""How far a card reaches beyond its place, put down carelessly and turned a little."""
THICKEST_MM: Final = 9.0
"""Twenty cards and some air."""
LOOKED_AT_Z_MM: Final = 4.0
"""Piles are looked at as if they were half as thick as they can be."""
WINDOW_MM: Final = 22.0
"""How much larger than a card the window is in which it is looked for."""
TURNED_DEG: Final = 20.0
SAME_LEVELS: Final = 8
"""By how many levels any block of a pile may differ if nothing has changed; closing a 3 to an 8
changes one by about 20, a camera that is pushed by 12 pixels one or two."""
LEAST_BORDER: Final = 0.85
LEAST_CONTRAST: Final = 25.0
DOUBT: Final = 0.4
"""How much of the evidence says nothing where a colour or a symbol is badly seen: so much that no
reading is sure (see `certainty.py`)."""
CLEAR: Final = 0.95
"""A value less likely than this in a card's middle is compared with the card's corners."""
PLAIN: Final = 0.85
"""A value less likely than this in the middle is not believed for the corners' sake: out of focus
they are the first that nobody can read."""
LIKELY_UNTAUGHT: Final = 0.85
"""Least probability of a card before any calibration: printers' pinks and purples differ more than
the two do on one table."""
DEFAULT_TINTS: Final = {
    "orange": (-1.25, -0.6, -0.15),
    "pink": (-0.46, -0.8, -0.18),
    "green": (-1.0, -0.42, -1.12),
    "purple": (-0.45, -1.12, -0.78),
}
"""Blue, green and red of each colour as logarithms, white paper being 0."""
SEEN_AS: Final = {**{str(value): value for value in VALUES}, SIX: 6, NINE: 6}
"""There is no 9: what looks like one is a 6 that lies upside down."""
AS_VALUES: Final = np.array(
    [[float(SEEN_AS.get(symbol) == value) for value in VALUES] for symbol in SYMBOLS]
)
"""(classes, values) which of SYMBOLS show which of VALUES; the others show none of them."""


class PileReader:
    """Reads pictures of Tippi Toppi's table, in any order; best after `calibrate`."""

    def __init__(self, layout: PileLayout = TIPPI_TOPPI) -> None:
        self._layout = layout
        self._tracker = MarkerTracker(layout)
        half_w, half_h = layout.card.w / 2 + WANDER_MM, layout.card.h / 2 + WANDER_MM
        piles = [Thing(pile.x, pile.y, half_w, half_h, THICKEST_MM) for pile in layout.piles]
        self._colours: dict[str, Tint] = {name: np.array(v) for name, v in DEFAULT_TINTS.items()}
        self._tints = Tints(self._colours)
        self._side: float | None = None
        self._gains: NDArray[np.float64] | None = None
        self._known: dict[int, _Known] = {}
        self._memory = Memory(layout.card)
        edges = [(p.x - half_w, p.y - half_h, p.x + half_w, p.y + half_h) for p in layout.piles]
        left, top, right, bottom = zip(*edges, strict=True)
        played = (min(left), min(top), max(right), max(bottom))
        self._reaching = ArmDetector(layout.mat, played, BackgroundModel(piles))

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn colours, card size and table from a picture of the cards that *truth* names.

        truth: `{"piles": [{"color", "value"}, ...]}`.  Raises BadCalibration, and nothing has
        changed, if the tiles or a card are not in view or *truth* names other cards.
        """
        names = _colours_of(truth, len(self._layout.piles), frame.name)
        picture = shrink_to_fit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        cards = [self._card(window) for window in self._windows(picture, pose)]
        found = [card for card in cards if card is not None]
        if len(found) < len(cards):
            hidden = cards.index(None)
            raise BadCalibration(f"{frame.name}: {NO_CARD.format(f'pile {hidden + 1}')}")
        tints: dict[str, list[Tint]] = {}
        for name, card in zip(names, found, strict=True):
            tints.setdefault(name, []).append(card.face.tint)
        self._colours |= {name: np.mean(seen, axis=0) for name, seen in tints.items()}
        self._tints = Tints(self._colours)
        self._side = float(np.median([card.panel.side for card in found]))
        self._gains = found[0].face.gains
        self._known = {}
        self._memory.forget()
        self._reaching.learn(frame.name, picture, pose)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.watching.eyes.Reader`.

        What lies there is named by the referee then; the eyes keep how it looks.
        """
        del table
        self._memory.believe(frame)
        self._reaching.believe(frame)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        picture = shrink_to_fit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        white = self._reaching.measure_white(picture, pose)
        places, piles = self._weigh(self._windows(picture, pose, white))
        seen = Observation(
            frame.name,
            Status.OK,
            places,
            unchanged=self._memory.compare(piles),
            since=self._memory.since,
        )
        reason = self._doubt(places)
        may_be_light = bool(seen.since) and reason is None
        reach = self._reaching.find_arm(picture, pose, may_be_light=may_be_light)
        if reach is not None:
            return self._unsettled(replace(seen, arms=reach.sides), Reason.HAND)
        self._memory.keep(frame.name, piles)
        self._reaching.keep(frame.name, picture, pose, white)
        if reason is not None:
            return self._unsettled(seen, reason)
        cards = [place.best.split() for place in places]
        reading = {"piles": [{"color": color, "value": int(value)} for color, value in cards]}
        confidence = min(place.of(place.best) for place in places)
        return replace(seen, reading=reading, confidence=confidence)

    def _unsettled(self, seen: Observation, reason: Reason) -> Observation:
        """Return *seen* as what cannot be read, for that *reason*."""
        doubtful = tuple(at for at, place in enumerate(seen.places) if not self._is_sure(place))
        return replace(seen, status=Status.UNSETTLED, reason=reason, doubtful=doubtful)

    def _is_sure(self, place: Evidence) -> bool:
        return is_sure(place, LIKELY_UNTAUGHT if self._side is None else LIKELY)

    def _is_tint_lost(self, face: Face) -> bool:
        """Return whether nothing is known of how colours look under the lamp that lights *face*.

        Where it is the very lamp of the calibration, they were learned as it overexposes them.
        """
        return face.is_tint_lost and not self._is_taught_lamp(face)

    def _is_taught_lamp(self, face: Face) -> bool:
        """Return whether colours were learned, in the very lamp that lights *face*."""
        return self._gains is not None and is_same_illuminant(face.gains, self._gains)

    def _doubt(self, places: Sequence[Evidence]) -> Reason | None:
        """Return why the places cannot be read, or None if they can.

        What hides a card is a hand, unless nobody reaches up to the piles: then it may be glare.
        """
        if any(place.of(HIDDEN) == 1.0 for place in places):
            return Reason.HIDDEN if self._reaching.is_learned else Reason.HAND
        return None if all(self._is_sure(place) for place in places) else Reason.UNCLEAR

    def _windows(
        self, picture: Picture, pose: Pose, white: NDArray[np.float64] | None = None
    ) -> list[Window]:
        levels = to_levels(estimate_light(picture, pose, self._layout.mat))
        beyond = measure_beyond(white)
        card = self._layout.card
        size = CardSize(card.w + 2 * WINDOW_MM, card.h + WINDOW_MM)
        return look_at(picture, pose, levels, self._layout.piles, size, LOOKED_AT_Z_MM, beyond)

    def _card(self, window: Window) -> TopCard | None:
        card = window.find_card(self._layout.card)
        return card if card is not None and self._is_whole(card) else None

    def _is_whole(self, card: TopCard) -> bool:
        panel = card.panel
        if abs(panel.turn_deg) > TURNED_DEG or card.face.border < LEAST_BORDER:
            return False
        return self._side is None or is_as_large(panel, self._side)

    def _weigh(self, windows: Sequence[Window]) -> tuple[tuple[Evidence, ...], list[Lying]]:
        """Return the evidence per pile, and how each lies; a pile without a whole card is hidden.

        A pile that looks just as when it was last named for sure is not named again, even if the
        camera was pushed meanwhile.
        """
        blocks = [window.coarsen() for window in windows]
        known = [self._recall(index, seen) for index, seen in enumerate(blocks)]
        piles = [
            Lying(window, self._card(window)) if then is None else then.lying
            for window, then in zip(windows, known, strict=True)
        ]
        places = [Evidence({HIDDEN: 1.0}) if then is None else then.evidence for then in known]
        new = {
            index: pile.card
            for index, pile in enumerate(piles)
            if known[index] is None and pile.card is not None
        }
        named = name_symbols([card.face.middle() for card in new.values()]) @ AS_VALUES
        for (index, card), values in zip(new.items(), named, strict=True):
            evidence = places[index] = self._evidence(card, values)
            if self._is_sure(evidence):
                self._known[index] = _Known(blocks[index], evidence, piles[index])
        return tuple(places), piles

    def _recall(self, index: int, blocks: NDArray[np.int16]) -> "_Known | None":
        """Return how the pile was seen if it looks as it did then."""
        known = self._known.get(index)
        if known is None or int(np.abs(blocks - known.blocks).max()) > SAME_LEVELS:
            return None
        return known

    def _evidence(self, card: TopCard, values: NDArray[np.float64]) -> Evidence:
        """Return the evidence for one card; *values*: how likely each is by its middle."""
        if values.max() < CLEAR:
            first, second = name_symbols(card.face.corners()) @ AS_VALUES
            values = hear_corners(values, first, second)
        face = card.face
        colours = self._tints.weigh(
            face.tint, taught=self._is_taught_lamp(face), at_least=face.is_tint_bounded
        )
        shades = np.array(list(colours.values()))
        if card.face.contrast < LEAST_CONTRAST:
            values = doubt(values)
        if self._is_tint_lost(card.face):
            shades = doubt(shades)
        each = np.outer(shades, values).ravel().tolist()
        names = (f"{colour} {value}" for colour in colours for value in VALUES)
        likely = dict(zip(names, each, strict=True))
        return Evidence({**likely, HIDDEN: max(0.0, 1.0 - sum(each))})


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A pile as it looked when its card was last named for sure: in blocks, and closely."""

    blocks: NDArray[np.int16]
    evidence: Evidence
    lying: Lying


def doubt(likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely each is if there is so much doubt that none can be read, but by the rules.

    >>> doubt(np.array([1.0, 0.0])).round(2)
    array([0.8, 0.2])
    """
    return np.asarray((1.0 - DOUBT) * likely + DOUBT * likely.sum() / len(likely), np.float64)


def hear_corners(
    values: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how likely each value is by a card's middle, *values*, and its two corners.

    The small symbols in the corners help, unless they contradict the middle or each other; where
    the middle cannot be read, they cannot either, however sure they seem.  Both are printed in its
    typeface, so that what deceives about it deceives about them: they count half.  As far as a
    corner shows no value at all, it speaks neither for nor against any.

    >>> hear_corners(np.array([0.9, 0.1]), np.array([0.8, 0.2]), np.array([0.7, 0.3])).round(2)
    array([0.96, 0.04])
    >>> hear_corners(np.array([0.9, 0.1]), np.array([0.1, 0.9]), np.array([0.01, 0.99])).round(2)
    array([0.9, 0.1])
    >>> hear_corners(np.array([0.7, 0.3]), np.array([0.9, 0.1]), np.array([0.9, 0.1])).round(2)
    array([0.7, 0.3])
    >>> hear_corners(np.array([0.9, 0.1]), np.array([0.0, 0.0]), np.array([0.0, 0.0])).round(2)
    array([0.9, 0.1])
    """
    if values.max() < PLAIN:
        return values
    first, second = (corner + (1.0 - corner.sum()) / 2.0 for corner in (first, second))
    together = values * np.sqrt(first * second)
    against = (1.0 - values) * np.sqrt((1.0 - first) * (1.0 - second))
    together = together / np.maximum(together + against, 1e-12)
    return together if together.argmax() == values.argmax() else values


def _colours_of(truth: Mapping[str, Any], count: int, name: str) -> list[str]:
    """Return the colours of the piles that *truth* names; raises BadCalibration."""
    piles = truth.get("piles")
    if not isinstance(piles, Sequence) or len(piles) != count:
        raise BadCalibration(
            f"{name}: the truth does not have {count} piles; list them under 'piles'"
        )
    colours = [pile.get("color") if isinstance(pile, Mapping) else None for pile in piles]
    if not all(colour in COLOURS for colour in colours):
        raise BadCalibration(f"{name}: {colours} are not among {', '.join(COLOURS)}")
    return [str(colour) for colour in colours]
