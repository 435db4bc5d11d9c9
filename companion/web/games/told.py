"""What the pages of all told games share: what a visitor may tap now, and a new game."""

from collections.abc import Sequence
from typing import Any, Final

from companion.referee.games import open_header
from companion.referee.scribe import Scribe
from companion.session.session import Header
from companion.web.forms import Refused, number
from companion.web.games.pages import Form
from companion.web.site import Site

DESK: Final = ("turn", "question", "byhand", "undo", "corrections", "teaching", "seats")
SEAT: Final = ("turn", "seat")
MOST_POINTS: Final = 9999


def scribe_of(site: Site) -> Scribe[Any, Any]:
    """Return the referee that is told; raises Refused if the game that is on is watched."""
    scribe = site.sitting.scribe
    if scribe is None:
        raise Refused(409, "Another game is on; go back to its own page.")
    return scribe


def offered(site: Site, seat: int | None) -> list[list[str]]:
    """Return the words of each action that may be told now: by *seat*, or by the host for None."""
    scribe = scribe_of(site)
    return [text.split() for text in scribe.offers() if seat is None or scribe.may_tell(seat, text)]


def begin(
    game: str,
    by_seats: Sequence[str],
    form: Form,
    names: Sequence[str],
    sides: Sequence[str],
    before: Header,
) -> Header:
    """Return what opens the game that *form* asks for; raises Refused or InvalidSetup.

    The table's options are those of the game *before*, but for those that *by_seats* names if other
    many play now.
    """
    options = dict(before.options)
    if len(names) != len(before.players):
        options = {key: value for key, value in options.items() if key not in by_seats}
    if form.get("target"):
        options["target"] = number(form, "target", 1, MOST_POINTS)
    asked = form.get("first", "0")
    first = None if asked == "chance" else number({"first": asked}, "first", 0, len(names) - 1)
    return open_header(game, names, options, first, sides)
