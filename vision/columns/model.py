"""What readers of columns know of the pieces beforehand, and how far they trust what tells heights.

Figures of TacTiki and discs of Topple have networks of their own, and numbers that were fitted to
rendered tables of theirs (`vision/training`).
"""

from enum import Enum
from pathlib import Path
from typing import Final

from vision.columns.cue_fusion import CueWeight, CueWeights
from vision.columns.cues.top_registration import PairErrorModel

MODELS: Final = Path(__file__).parents[1] / "models"


class Model(float, Enum):
    """Which pieces the network is to expect, as it is told."""

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
    def sure(self) -> float:
        """Least probability of each spot's class in a reading, nothing being in the way."""
        return SURE[self]

    @property
    def covered(self) -> float:
        """A spot that is more likely hidden than this is not read, whatever else it may show."""
        return COVERED[self]

    @property
    def cue_weights(self) -> CueWeights:
        """How far all that tells heights of these pieces is trusted."""
        return CUE_WEIGHTS[self]

    @property
    def plain(self) -> float:
        """Shadows are asked wherever a column may stand whose height is less certain than this."""
        return PLAIN[self]


OUTLINES: Final = MODELS / "discs-outlines.onnx"
"""The weights for outlines of discs; those of figures differ too much from set to set."""
TRUST: Final = PairErrorModel(
    sigma=0.062,
    sigma_exponent=2.23,
    view_angle_gain=0.93,
    column_log_spread=0.49,
    outlier_share=0.099,
    independent_share=0.92,
    common_sigma=0.2,
)
"""How far likeness is trusted, of figures: as fitted, but for what is common. Discs are not laid
over others. Decision 0206 says why, of both."""
SURE: Final = {Model.FIGURES: 0.97, Model.DISCS: 0.93}
COVERED: Final = {Model.FIGURES: 0.2, Model.DISCS: 0.15}
PLAIN: Final = {Model.FIGURES: 0.9995, Model.DISCS: 0.998}
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
