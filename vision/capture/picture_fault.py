"""What may be wrong with a picture of a table: one list for the game in play and for set-up."""

from enum import StrEnum


class PictureFault(StrEnum):
    """What is wrong with a camera's pictures, its lens, or the light on the table."""

    BLACK = "black"
    REPEATED = "repeated"
    DARK = "dark"
    BRIGHT = "bright"
    DARKER = "darker"
    """Than when the table was learned; as BRIGHTER is."""
    BRIGHTER = "brighter"
    GRAINY = "grainy"
    BANDS = "bands"
    """Dark ones that run through the picture, since the light flickers."""
    PUMPING = "pumping"
    """Dark and bright in turn."""
    BLURRED = "blurred"
    SMEARED = "smeared"
    """Blurred at one tile alone."""
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"
