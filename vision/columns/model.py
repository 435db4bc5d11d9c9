"""What is known of the pieces beforehand: their networks, the weights of cues, thresholds.

Figures of TacTiki and discs of Topple have networks of their own. The numbers were fitted to
rendered tables; `training.fit_cue_weights` and `fit_registration` print them anew.
"""

from enum import Enum
from pathlib import Path
from typing import Final

from vision.columns.cue_fusion import CueWeight, CueWeights
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
    def shadows_path(self) -> Path:
        """Where the weights for the shadows of these pieces are."""
        return MODELS / f"{self.name.lower()}-shadows.onnx"

    @property
    def comparison_path(self) -> Path:
        """Where the weights are that compare these shadows with known ones."""
        return MODELS / f"{self.name.lower()}-comparison.onnx"

    @property
    def min_certainty(self) -> float:
        """Minimum probability of each spot's class in a whole reading, given that it is visible."""
        return MIN_CERTAINTY[self]

    @property
    def max_hidden(self) -> float:
        """Maximum probability of hidden at any spot in a whole reading."""
        return MAX_HIDDEN[self]

    @property
    def cue_weights(self) -> CueWeights:
        """The weights of the cues to heights of these pieces."""
        return CUE_WEIGHTS[self]

    @property
    def shadows_below(self) -> float:
        """Shadows are measured for columns less certain than this."""
        return SHADOWS_BELOW[self]


OUTLINES: Final = MODELS / "discs-outlines.onnx"
"""Network for outlines of discs; outlines of figures differ too much from set to set."""
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
SHADOWS_BELOW: Final = {Model.FIGURES: 0.9995, Model.DISCS: 0.998}
"""Thresholds of probability, chosen on rendered and altered boards so that none is read wrongly."""
CUE_WEIGHTS: Final = {
    Model.FIGURES: CueWeights(
        column=CueWeight(0.8), shadow=CueWeight(0.8), outline=CueWeight(1.0), relief=CueWeight(1.0)
    ),
    Model.DISCS: CueWeights(
        column=CueWeight(0.7, growth=0.36, floor=1e-4),
        shadow=CueWeight(0.42, growth=-0.57, floor=4e-4),
        outline=CueWeight(1.15, growth=0.39),
        relief=CueWeight(0.84),
        light=CueWeight(1.0, floor=0.05),
    ),
}
"""As `training.fit_cue_weights` fitted them to rendered tables; floors were set by hand."""
