"""Detection of the idol's arm, and of the angle to which it points.

The arm reaches out beyond the idol's foot, at a known height above the table, in a colour of its
own, which is learned while the arm points to a known angle, or as it turns: it alone leaves one
place around the idol for another. The picture is sampled in polar coordinates around the idol; the
arm is a narrow bar of that colour with other colours on both sides and beyond its tip.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.layout import Idol
from vision.geometry.pose import Pose
from vision.photometry.chromaticity import ColourCorrection, apply_gain, to_chroma

ANGLE_STEP_DEG: Final = 2.0
RADIUS_STEP_MM: Final = 2.0
"""Resolution of the polar samples: 2.3 mm along the circle at the arm's tip."""
ARM_HEIGHT_MM: Final = 29.0
ARM_OFFSET_DEG: Final = 2.1
"""How far clockwise of the idol's direction its arm is.  Measured, as its height is."""
OFFSET_CORRECTION_WEIGHT: Final = 0.5
"""Of the offset in the calibration picture: the idol stands a little askew there too."""
ARM_START_SHARE, ARM_END_SHARE = 0.75, 0.94
"""Of the arm's reach: where it leaves the fist, and where its tip is."""
BEYOND_START_SHARE, BEYOND_END_SHARE = 1.1, 1.2
"""Of the arm's reach: the samples beyond its tip."""
CORE_HALF_WIDTH_MM: Final = 2.0
"""The part of the arm's width that is compared, free of its edges."""
FLANK_MM: Final = (11.0, 15.0)
"""How far beside the arm's axis there must be another colour."""
ARM_HALF_WIDTH_DEG: Final = 14.0
"""How far beside the best sample the axis is refined."""
CHROMA_WEIGHTS: Final = np.array([0.5, 1.0, 1.0])
"""Lightness counts half: the arm is round, and has a lit and a shaded side."""
MIN_COLOUR_DISTANCE: Final = 0.25
"""In chroma, between the arm and its surroundings; 0.1 is just visible."""
MIN_SIMILARITY: Final = 0.45
"""To the arm's colour, 0 to 1, of each part of the arm.  Tuned."""
MIN_PEAK_SIMILARITY: Final = 0.85
"""An arm at rest comes to 0.95, one that turns by 14 degrees during the exposure to 0.8."""
MIN_SCORE: Final = 0.4
"""Similarity of the arm over that of its flanks and of what is beyond it.  Tuned."""
RIVAL_DISTANCE_DEG: Final = 24.0
MIN_LEAD: Final = 0.2
"""Of the best score over any other that is at least so far away.  Tuned."""
ILLUMINATION_GAINS: Final = (1.6, 2.5)
"""How many times more light than in the calibration picture may fall on the arm, which the idol's
head may have shaded.  Less light is not tried: a dim arm resembles a table in the shade."""
MAX_TURN_CANDIDATES: Final = 6
"""Where the arm may have come to by a turn, the most changed places first."""
MAX_CALIBRATION_ERROR_DEG: Final = 8.0
"""A calibration picture with the arm further off is not what it is said to be."""

Tone: TypeAlias = NDArray[np.float64]
"""(3,) chroma: lightness, red - green, blue - green."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """The idol's arm as detected.

    deg: its angle, 0 to the mat's top, clockwise.
    score: its similarity to the calibrated colour, less that of its surroundings, 0 to 1.
    lead: its score less that of the best rival.
    min_similarity, peak_similarity: of its least similar part, and at its axis, which motion blurs.
    """

    deg: float
    score: float
    lead: float
    min_similarity: float
    peak_similarity: float

    @property
    def is_accepted(self) -> bool:
        """Whether this is an arm, wholly visible and at rest."""
        return (
            self.score >= MIN_SCORE
            and self.lead >= MIN_LEAD
            and self.min_similarity >= MIN_SIMILARITY
            and self.peak_similarity >= MIN_PEAK_SIMILARITY
        )

    @property
    def confidence(self) -> float:
        """A heuristic confidence in the angle, 0 to 0.99."""
        return min(0.99, 0.6 + self.score)


class PointerDetector:
    """Detects the arm of one idol, once calibrated."""

    def __init__(self, idol: Idol) -> None:
        self._idol = idol
        reach = idol.arm_reach
        self._radii = np.arange(ARM_START_SHARE * reach, BEYOND_END_SHARE * reach, RADIUS_STEP_MM)
        self._angles = np.arange(0.0, 360.0, ANGLE_STEP_DEG)
        self._on_arm = self._radii <= ARM_END_SHARE * reach
        self._beyond = self._radii >= BEYOND_START_SHARE * reach
        self._outside_foot = self._radii > idol.diameter / 2 + RADIUS_STEP_MM
        self._core = self._rows(-CORE_HALF_WIDTH_MM, CORE_HALF_WIDTH_MM)
        right = self._rows(*FLANK_MM)
        self._flanks = (right, -right)
        self._arm: Tone | None = None
        self._surroundings: Tone = np.zeros(3)
        self._offset_deg = ARM_OFFSET_DEG
        self._grid: tuple[Pose, NDArray[np.float32], NDArray[np.float32]] | None = None
        self._before: NDArray[np.float32] | None = None

    def calibrate(self, picture: Picture, pose: Pose, light: ColourCorrection, deg: float) -> bool:
        """Learn the arm's colour where it points to *deg*; return whether it was detected there."""
        samples = self._sample_polar(picture, pose, light)
        tones = np.roll(samples, -round(deg / ANGLE_STEP_DEG), axis=0)
        arm = tones[self._core][:, self._on_arm].reshape(-1, 3)
        beside = tones[np.concatenate(self._flanks)][:, self._outside_foot].reshape(-1, 3)
        self._arm, self._surroundings = np.median(arm, axis=0), np.median(beside, axis=0)
        self._offset_deg = ARM_OFFSET_DEG
        if float(np.linalg.norm(self._arm - self._surroundings)) < MIN_COLOUR_DISTANCE:
            return False
        found = self._search(samples, self._arm)
        error_deg = (found.deg - deg + 180.0) % 360.0 - 180.0
        if abs(error_deg) > MAX_CALIBRATION_ERROR_DEG:
            return False
        self._offset_deg += OFFSET_CORRECTION_WEIGHT * error_deg
        return True

    def detect(self, picture: Picture, pose: Pose, light: ColourCorrection) -> Pointer | None:
        """Return the likeliest arm, accepted or not; None if no colour was learned."""
        if self._arm is None:
            return None
        return self._search(self._sample_polar(picture, pose, light), self._arm)

    def watch_turn(self, picture: Picture, pose: Pose, light: ColourCorrection) -> Pointer | None:
        """Learn the arm's colour if it has turned since the last *picture*; return it then.

        Of a table at rest, with nobody's hand over it. Nothing is learned twice.
        """
        if self._arm is not None:
            return None
        before, now = self._before, self._sample_polar(picture, pose, light)
        self._before = now
        if before is None:
            return None
        for tone, surroundings in self._find_arrivals(before, now):
            self._surroundings = surroundings
            left, arrived = self._match(before, tone), self._match(now, tone)
            turn_deg = abs((arrived.deg - left.deg + 180.0) % 360.0 - 180.0)
            if left.is_accepted and arrived.is_accepted and turn_deg >= RIVAL_DISTANCE_DEG:
                self._arm = tone
                return arrived
        return None

    def _find_arrivals(
        self, before: NDArray[np.float32], now: NDArray[np.float32]
    ) -> Iterator[tuple[Tone, Tone]]:
        """Yield the tones of bars that have come to places around the idol, and those beside them.

        before, now: samples (angles, radii, 3).
        """
        arms, left = (
            _circular_mean(each[:, self._on_arm].mean(axis=1), self._core) for each in (now, before)
        )
        beside = now[:, self._outside_foot].mean(axis=1)
        flanks = np.mean([_circular_mean(beside, rows) for rows in self._flanks], axis=0)
        news = np.minimum(*(np.linalg.norm(arms - other, axis=1) for other in (left, flanks)))
        for angle in np.argsort(-news)[:MAX_TURN_CANDIDATES]:
            if news[angle] >= MIN_COLOUR_DISTANCE:
                yield arms[angle], flanks[angle]

    def _search(self, samples: NDArray[np.float32], arm: Tone) -> Pointer:
        """Return the likeliest arm, in more light only if it is not accepted as calibrated."""
        found = self._match(samples, arm)
        for gain in ILLUMINATION_GAINS:
            if found.is_accepted:
                break
            brighter = self._match(samples, apply_gain(arm, gain))
            found = brighter if brighter.is_accepted else found
        return found

    def _match(self, samples: NDArray[np.float32], arm: Tone) -> Pointer:
        """Return what in *samples* (angles, radii, 3) is likeliest to be an *arm* of that tone."""
        similarity = self._similarity(samples, arm)
        visible_arm = similarity[:, self._on_arm & self._outside_foot]
        core = _circular_mean(similarity, self._core)
        flanks = [_circular_mean(visible_arm, rows).mean(axis=1) for rows in self._flanks]
        beyond = core[:, self._beyond].mean(axis=1)
        scores = core[:, self._on_arm].mean(axis=1) - np.maximum(np.maximum(*flanks), beyond)
        best = int(scores.argmax())
        distances = np.abs((self._angles - self._angles[best] + 180.0) % 360.0 - 180.0)
        lead = float(scores[best] - scores[distances >= RIVAL_DISTANCE_DEG].max())
        min_similarity = float(cv2.blur(core[best : best + 1, self._on_arm], (3, 1)).min())
        deg, peak_similarity = self._refine(visible_arm, best)
        return Pointer(deg, float(scores[best]), lead, min_similarity, peak_similarity)

    def _refine(self, similarity: NDArray[np.float64], best: int) -> tuple[float, float]:
        """Return the angle in degrees of the arm's axis near row *best*, and its peak similarity.

        The centroid of the squared similarities.
        """
        half_width = round(ARM_HALF_WIDTH_DEG / ANGLE_STEP_DEG)
        offsets = np.arange(-half_width, half_width + 1)
        profile = similarity[(best + offsets) % len(similarity)].mean(axis=1)
        weights = profile**2
        centroid = float((weights * offsets).sum() / max(float(weights.sum()), 1e-6))
        deg = float(self._angles[best]) + centroid * ANGLE_STEP_DEG - self._offset_deg
        return deg % 360.0, float(profile.max())

    def _similarity(self, samples: NDArray[np.float32], arm: Tone) -> NDArray[np.float64]:
        """Return how similar samples are to the *arm*, 0 to 1.

        They are projected onto the line from the surroundings' tone to the arm's: 1 from 3/4 of the
        way on, 0 before 1/4, and less the further they are off the line.
        """
        axis = (arm - self._surroundings) * CHROMA_WEIGHTS
        squared_length = max(float(axis @ axis), 1e-9)
        offsets = (samples - self._surroundings) * CHROMA_WEIGHTS
        along = offsets @ axis / squared_length
        across = np.linalg.norm(offsets - along[..., None] * axis, axis=-1) / squared_length**0.5
        similarity = np.clip(2.0 * along - 0.5, 0.0, 1.0) - 0.7 * np.maximum(0.0, across - 0.2)
        return np.asarray(np.maximum(similarity, 0.0), np.float64)

    def _rows(self, low_mm: float, high_mm: float) -> NDArray[np.intp]:
        """Return the rows of samples so far clockwise of an angle, at the arm's tip."""
        mm_per_row = self._idol.arm_reach * np.radians(ANGLE_STEP_DEG)
        return np.arange(round(low_mm / mm_per_row), round(high_mm / mm_per_row) + 1)

    def _sample_polar(
        self, picture: Picture, pose: Pose, light: ColourCorrection
    ) -> NDArray[np.float32]:
        """Return the chroma (angles, radii, 3) around the idol at the arm's height."""
        if self._grid is None or self._grid[0] is not pose:
            angles = np.radians(self._angles)[:, None]
            x = self._idol.x + np.sin(angles) * self._radii
            y = self._idol.y - np.cos(angles) * self._radii
            points = np.stack([x, y, np.full_like(x, ARM_HEIGHT_MM)], axis=-1).reshape(-1, 3)
            pixels = pose.project(points).reshape(*x.shape, 2).astype(np.float32)
            self._grid = (pose, pixels[..., 0].copy(), pixels[..., 1].copy())
        samples = cv2.remap(picture, self._grid[1], self._grid[2], cv2.INTER_LINEAR)
        wrapped = np.concatenate([samples[-1:], samples, samples[:1]])
        chroma = cv2.blur(to_chroma(np.asarray(wrapped, np.uint8), light), (3, 3))
        return np.asarray(chroma[1:-1], np.float32)


def _circular_mean(values: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return for each row of *values* the mean over *rows* further on, which are consecutive."""
    count, first = len(rows), np.roll(values, -int(rows.min()), axis=0)
    sums = np.concatenate([np.zeros_like(first[:1]), first, first[: count - 1]]).cumsum(axis=0)
    return np.asarray((sums[count:] - sums[:-count]) / count, np.float64)
