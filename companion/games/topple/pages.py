"""The pages of Topple: a board of stacks, and where the next piece may go."""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.topple.game import FALLS
from companion.games.topple.highlights import highlights
from companion.games.topple.words import SIZE, spot_name, typed
from companion.language.message import Message, listed, say
from companion.rules.topple import COLOURS
from companion.rules.topple.board import colour_words
from companion.session.history import Act
from companion.web.pages.game_pages import Choice, Pages
from companion.web.pages.offers import offered
from companion.web.site import Site, Visitor
from vision.observation import Tilted

SHOWN_DEG: Final = 0.5
"""Tilts are shown in steps of this."""
LEVEL_DEG: Final = 1.0
NOTHING: Final[list[list[str]]] = [[]] * SIZE
SAMPLES: Final = [NOTHING, NOTHING, [*([colour] for colour in COLOURS), []], NOTHING, NOTHING]
"""One piece of each colour in the middle row, for the camera."""


def cells(table: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """Return what each spot holds, row by row: its level, its stack and its name.

    table: as `Topple.view` has it.  sign: of a colour, its place among those of the edition.
    """
    colours = table["options"]["colours"]
    return [
        [
            {
                "spot": f"{row}{column}",
                "place": row * SIZE + column,
                "name": spot_name(row * SIZE + column),
                "level": table["levels"][row][column],
                "stack": [(colour, colours.index(colour)) for colour in stack],
                "height": len(stack),
                "top": stack[-1] if stack else "",
                "sign": colours.index(stack[-1]) if stack else -1,
                "words": table["names"][stack[-1]] if stack else "",
            }
            for column, stack in enumerate(stacks)
        ]
        for row, stacks in enumerate(table["cells"])
    ]


def taps(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what may be entered now: by *seat*, or by the host for None.

    rolls: pips.  colours, spots: of the pieces that may be placed, and where; colour: the one that
    is chosen already.  cells: the board as it is.  fall, nothing: whether it may have toppled, or
    whether passing is allowed.  knocks: seats that may have knocked it over.
    """
    actions = offered(site, seat)
    places = [words for words in actions if words[0] == "place"]
    colours = list(dict.fromkeys(colour for _, _, colour in places))
    return {
        "rolls": [words[1] for words in actions if words[0] == "roll"],
        "colours": colours,
        "colour": _usual_colour(site, colours),
        "spots": {spot for _, spot, _ in places},
        "cells": cells(site.board().table) if places else [],
        "fall": ["topple"] in actions,
        "nothing": ["pass"] in actions,
        "knocks": [int(words[1]) for words in actions if words[0] == "knock"],
    }


def _usual_colour(site: Site, colours: list[str]) -> str:
    """Return which of *colours* was placed last by whose turn it is, else the first of them."""
    if len(colours) > 1:
        placed = site.board().turn
        for act in reversed(site.live_session.session.history.acts):
            word, _, colour = act.forms[0].rpartition(" ")
            if act.seat == placed and word.startswith("place") and colour in colours:
                return colour
    return colours[0] if colours else ""


def tilt_words(tilted: Tilted | None) -> str:
    """Return how the board tilts, in words for a bystander; "" if no camera has seen it.

    >>> tilt_words(Tilted(2.3, 95.0, False))
    'The board tilts by 2.5° to the right.'
    """
    if tilted is None or tilted.has_toppled:
        return ""
    deg = round(tilted.deg / SHOWN_DEG) * SHOWN_DEG
    if deg < LEVEL_DEG:
        return say("The board is level.")
    match round(tilted.towards_deg / 90.0) % 4:
        case 0:
            return say("The board tilts by {angle}° to the far side.", angle=deg)
        case 1:
            return say("The board tilts by {angle}° to the right.", angle=deg)
        case 2:
            return say("The board tilts by {angle}° to the near side.", angle=deg)
    return say("The board tilts by {angle}° to the left.", angle=deg)


def _is_fall(act: Act) -> bool:
    return act.forms[0].split()[0] in FALLS


class TopplePages(Pages):
    """The pages of Topple."""

    summary = say("Stack your pieces on a wobbly board, and do not be the one who topples it.")
    first_reason = say("By the rulebook, everybody rolls, and the highest roll begins.")
    stage_label = say("The board")
    samples: Mapping[str, Any] = {"cells": SAMPLES}
    samples_words = say(
        "One piece of each colour in the middle row: {colours}, starting in column A; everything"
        " else empty",
        colours=listed(map(colour_words, COLOURS)),
    )
    first_words = (say("Who begins"), say("roll the die to decide"))
    choices = (
        Choice(
            "target",
            say("Points to win"),
            most=9999,
            help=say("When somebody has this many at the end of a round, the highest total wins."),
        ),
        Choice(
            "young",
            say("The young people’s version"),
            "flag",
            help=say(
                "Nobody scores. Whoever makes pieces fall is out, and the last one left wins."
            ),
        ),
        Choice(
            "two_colours",
            say("Two colours each"),
            "flag",
            help=say("With two players, each plays the pieces of two colours."),
            players=range(2, 3),
        ),
        Choice(
            "count_completing",
            say("The piece that completes a row counts in it, too"),
            "flag",
            help=say("By the rulebook, only the four other stacks of the row count."),
        ),
        Choice(
            "next_start",
            say("Who begins the next round"),
            "word",
            words=(
                ("next", say("the next player in turn")),
                ("same", say("whoever began this round")),
                ("roll", say("roll the die to decide")),
            ),
            help=say("The rulebook leaves it open."),
        ),
        Choice(
            "tie",
            say("If several players lead at the end"),
            "word",
            words=(
                ("play_on", say("they play another round")),
                ("share", say("they share the win")),
            ),
            help=say("The rulebook leaves this open, too."),
        ),
    )
    carried = ("target", "colours", "count_completing", "must_place", "next_start", "tie")
    typed = staticmethod(typed)

    highlights = staticmethod(highlights)

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return the board and how it stands; after a round, as it stood at its end."""
        board = site.board()
        ended = board.round_end
        final: Message | str = ""
        if ended:
            final = say(
                "All pieces are placed. This is the tower of round {round}.", round=ended.number
            )
            if ended.clause != "TO-11":
                final = say(
                    "This is how the tower of round {round} stood before it fell.",
                    round=ended.number,
                )
        return {
            "cells": cells((ended.view if ended else {}) or board.table),
            "final": final,
            "tilt": ""
            if ended
            else tilt_words(site.live_session.referee.side_observations.newest(Tilted)),
        }

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the host may enter, and what else a fall just now may have been.

        fell: the fall.  was_other: whether it was taken for another fall first.
        others: the seats that may have knocked it over instead.
        """
        referee = site.live_session.referee
        last = referee.newest()
        if last is None or not _is_fall(last):
            return {"taps": taps(site, None), "fell": None, "was_other": False, "others": []}
        instead = [action.split() for action in referee.alternatives() if action != last.forms[0]]
        others = [int(words[1]) for words in instead if words[0] == "knock"]
        was_other = last.replaces is not None and _is_fall(last.replaces)
        return {"taps": taps(site, None), "fell": last, "was_other": was_other, "others": others}

    def seat_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what the visitor's seat may enter."""
        return {"taps": taps(site, visitor.seat)}

    def drawn(self, site: Site) -> tuple[str, ...]:
        """Return what a die that the companion rolls may show."""
        return tuple(
            text for text in site.live_session.referee.offers() if text.startswith("roll ")
        )


PAGES: Final = TopplePages()
