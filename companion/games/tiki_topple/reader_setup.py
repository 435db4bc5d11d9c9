"""The reader of Tiki Topple: a line of tikis, calibrated with a line that is known."""

from collections.abc import Mapping
from typing import Any, Final

from companion.language.message import listed, say
from companion.rules import tiki_topple
from companion.rules.tiki_topple import tiki_name
from companion.table.line_setup import LineSetup
from companion.table.readers import Description
from vision.capture.frame import Frame
from vision.geometry.layout import TIKI_TOPPLE, TIKIS, Layout, parse_layout


class TikiToppleSetup(LineSetup):
    """How Tiki Topple is read."""

    game = tiki_topple.NAME
    pieces = TIKIS
    reads_uncalibrated = True

    class_words = staticmethod(tiki_name)

    def layout(self, description: Description) -> Layout:
        """Return where everything lies; raises BadLayout."""
        return parse_layout(description) if description else TIKI_TOPPLE

    def check(
        self, frame: Frame, truth: Mapping[str, Any], description: Description = None, /
    ) -> str | None:
        """Return why *frame* cannot be a picture of the line in *truth*, None if it may be one.

        Colours under other names would make every later reading wrong, so what the usual colours
        see plainly is accepted over what people meant to put there.
        """
        seen = self.open_reader(description).read(frame).reading
        if seen is None or seen["line"] == list(truth["line"]):
            return None
        names = listed(map(tiki_name, seen["line"]))
        return say("the line seems to be {tikis}; put the tikis in the order shown", tikis=names)

    def start_truth(self, action: str) -> Mapping[str, Any] | None:
        """Return what lies there when *action* has begun a round, None if it begins none."""
        word, *line = action.split()
        return {"line": line} if word == "line" else None


READER_SETUP: Final = TikiToppleSetup()
