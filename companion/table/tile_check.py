"""Whether the corner tiles that lie on the table were printed at their true size."""

from collections.abc import Callable
from typing import Final

from companion.language.message import Message, say
from companion.table.readers import usual_table
from vision.capture.frame import Frame
from vision.geometry.layout import Mat, parse_mat
from vision.geometry.table_view import view_of
from vision.geometry.tile_scale import measure_tile_scale

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


MAX_LOOKS: Final = 40
"""At tables on which not all four tiles are seen; to search for them takes as long as to read."""


class TileCheck:
    """Measures the tiles of each game once, and reports until they are right.

    report: called with what is concerned and what is wrong with it, "" once all is well.
    Used in the watcher's thread.
    """

    def __init__(self, report: Callable[[str, str], None]) -> None:
        self._report = report
        self._game = ""
        self._is_done = False
        self._unseen = 0
        self._reported = ""

    def look(self, game: str, frame: Frame) -> None:
        """Measure in *frame*, a table at rest, the tiles of *game*, if that is still needed."""
        if game != self._game:
            self._game, self._is_done, self._unseen = game, False, 0
            self._tell("")
        if self._is_done:
            return
        table = usual_table(game)
        if not table:
            self._is_done = True
            return
        mat = parse_mat(table)
        scale = measure_tile_scale(view_of(frame), mat)
        if scale is None:
            self._unseen += 1
            self._is_done = self._unseen >= MAX_LOOKS
            return
        trouble = size_trouble(scale, mat)
        self._is_done = trouble is None
        self._tell(trouble or "")

    def _tell(self, trouble: str) -> None:
        if trouble != self._reported:
            self._reported = trouble
            self._report(TILES, trouble)
