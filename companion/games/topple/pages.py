"""The pages of Topple: a board of stacks, and where the next piece may go."""

from typing import Any, Final

from companion.games.topple.game import FALLS, spot_name
from companion.games.topple.highlights import highlights
from companion.web.offers import offered
from companion.web.pages import Choice, Pages
from companion.web.site import Site, Visitor
from vision.observation import Tilted

SHOWN_DEG: Final = 0.5
"""Tilts are shown in steps of this."""
LEVEL_DEG: Final = 1.0
SIDES: Final = ("to the far side", "to the right", "to the near side", "to the left")


def cells(site: Site) -> list[list[dict[str, Any]]]:
    """Return what each spot of the board holds, row by row: its level, its stack and its name."""
    table = site.board().table
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
    """Return what may be entered now: by *seat*, or by the host for None.

    rolls: pips.  colours, spots: of the pieces that may be placed, and where.  fall, nothing:
    whether it may have toppled, or whether passing is allowed.  knocks: seats that may have knocked
    it over.
    """
    actions = offered(site, seat)
    places = [words for words in actions if words[0] == "place"]
    return {
        "rolls": [words[1] for words in actions if words[0] == "roll"],
        "colours": list(dict.fromkeys(colour for _, _, colour in places)),
        "spots": {spot for _, spot, _ in places},
        "fall": ["topple"] in actions,
        "nothing": ["pass"] in actions,
        "knocks": [int(words[1]) for words in actions if words[0] == "knock"],
    }


def tilt_words(tilted: Tilted | None) -> str:
    """Return how the board tilts, in words for a bystander; "" if no camera has seen it.

    >>> tilt_words(Tilted(2.3, 95.0, False))
    'The board tilts by 2.5° to the right.'
    """
    if tilted is None or tilted.has_toppled:
        return ""
    deg = round(tilted.deg / SHOWN_DEG) * SHOWN_DEG
    if deg < LEVEL_DEG:
        return "The board is level."
    side = SIDES[round(tilted.towards_deg / 90.0) % len(SIDES)]
    return f"The board tilts by {deg:g}° {side}."


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the board and how it stands."""
    del visitor
    return {
        "cells": cells(site),
        "tilt": tilt_words(site.live_session.referee.glimpses.newest(Tilted)),
    }


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the host may enter, and what else a fall just now may have been."""
    del visitor
    referee = site.live_session.referee
    last = referee.newest()
    if last is None or last.forms[0].split()[0] not in FALLS:
        return {"taps": taps(site, None), "fell": None, "others": []}
    instead = [action.split() for action in referee.alternatives() if action != last.forms[0]]
    others = [int(words[1]) for words in instead if words[0] == "knock"]
    return {"taps": taps(site, None), "fell": last, "others": others}


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the visitor's seat may enter."""
    return {"taps": taps(site, visitor.seat)}


def rolls(site: Site) -> tuple[str, ...]:
    """Return what a die that the companion rolls may show."""
    return tuple(text for text in site.live_session.referee.offers() if text.startswith("roll "))


PAGES: Final = Pages(
    highlights=highlights,
    stage_label="The board",
    first_words=("Who begins", "roll the die for it"),
    choices=(
        Choice("target", "Points to win", most=9999),
        Choice("young", "For young players: whoever topples is out", "flag"),
    ),
    carried=("target", "colours", "count_completing", "must_place", "next_start", "tie"),
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
    drawn=rolls,
)
