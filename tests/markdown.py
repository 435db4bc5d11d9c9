"""Tables in Markdown, printed line by line as their figures come."""

from collections.abc import Iterable, Iterator, Sequence


def list_rows(headings: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield the lines of a table with these *headings* and *rows*.

    >>> list(list_rows(["game", "moves"], [["topple", 20]]))
    ['| game | moves |', '|---|---|', '| topple | 20 |']
    """
    yield f"| {' | '.join(headings)} |"
    yield f"|{'---|' * len(headings)}"
    for cells in rows:
        yield f"| {' | '.join(map(str, cells))} |"
