"""The pages of the score sheet: a table of rounds, and a field for points."""

from typing import Any, Final

from companion.games import GAMES, game_of
from companion.language.message import say
from companion.rules.score_sheet import LEAST, MOST
from companion.rules.score_sheet.forms import MAX_TARGET_POINTS
from companion.rules.score_sheet.play import MAX_ROUNDS
from companion.web.offers import offered
from companion.web.pages import Choice, Pages
from companion.web.site import Site, Visitor

SHOWN_ROUNDS: Final = 8
"""So many of the newest rounds fit on a television."""


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the newest rounds with their numbers, and whose game it is."""
    del visitor
    table = site.board().table
    of = table["options"]["of"]
    rounds = list(enumerate(table["rounds"], 1))
    return {
        "phrase": say("Round {round}", round=table["round"]),
        "sheet": rounds[-SHOWN_ROUNDS:],
        "earlier": len(rounds[:-SHOWN_ROUNDS]),
        "written": table["written"],
        "of": game_of(of).title if of in GAMES else "",
    }


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the limits of points, and whether the game may be ended."""
    del visitor
    return {"least": LEAST, "most": MOST, "may_end": ["end"] in offered(site, None)}


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the limits of points."""
    del site, visitor
    return {"least": LEAST, "most": MOST}


def _games() -> tuple[tuple[str, str], ...]:
    others = [name for name in GAMES if name != "score_sheet"]
    return (("", say("any game")), *((name, game_of(name).title) for name in others))


PAGES: Final = Pages(
    stage_label=say("The rounds"),
    joining=say("to write their own points"),
    first_words=("", ""),
    choices=(
        Choice("of", say("Points of"), "word", words=_games()),
        Choice("target", say("Points to end the game"), most=MAX_TARGET_POINTS, hint=say("none")),
        Choice("rounds", say("Rounds"), most=MAX_ROUNDS, hint=say("as many as you like")),
        Choice("lowest", say("The fewest points win"), "flag"),
    ),
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
)
