"""What is known of the pieces beforehand: their networks, errors and thresholds.

Figures of TacTiki and discs of Topple have networks of their own. The numbers were fitted to
rendered tables; `training.fit_registration` prints the errors of registered tops anew.
"""

from enum import Enum
from pathlib import Path
from typing import Final

from vision.columns.cues.top_registration import PairErrorModel

MODELS: Final = Path(__file__).parents[1] / "models"


class Model(float, Enum):
    """Which pieces there are; the value is the network's input for them."""

    FIGURES = -0.5
    DISCS = 0.5

    @property
    def path(self) -> Path:
        """Where the weights for these pieces are."""
        return MODELS / f"{self.name.lower()}.onnx"

    @property
    def min_certainty(self) -> float:
        """Minimum probability of each spot's class in a whole reading, given that it is visible."""
        return MIN_CERTAINTY[self]

    @property
    def max_hidden(self) -> float:
        """Maximum probability of hidden at any spot in a whole reading."""
        return MAX_HIDDEN[self]


FIGURE_SHADOWS: Final = MODELS / "figures-shadows.onnx"
"""Network for the shadows that figures cast."""
FIGURE_COMPARISON: Final = MODELS / "figures-comparison.onnx"
"""Network that compares these shadows with known ones."""
PAIR_ERRORS: Final = PairErrorModel(
    sigma=0.062,
    sigma_exponent=2.23,
    view_angle_gain=0.93,
    column_log_spread=0.49,
    outlier_share=0.099,
    independent_share=0.92,
    common_sigma=0.2,
)
"""Errors of registered tops of figures: as fitted, but for the common part."""
MIN_CERTAINTY: Final = {Model.FIGURES: 0.97, Model.DISCS: 0.93}
MAX_HIDDEN: Final = {Model.FIGURES: 0.2, Model.DISCS: 0.15}
"""Thresholds of probability, chosen on rendered and altered boards so that none is read wrongly."""
