"""What the companion means to do for a seat that it plays itself, until people have done it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Intention:
    """A move that is said, shown and lit, and counts once it is seen or somebody says it is done.

    seat: whose move it is.  action: its text, "" where the companion waits for people.
    words: what people do for it, in a sentence without its full stop.  told: the same in few words.
    places: of the table that the hand which does it touches, from first to last; () if none.
    mark: differs between any two, so that "done" meets the one it was said of; "" where the
        companion waits for people, and there is nothing to be done by it.
    page: where people do it, "" for at the table alone.
    """

    seat: int
    action: str
    words: str
    told: str
    places: tuple[int, ...] = ()
    mark: str = ""
    page: str = ""
