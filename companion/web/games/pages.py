"""What a game adds to the pages: the pieces that only it has, and how a new one is begun."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.session.session import Header
from companion.web.forms import Refused
from companion.web.site import Site, Visitor

Form: TypeAlias = Mapping[str, str]
Values: TypeAlias = Callable[[Site, Visitor], dict[str, Any]]
Begin: TypeAlias = Callable[[Form, Sequence[str], Sequence[str], Header], Header]
Intent: TypeAlias = Callable[[Site, Form], str | None]
"""Does what a form asks for and returns the page to show next, None for the desk."""


def _keeps_nothing(site: Site, seat: int, form: Form) -> None:
    del site, seat, form
    raise Refused(409, "Nothing secret is kept in this game.")


def _nothing(site: Site, visitor: Visitor) -> dict[str, Any]:
    del site, visitor
    return {}


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one game.

    title: its name.  stage, stage_label: the piece of the scoreboard that shows the table.
    flavours: a piece `x` is made by the first template there is of `region_x.FLAVOUR.html`, else by
        `region_x.html`.
    desk, seat: the pieces of these pages, in order.
    desk_values, seat_values: what only this game's templates need.
    own: what a seat's page is called.  seats: how many may play.
    first_words: how the form of a new game asks for the first seat, and what leaves it to chance.
    idol: whether an idol is spun, and may be asked to be fair.
    begin: makes the header of a new game of its form, the names, the sides and the game before.
    keep: keeps what a seat enters for its own eyes.
    intents: what only this game's forms ask for, by address.
    """

    title: str
    stage: str
    stage_label: str
    desk: tuple[str, ...]
    seat: tuple[str, ...]
    own: str
    seats: range
    begin: Begin
    flavours: tuple[str, ...] = ()
    first_words: tuple[str, str] = ("Who begins", "")
    idol: bool = False
    board_values: Values = _nothing
    desk_values: Values = _nothing
    seat_values: Values = _nothing
    keep: Callable[[Site, int, Form], None] = _keeps_nothing
    intents: Mapping[str, Intent] = field(default_factory=dict)

    @property
    def board(self) -> tuple[str, ...]:
        """The pieces of the scoreboard."""
        return ("masthead", self.stage, "turn", "question", "scores", "history", "hands")
