"""The pages of Topple: a board of stacks, and where the next piece may go."""

from functools import partial
from typing import Any, Final

from companion.referee.topple import FALLS, ToppleTable, spot_name
from companion.web.games import told
from companion.web.games.pages import Pages
from companion.web.site import Site, Visitor


def cells(site: Site) -> list[list[dict[str, Any]]]:
    """Return what each spot of the board holds, row by row: its level, its stack and its name."""
    table = site.board().table or {}
    return [
        [
            {
                "spot": f"{row}{column}",
                "name": spot_name(f"{row}{column}"),
                "level": table["levels"][row][column],
                "stack": stack,
                "height": len(stack),
                "top": stack[-1] if stack else "",
            }
            for column, stack in enumerate(stacks)
        ]
        for row, stacks in enumerate(table["cells"])
    ]


def taps(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what may be tapped in now: by *seat*, or by the host for None.

    rolls: pips.  colours, spots: of the pieces that may be placed, and where.  fall, nothing:
    whether it may have toppled, or whether passing is allowed.  knocks: seats that may have knocked
    it over.
    """
    actions = told.offered(site, seat)
    places = [words for words in actions if words[0] == "place"]
    return {
        "rolls": [words[1] for words in actions if words[0] == "roll"],
        "colours": list(dict.fromkeys(colour for _, _, colour in places)),
        "spots": {spot for _, spot, _ in places},
        "fall": ["topple"] in actions,
        "nothing": ["pass"] in actions,
        "knocks": [int(words[1]) for words in actions if words[0] == "knock"],
    }


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the board, and the colour of each seat's first pieces."""
    del visitor
    table = site.board().table or {}
    return {"cells": cells(site), "paints": [colours[0] for colours in table["colours"]]}


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the host may tap in, and what else a fall just now may have been."""
    del visitor
    scribe = told.scribe_of(site)
    last = scribe.newest()
    if last is None or last.forms[0].split()[0] not in FALLS:
        return {"taps": taps(site, None), "fell": None, "others": []}
    instead = [action.split() for action in scribe.alternatives() if action != last.forms[0]]
    others = [int(words[1]) for words in instead if words[0] == "knock"]
    return {"taps": taps(site, None), "fell": last, "others": others}


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the visitor's seat may tap in."""
    return {"taps": taps(site, visitor.seat)}


PAGES: Final = Pages(
    title="Topple",
    stage="table",
    stage_label="The board",
    desk=told.DESK,
    seat=told.SEAT,
    own="My seat",
    seats=ToppleTable.seats,
    begin=partial(told.begin, ToppleTable.name, ("two_colours",)),
    flavours=(ToppleTable.name, "told"),
    first_words=("Who begins", "roll for it"),
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
)
