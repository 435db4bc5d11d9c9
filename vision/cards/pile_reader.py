"""Reader of Tippi Toppi's piles: colour and value of the card on top of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration import NO_CARD, BadCalibration, Separation
from vision.capture.frame import Frame, Picture
from vision.cards.acceptance import MIN_CARD_PROBABILITY, is_accepted
from vision.cards.card_crop import CardCrop
from vision.cards.colours import ColourClassifier, LogColour
from vision.cards.detection import (
    MAX_PILE_HEIGHT_MM,
    PLACEMENT_MARGIN_MM,
    PilePatch,
    PileSnapshot,
    crop_pile_patches,
)
from vision.cards.layout import COLOURS, TIPPI_TOPPI, VALUES, CardSize, PileLayout
from vision.cards.symbol_fusion import MIN_PLAIN_PROBABILITY, fuse_symbols
from vision.cards.symbols import NINE, SIX, SYMBOLS, classify_symbols
from vision.cards.table_reader import CardTableReader
from vision.geometry.pose import Pose
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status
from vision.occlusion.arms_over_cards import ArmDetector
from vision.occlusion.background import BackgroundModel, ObjectBox
from vision.photometry.white_reference import estimate_white_balance, is_same_illuminant

PATCH_MARGIN_MM: Final = 22.0
"""Of the patch in which a card is detected, on its left and right; half of it above and below."""
UNCERTAIN_WEIGHT: Final = 0.4
"""Weight of the uniform distribution where a colour or a symbol is badly visible: enough for no
class to be accepted."""
MIN_COLOUR_ANGLE_RAD: Final = 0.25
"""Between two colours that are told apart well; 0.37 and more on rendered tables."""
MIN_UNCALIBRATED_PROBABILITY: Final = 0.85
"""Of a card before any calibration: printers' pinks and purples differ more than the two do on one
table.  Tuned."""
DEFAULT_COLOURS: Final = {
    "orange": (-1.25, -0.6, -0.15),
    "pink": (-0.46, -0.8, -0.18),
    "green": (-1.0, -0.42, -1.12),
    "purple": (-0.45, -1.12, -0.78),
}
"""Log colours of the cards, blue, green and red, before any calibration."""
SYMBOLS_TO_VALUES: Final = np.array(
    [
        [float(symbol == str(value) or (value == 6 and symbol in (SIX, NINE))) for value in VALUES]
        for symbol in SYMBOLS
    ]
)
"""(classes, values): 1 where one of SYMBOLS shows one of VALUES.  There is no 9 in this game: what
looks like one is a 6 upside down."""


class PileReader(CardTableReader):
    """Reads pictures of Tippi Toppi's table, in any order; best after `calibrate`."""

    def __init__(self, layout: PileLayout = TIPPI_TOPPI) -> None:
        self._layout = layout
        self._colours: dict[str, LogColour] = {k: np.array(v) for k, v in DEFAULT_COLOURS.items()}
        self._classifier = ColourClassifier(self._colours)
        self._learned: frozenset[str] = frozenset()
        self._calibrated_gains: NDArray[np.float64] | None = None
        half_w = layout.card.w / 2 + PLACEMENT_MARGIN_MM
        half_h = layout.card.h / 2 + PLACEMENT_MARGIN_MM
        piles = [ObjectBox(p.x, p.y, half_w, half_h, MAX_PILE_HEIGHT_MM) for p in layout.piles]
        xs, ys = [pile.x for pile in layout.piles], [pile.y for pile in layout.piles]
        played = (min(xs) - half_w, min(ys) - half_h, max(xs) + half_w, max(ys) + half_h)
        super().__init__(layout, ArmDetector(layout.mat, played, BackgroundModel(piles)))

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn colours, card size and table from a picture of the cards that *truth* names.

        truth: `{"piles": [{"color", "value"}, ...]}`.  Raises BadCalibration, and nothing has
        changed, if the tiles or a card are not visible or *truth* names other cards.
        """
        names = _parse_colours(truth, len(self._layout.piles), frame.name)
        picture, pose = self._locate_for_calibration(frame)
        cards = [self._detector.detect(patch) for patch in self._crop_patches(picture, pose)]
        found = [card for card in cards if card is not None]
        if len(found) < len(cards):
            hidden = cards.index(None)
            raise BadCalibration(f"{frame.name}: {NO_CARD.format(f'pile {hidden + 1}')}")
        colours: dict[str, list[LogColour]] = {}
        for name, card in zip(names, found, strict=True):
            colours.setdefault(name, []).append(card.crop.log_colour)
        self._colours |= {name: np.mean(each, axis=0) for name, each in colours.items()}
        self._learned |= set(colours)
        self._classifier = ColourClassifier(self._colours)
        self._calibrated_gains = found[0].crop.gains
        side = float(np.median([card.panel.side for card in found]))
        self._start_from(frame, picture, pose, side)

    def find_closest(self) -> Separation | None:
        """Return which two of the learned colours look most alike, None before two are learned."""
        learned = {name: self._colours[name] for name in sorted(self._learned)}
        found = ColourClassifier(learned).find_closest() if len(learned) > 1 else None
        if found is None:
            return None
        one, other, angle_rad = found
        return Separation(one, other, angle_rad / MIN_COLOUR_ANGLE_RAD)

    def list_unseen(self) -> tuple[str, ...]:
        """Return the colours that were never learned."""
        return tuple(name for name in self._colours if name not in self._learned)

    def read(self, frame: Frame) -> Observation:
        """Return the observation of *frame*; one without the mat in view is an observation too."""
        located = self._locate(frame)
        if located is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        picture, pose = located
        white = self._arms.measure_white(picture, pose)
        places, snapshots = self._classify_piles(self._crop_patches(picture, pose, white))
        observation = Observation(
            frame.name,
            Status.OK,
            places,
            unchanged=self._reidentifier.compare(snapshots),
            since=self._reidentifier.reference,
        )
        reason = self._unreadable_reason(places)
        may_be_light = bool(observation.since) and reason is None
        arm = self._arms.find_arm(picture, pose, may_be_light=may_be_light)
        if arm is not None:
            return self._unsettled(replace(observation, arms=arm.sides), Reason.HAND)
        self._reidentifier.keep(frame.name, snapshots)
        self._arms.keep(frame.name, picture, pose, white)
        if reason is not None:
            return self._unsettled(observation, reason)
        cards = [place.best.split() for place in places]
        reading = {"piles": [{"color": color, "value": int(value)} for color, value in cards]}
        confidence = min(place.of(place.best) for place in places)
        return replace(observation, reading=reading, confidence=confidence)

    def _crop_patches(
        self, picture: Picture, pose: Pose, white: NDArray[np.float64] | None = None
    ) -> list[PilePatch]:
        card, light = self._layout.card, estimate_white_balance(picture, pose, self._layout.mat)
        size = CardSize(card.w + 2 * PATCH_MARGIN_MM, card.h + PATCH_MARGIN_MM)
        return crop_pile_patches(picture, pose, light, self._layout.piles, size, white)

    def _classify_piles(
        self, patches: Sequence[PilePatch]
    ) -> tuple[tuple[Evidence, ...], list[PileSnapshot]]:
        """Return evidence and snapshot of each pile; one without a whole card is HIDDEN."""
        places: list[Evidence] = []
        snapshots: list[PileSnapshot] = []
        crops: dict[int, CardCrop] = {}
        for pile, patch in enumerate(patches):
            cached = self._cache.find(pile, patch)
            card = None if cached is not None else self._detector.detect(patch)
            if card is not None:
                crops[pile] = card.crop
            snapshots.append(PileSnapshot(patch, card) if cached is None else cached.snapshot)
            places.append(Evidence({HIDDEN: 1.0}) if cached is None else cached.evidence)
        # All at once, which takes the network less time.
        symbols = classify_symbols([crop.crop_centre_symbol() for crop in crops.values()])
        for (pile, crop), centre in zip(crops.items(), symbols, strict=True):
            places[pile] = self._classify_card(crop, centre)
            if self._is_accepted(places[pile]):
                self._cache.store(pile, snapshots[pile], places[pile])
        return tuple(places), snapshots

    def _classify_card(self, crop: CardCrop, centre: NDArray[np.float64]) -> Evidence:
        """Return the evidence for one card.  centre: probabilities of SYMBOLS in its centre."""
        values = centre @ SYMBOLS_TO_VALUES
        if values.max() < MIN_PLAIN_PROBABILITY:
            corners = classify_symbols(crop.crop_corner_symbols())
            symbols = fuse_symbols(np.concatenate([centre[None], corners]))
            values = np.array([symbols[str(value)] for value in VALUES])
            values[VALUES.index(6)] += symbols["9"]
        gains = self._calibrated_gains
        same_illuminant = gains is not None and is_same_illuminant(crop.gains, gains)
        colours = self._classifier.classify(
            crop.log_colour,
            same_illuminant=same_illuminant,
            lower_bounds=crop.is_panel_saturated,
        )
        shades = np.array(list(colours.values()))
        if not crop.is_legible:
            values = mix_uniform(values)
        # What the light source of the calibration clips was learned as it clips it.
        if crop.is_colour_unknown and not same_illuminant:
            shades = mix_uniform(shades)
        products = np.outer(shades, values).ravel().tolist()
        names = (f"{colour} {value}" for colour in colours for value in VALUES)
        probabilities = dict(zip(names, products, strict=True))
        return Evidence({**probabilities, HIDDEN: max(0.0, 1.0 - sum(products))})

    def _unreadable_reason(self, places: Sequence[Evidence]) -> Reason | None:
        """Return why the places cannot be read, or None if they can.

        What hides a card is a hand, unless the table is known without one: then it may be glare.
        """
        if any(place.of(HIDDEN) == 1.0 for place in places):
            return Reason.HIDDEN if self._arms.is_learned else Reason.HAND
        return None if all(self._is_accepted(place) for place in places) else Reason.UNCLEAR

    def _is_accepted(self, place: Evidence) -> bool:
        if self._detector.is_calibrated:
            return is_accepted(place, MIN_CARD_PROBABILITY)
        return is_accepted(place, MIN_UNCALIBRATED_PROBABILITY)

    def _unsettled(self, observation: Observation, reason: Reason) -> Observation:
        places = enumerate(observation.places)
        doubtful = tuple(at for at, place in places if not self._is_accepted(place))
        return replace(observation, status=Status.UNSETTLED, reason=reason, doubtful=doubtful)


def mix_uniform(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return *probabilities* mixed with a uniform distribution, so that none is accepted.

    >>> mix_uniform(np.array([1.0, 0.0])).round(2)
    array([0.8, 0.2])
    """
    uniform = UNCERTAIN_WEIGHT * probabilities.sum() / len(probabilities)
    return np.asarray((1.0 - UNCERTAIN_WEIGHT) * probabilities + uniform, np.float64)


def _parse_colours(truth: Mapping[str, Any], count: int, name: str) -> list[str]:
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
