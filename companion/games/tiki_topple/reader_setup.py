"""The reader of Tiki Topple: a line of tikis, calibrated with all nine in a known order."""

from collections.abc import Mapping
from typing import Any, Final

from companion.language.message import listed, say
from companion.rules.tiki_topple import tiki_name
from companion.watching.readers import Description, Reader, ReaderSetup
from vision.capture.frame import Frame
from vision.geometry.layout import TIKI_TOPPLE, parse_layout
from vision.line.reader import LineReader


def open_reader(description: Description) -> Reader:
    """Return a reader of the line; raises BadLayout."""
    return LineReader(parse_layout(description) if description else TIKI_TOPPLE)


def check(frame: Frame, truth: Mapping[str, Any]) -> str | None:
    """Return why *frame* cannot be a picture of the line in *truth*, None if it may be one.

    Colours under other names would make every later reading wrong, so what the usual colours see
    plainly is accepted over what people meant to put there.
    """
    seen = LineReader(TIKI_TOPPLE).read(frame).reading
    if seen is None or seen["line"] == list(truth["line"]):
        return None
    names = listed(map(tiki_name, seen["line"]))
    return say("the line seems to be {tikis}; put it in the order shown", tikis=names)


def start_truth(action: str) -> Mapping[str, Any] | None:
    """Return what lies there when *action* has begun a round, None if it begins none."""
    word, *line = action.split()
    return {"line": line} if word == "line" else None


READER_SETUP: Final = ReaderSetup(
    open_reader,
    reads_uncalibrated=True,
    check=check,
    start_truth=start_truth,
)
