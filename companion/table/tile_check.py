"""Whether the corner tiles that lie on the table were printed at their true size."""

from typing import Final

from companion.language.message import Message, say
from vision.geometry.layout import Mat

TILES: Final = say("the corner tiles")
MAX_DEVIATION: Final = 0.018
"""Of 40 mm that is 0.7 mm. In rendered pictures true tiles are measured within 0.0045; people may
lay them 4 mm wrong, which is another 0.012."""


def size_trouble(scale: float, mat: Mat) -> Message | None:
    """Return what is wrong with tiles of *scale*, in one line with the remedy; None if nothing.

    >>> mat = Mat(420.0, 300.0, (0, 1, 2, 3), 40.0)
    >>> print(size_trouble(1.01, mat))
    None
    """
    if abs(scale - 1) <= MAX_DEVIATION:
        return None
    return say(
        "they look {percent} % as large as they should. Measure a black square: if it is not"
        " {marker} mm, print the tiles again at 100 %; if it is, lay them {nearer},"
        " {width} × {height} mm from middle to middle",
        percent=round(100 * scale),
        marker=mat.marker_mm,
        nearer=say("closer together") if scale < 1 else say("further apart"),
        width=mat.width,
        height=mat.height,
    )
