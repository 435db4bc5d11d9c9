"""The pages of the score sheet: a table of rounds, and a field for points."""

from typing import Any, Final, NoReturn

from companion.games.score_sheet.highlights import highlights
from companion.language.message import say
from companion.registry import GAMES, game_of
from companion.rules.base import InvalidAction
from companion.rules.score_sheet import LEAST, MOST, NAME
from companion.rules.score_sheet.forms import MAX_TARGET_POINTS
from companion.rules.score_sheet.play import MAX_ROUNDS
from companion.web.forms import Form
from companion.web.pages.game_pages import Choice, Pages
from companion.web.pages.offers import offered
from companion.web.site import Site, Visitor

MAX_GIVEN_CHARS: Final = 12
"""Of what was typed in place of points, so much is said again."""
SHOWN_ROUNDS: Final = 5
"""So many of the newest rounds fit on a television; those before are one sum."""
NARROW_ROUNDS: Final = 3
"""So many fit on a phone."""


def _number(form: Form, place: int, name: str) -> str:
    """Return the number in field *place* as the rules have it, "" if it was left empty."""
    given = form.get(f"part{place}", "").strip().replace("−", "-").replace("–", "-")  # noqa: RUF001
    if given and f"minus{place}" in form:
        given = f"-{given.removeprefix('-')}"
    if not given:
        return ""
    digits = given.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 5 and LEAST <= int(given) <= MOST:
        return str(int(given))
    raise InvalidAction(
        say(
            "{player}’s points must be a whole number from {least} to {most}, not “{given}”",
            player=name,
            least=LEAST,
            most=MOST,
            given=given[:MAX_GIVEN_CHARS],
        )
    )


def _nothing_written() -> NoReturn:
    raise InvalidAction(say("no points have been entered; type them into the fields"))


def _games() -> tuple[tuple[str, str], ...]:
    others = [name for name in GAMES if name != NAME]
    return (("", say("any game")), *((name, game_of(name).title) for name in others))


class ScoreSheetPages(Pages):
    """The pages of the score sheet."""

    stage_label = say("The rounds")
    summary = say("Play any game you like; only the score is kept here.")
    joining = say("to enter their own points")
    first_words = ("", "")
    first_reason = say("Nobody begins: the points of a round are entered in any order.")
    choices = (
        Choice(
            "of",
            say("Game played"),
            "word",
            words=_games(),
            help=say("The name appears above the sheet; the rules of that game are up to you."),
        ),
        Choice(
            "target",
            say("Points that end the game"),
            most=MAX_TARGET_POINTS,
            hint=say("none"),
            help=say("The game ends after the round in which somebody reaches this score."),
        ),
        Choice(
            "rounds",
            say("Rounds"),
            most=MAX_ROUNDS,
            hint=say("as many as you like"),
            help=say(
                "The game ends after this many rounds; the host may also end it between two rounds."
            ),
        ),
        Choice(
            "lowest",
            say("The fewest points win"),
            "flag",
            help=say("For games where points are bad."),
        ),
    )

    highlights = staticmethod(highlights)

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return the newest rounds, whose game it is, and what may be written."""
        table = site.board().table
        of = table["options"]["of"]
        rounds = list(enumerate(table["rounds"], 1))
        earlier = [points for _, points in rounds[:-SHOWN_ROUNDS]]
        return {
            "phrase": say("Round {round}", round=table["round"]),
            "sheet": rounds[-SHOWN_ROUNDS:],
            "earlier": len(earlier),
            "sums": [sum(points) for points in zip(*earlier, strict=True)],
            "narrow": NARROW_ROUNDS,
            "written": table["written"],
            "of": game_of(of).title if of in GAMES else "",
            "least": LEAST,
            "most": MOST,
        }

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return whether the game may be ended."""
        return {"may_end": ["end"] in offered(site, None)}

    def composed(self, site: Site, form: Form) -> str | None:
        """Return the action of a form with a number and its sign for one seat or for each.

        A telephone's keys for numbers have no minus, so that is a box to tick.
        Raises InvalidAction if a number is none, and for a form without any.
        """
        names = site.live_session.header.players
        match form.get("action", "").split():
            case ["points", seat] if seat in map(str, range(len(names))):
                return f"points {seat} {_number(form, 0, names[int(seat)]) or _nothing_written()}"
            case ["round"]:
                numbers = [_number(form, seat, name) for seat, name in enumerate(names)]
                if not any(numbers):
                    _nothing_written()
                return " ".join(("round", *(each or "?" for each in numbers)))
        return None

    def rewrites(self, before: str, after: str) -> bool:
        """Return whether *after* has points for the same seats as *before*."""
        match before.split(), after.split():
            case ["points", old, _], ["points", new, _]:
                return old == new
            case ["round", *old], ["round", *new]:
                return [each == "?" for each in old] == [each == "?" for each in new]
        return False

    def lowest_wins(self, site: Site) -> bool:
        """Return whether the fewest points are best."""
        return bool(site.board().table["options"]["lowest"])


PAGES: Final = ScoreSheetPages()
