"""The line of Tiki Topple as people and cameras see it: one place after the other."""

from companion.referee.game import EMPTY, Table
from companion.rules.tiki_topple import TIKIS, Line, is_tiki


def table_of(line: Line) -> Table:
    """Return what every place shows, the top one first."""
    return (*line, *(EMPTY,) * (len(TIKIS) - len(line)))


def line_of(seen: Table) -> Line:
    """Return the tikis of *seen* from the top down; none if they leave gaps."""
    tikis = tuple(content for content in seen if is_tiki(content))
    return tikis if table_of(tikis) == seen else ()
