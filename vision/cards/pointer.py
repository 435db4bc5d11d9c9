"""Where the idol's arm points.

The arm reaches out beyond the idol's foot, at a known height above the table, in a colour of its
own, learned while it points to the mat's top. Round the idol the picture is searched for a thing as
long and as narrow as the arm, in that colour, with something else on both sides.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.layout import Idol
from vision.geometry.pose import Pose
from vision.photometry.chromaticity import ColourCorrection, apply_gain, to_chroma

STEP_DEG: Final = 2.0
STEP_MM: Final = 2.0
TURN_DEG: Final = 360.0
ARM_Z_MM: Final = 29.0
ARM_BESIDE_DEG: Final = 2.1
"""The arm's height above the table, and how far clockwise of the idol's own direction it is."""
TRUST: Final = 0.5
"""How much of what the learned picture says of that is believed: the idol stands a little askew
there too."""
START: Final = 0.75
END: Final = 0.94
BEYOND: Final = (1.1, 1.2)
"""Where the arm leaves the fist, where its tip is, and what lies beyond it, as shares of its
reach."""
FLANKS_MM: Final = (11.0, 15.0)
"""How far beside the arm's middle there must be something else."""
CORE_MM: Final = 2.0
"""How far from its middle it is certainly the arm."""
LIGHTNESS: Final = np.array([0.5, 1.0, 1.0])
"""Lightness counts less than colour: the arm is round, and has a lit and a shaded side."""
LEAST_APART: Final = 0.25
"""Distance in tones between the arm and its surroundings below which it cannot be found."""
LEAST_SHARE: Final = 0.45
"""Least likeness to the arm's colour, 0 to 1, of each part of the arm."""
LEAST_PEAK: Final = 0.85
"""An arm at rest comes to 0.95; one that turns by 14 degrees during the exposure to 0.8."""
HALF_ARM_DEG: Final = 14.0
LEAST_SCORE: Final = 0.4
"""Least difference in likeness between the arm and what is beside and beyond it."""
RIVAL_DEG: Final = 24.0
LEAST_LEAD: Final = 0.2
"""By how much the arm must beat whatever else looks like one, so far away or further."""

LIT: Final = (1.6, 2.5)
"""How many times more light may fall on the arm than while it was learned, perhaps in the shadow of
the idol's head. Less light is not tried: a dim arm is too much like a table in the shade."""

ASKEW_DEG: Final = 8.0
"""An arm further off than this while it is learned is not where it is said to be."""

Tone = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Arm:
    """The arm as found.

    deg: where it points, 0 to the mat's top, clockwise.  score: how clearly, 0 to 1.
    lead: how much more clearly than anything else.  share: the least likeness of any of its parts.
    peak: its likeness where it is clearest, which motion blurs.
    """

    deg: float
    score: float
    lead: float
    share: float
    peak: float

    @property
    def sure(self) -> bool:
        """Whether this is an arm, seen whole and at rest."""
        return (
            self.score >= LEAST_SCORE
            and self.lead >= LEAST_LEAD
            and self.share >= LEAST_SHARE
            and self.peak >= LEAST_PEAK
        )


class IdolReader:
    """Finds the arm of one idol; it must be shown once where the arm is."""

    def __init__(self, idol: Idol) -> None:
        self._idol = idol
        self._radii = np.arange(START * idol.arm_reach, BEYOND[1] * idol.arm_reach, STEP_MM)
        self._angles = np.arange(0.0, TURN_DEG, STEP_DEG)
        self._arm: Tone | None = None
        self._beside: Tone = np.zeros(3)
        self._bias_deg = ARM_BESIDE_DEG
        self._grid: tuple[Pose, NDArray[np.float32], NDArray[np.float32]] | None = None

    @property
    def knows_arm(self) -> bool:
        """Whether the arm's colour has been learned."""
        return self._arm is not None

    def learn(self, picture: Picture, pose: Pose, light: ColourCorrection, deg: float) -> bool:
        """Learn the arm's colour where it points to *deg*; return whether it stands out."""
        tones = np.roll(self._ring(picture, pose, light), -round(deg / STEP_DEG), axis=0)
        arm, radii = self._core(), self._radii
        on = tones[arm][:, radii <= END * self._idol.arm_reach]
        beside = tones[self._flank_rows()][:, radii > self._idol.diameter / 2 + STEP_MM]
        self._arm = np.median(on.reshape(-1, 3), axis=0)
        self._beside = np.median(beside.reshape(-1, 3), axis=0)
        self._bias_deg = ARM_BESIDE_DEG
        stands_out = float(np.linalg.norm(self._arm - self._beside)) >= LEAST_APART
        seen = self.find(picture, pose, light)
        if not stands_out or seen is None:
            return False
        apart = (seen.deg - deg + 180.0) % TURN_DEG - 180.0
        if abs(apart) > ASKEW_DEG:
            return False
        self._bias_deg += TRUST * apart
        return True

    def find(self, picture: Picture, pose: Pose, light: ColourCorrection) -> Arm | None:
        """Return the likeliest arm, or None if none was ever learned.

        It is looked for in more light only where it is not to be seen in the learned one.
        """
        if self._arm is None:
            return None
        ring = self._ring(picture, pose, light)
        found = self._look_for(self._arm, ring)
        for times in LIT:
            if found.sure:
                break
            brighter = self._look_for(apply_gain(self._arm, times), ring)
            found = brighter if brighter.sure else found
        return found

    def _look_for(self, arm: Tone, ring: NDArray[np.float32]) -> Arm:
        """Return what in the *ring* of tones is likeliest to be an *arm* of that tone."""
        like = self._likeness(arm, ring)
        reach = self._idol.arm_reach
        on = self._radii <= END * reach
        outside = self._radii > self._idol.diameter / 2 + STEP_MM
        core = _turned_mean(like, self._core())
        flanks = np.maximum(
            *(_turned_mean(like[:, on & outside], rows).mean(axis=1) for rows in self._flanks())
        )
        beyond = core[:, self._radii >= BEYOND[0] * reach].mean(axis=1)
        score = core[:, on].mean(axis=1) - np.maximum(flanks, beyond)
        best = int(score.argmax())
        away = np.abs((self._angles - self._angles[best] + 180.0) % TURN_DEG - 180.0)
        lead = float(score[best] - score[away >= RIVAL_DEG].max())
        share = float(cv2.blur(core[best : best + 1, on], (3, 1)).min())
        deg, peak = self._refine(like[:, on & outside], best)
        return Arm(deg, float(score[best]), lead, share, peak)

    def _refine(self, like: NDArray[np.float64], best: int) -> tuple[float, float]:
        """Return the angle around number *best* at which the arm's middle is, and its peak."""
        reach = round(HALF_ARM_DEG / STEP_DEG)
        offsets = np.arange(-reach, reach + 1)
        shares = like[(best + offsets) % len(like)].mean(axis=1)
        weights = shares**2
        middle = float((weights * offsets).sum() / max(float(weights.sum()), 1e-6))
        turned = float(self._angles[best]) + middle * STEP_DEG - self._bias_deg
        return turned % TURN_DEG, float(shares.max())

    def _likeness(self, arm: Tone, tones: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return how far each tone is from the surroundings' towards the arm's, 0 to 1."""
        axis = (arm - self._beside) * LIGHTNESS
        length = float(axis @ axis)
        apart = (tones - self._beside) * LIGHTNESS
        along = apart @ axis / max(length, 1e-9)
        across = np.linalg.norm(apart - along[..., None] * axis, axis=-1) / max(length, 1e-9) ** 0.5
        like = np.clip(2.0 * along - 0.5, 0.0, 1.0) - 0.7 * np.maximum(0.0, across - 0.2)
        return np.asarray(np.maximum(like, 0.0), np.float64)

    def _rows(self, low_mm: float, high_mm: float) -> NDArray[np.intp]:
        """Return the numbers of the angles so far clockwise beside the arm at its end."""
        per_step = self._idol.arm_reach * np.radians(STEP_DEG)
        return np.arange(round(low_mm / per_step), round(high_mm / per_step) + 1)

    def _core(self) -> NDArray[np.intp]:
        return self._rows(-CORE_MM, CORE_MM)

    def _flanks(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        rows = self._rows(*FLANKS_MM)
        return rows, -rows

    def _flank_rows(self) -> NDArray[np.intp]:
        return np.concatenate(self._flanks())

    def _ring(self, picture: Picture, pose: Pose, light: ColourCorrection) -> NDArray[np.float32]:
        """Return the tones (angles, radii, 3) around the idol at the arm's height."""
        if self._grid is None or self._grid[0] is not pose:
            turn = np.radians(self._angles)[:, None]
            x = self._idol.x + np.sin(turn) * self._radii
            y = self._idol.y - np.cos(turn) * self._radii
            points = np.stack([x, y, np.full_like(x, ARM_Z_MM)], axis=-1).reshape(-1, 3)
            pixels = pose.project(points).reshape(*x.shape, 2).astype(np.float32)
            self._grid = (pose, pixels[..., 0].copy(), pixels[..., 1].copy())
        ring = cv2.remap(picture, self._grid[1], self._grid[2], cv2.INTER_LINEAR)
        around = np.concatenate([ring[-1:], ring, ring[:1]])
        tones = cv2.blur(to_chroma(np.asarray(around, np.uint8), light), (3, 3))
        return np.asarray(tones[1:-1], np.float32)


def _turned_mean(like: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return for each angle the mean over the angles *rows* further on, one after the other."""
    count, first = len(rows), np.roll(like, -int(rows.min()), axis=0)
    sums = np.concatenate([np.zeros_like(first[:1]), first, first[: count - 1]]).cumsum(axis=0)
    return np.asarray((sums[count:] - sums[:-count]) / count, np.float64)
