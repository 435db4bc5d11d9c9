"""The reader of Tiki Topple: a line of tikis, calibrated with a line that is known."""

from collections.abc import Mapping
from typing import Any, Final

from companion.language.message import listed, say
from companion.referee.game import EMPTY, Table
from companion.rules.tiki_topple import tiki_name
from companion.table.readers import Description, ReaderSetup
from companion.table.table_plan import TablePlan, around, rectangle
from vision.capture.frame import Frame
from vision.geometry.layout import TIKI_TOPPLE, Layout, parse_layout
from vision.line.reader import LineReader
from vision.observation import Observation


class TikiToppleSetup(ReaderSetup):
    """How Tiki Topple is read."""

    reads_uncalibrated = True

    class_words = staticmethod(tiki_name)

    def open_reader(self, description: Description) -> LineReader:
        """Return a reader of the line; raises BadLayout."""
        return LineReader(_layout(description))

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
        return say("the line seems to be {tikis}; put it in the order shown", tikis=names)

    def start_truth(self, action: str) -> Mapping[str, Any] | None:
        """Return what lies there when *action* has begun a round, None if it begins none."""
        word, *line = action.split()
        return {"line": line} if word == "line" else None

    def known_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return the line in *table*, None if it is not known.

        >>> READER_SETUP.known_truth(("nani", "nui", "empty"))
        {'line': ['nani', 'nui']}
        """
        if not table or None in table or table[0] == EMPTY:
            return None
        return {"line": [tiki for tiki in table if tiki != EMPTY]}

    def table_of(self, truth: Mapping[str, Any]) -> Table:
        """Return what lies in the slots if a picture shows the line of *truth*.

        >>> READER_SETUP.table_of({"line": ["nani", "nui"]})[:3]
        ('nani', 'nui', 'empty')
        """
        line = truth["line"]
        return (*line, *(EMPTY,) * (len(TIKI_TOPPLE.slots) - len(line)))

    def shows(self, observation: Observation, truth: Mapping[str, Any]) -> bool:
        """Return whether the very line that was learned is read again."""
        reading = observation.reading
        return reading is not None and reading["line"] == list(truth["line"])

    def plan(self, description: Description) -> TablePlan:
        """Return the board and the slots of the line."""
        layout = _layout(description)
        slots = tuple(around(s.x, s.y, s.w, s.h, layout.floor_z) for s in layout.slots)
        return TablePlan(rectangle(layout.board), say("of the printed board"), slots)


def _layout(description: Description) -> Layout:
    return parse_layout(description) if description else TIKI_TOPPLE


READER_SETUP: Final = TikiToppleSetup()
