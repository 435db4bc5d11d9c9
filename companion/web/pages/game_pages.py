"""What a game adds to the pages: the pieces that only it has, and how a new one is begun."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from companion.language.message import Message, message_of, say
from companion.referee.past import GameCourse
from companion.registry import load
from companion.rules.base import RulesError
from companion.web.forms import Form, Refused
from companion.web.site import Site, Visitor

Values: TypeAlias = Callable[[Site, Visitor], dict[str, Any]]
Intent: TypeAlias = Callable[[Site, Form], str | None]
"""Does what a form asks for and returns the page to show next, None for the desk."""

BOARD: Final = (
    "masthead", "turn", "lobby", "question", "ending", "table", "scores", "history", "call",
)  # fmt: skip
VIEWS: Final[dict[str, tuple[str, ...]]] = {
    "": BOARD,
    "maker": (*BOARD, "hands"),
    "overlay": ("overlay",),
    "screen": BOARD,
}
"""The pieces of the scoreboard by its view: as usual, with lights and display, for a film, or for a
screen at which nobody points."""
DESK: Final = (
    "lobby", "turn", "question", "ending", "byhand", "undo", "corrections", "teaching", "seats",
    "eyes", "games", "hands", "call",
)  # fmt: skip
SEAT: Final = (
    "standing", "turn", "question", "ending", "seat", "own_last", "table", "scores", "history",
    "call",
)  # fmt: skip
WELCOME: Final = ("spotted",)


class PhotographedCard(NamedTuple):
    """A card in the photograph of a hand.

    card: its colour and symbol, as readers name them; None if that is not sure.
    at: where it is, in pixels.  size_px: how large that is.
    """

    card: tuple[str, str] | None
    at: tuple[float, float]
    size_px: float


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of the rules that the form of a new game asks for.

    key: of the option.  label: for people.  kind: a number, yes or no, or one of *words*.
    least, most: of a number.  words: each value with its words.
    hint: what is taken if a number is left out.
    help: what it changes, in a sentence.
    players: with how many it is asked for; None: with any number.
    """

    key: str
    label: str
    kind: Literal["number", "flag", "word"] = "number"
    least: int = 1
    most: int = 99
    words: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    help: str = ""
    players: range | None = None

    def is_asked(self, players: int) -> bool:
        """Return whether it is asked for in a game of so many *players*."""
        return self.players is None or players in self.players


def _keeps_nothing(site: Site, seat: int, form: Form) -> None:
    del site, seat, form
    raise Refused(409, say("This game has no secrets to enter."))


def _nothing(site: Site, visitor: Visitor) -> dict[str, Any]:
    del site, visitor
    return {}


def _anything(site: Site, visitor: Visitor, action: str) -> bool:
    del site, visitor, action
    return True


def _no_objection(action: str) -> str:
    del action
    return ""


def _as_typed(action: str) -> str:
    return action


def _no_fields(site: Site, form: Form) -> str | None:
    del site, form
    return None


def _never(before: str, after: str) -> bool:
    del before, after
    return False


def _no_draw(site: Site) -> tuple[str, ...]:
    del site
    return ()


def _nothing_special(course: GameCourse[Any, Any]) -> tuple[Message, ...]:
    del course
    return ()


def _no_cards(site: Site, seat: int | None, colour: str, symbol: str) -> dict[str, Any]:
    del site, seat, colour, symbol
    raise Refused(409, say("This game has no cards to photograph."))


def _no_hand(site: Site, seat: int | None) -> int:
    del site, seat
    raise Refused(409, say("This game has no hands to photograph."))


def _no_hand_values(
    site: Site, seat: int, cards: Sequence[PhotographedCard], size: tuple[int, int]
) -> dict[str, Any]:
    del site, seat, cards, size
    raise Refused(409, say("This game has no hands to photograph."))


def _most_win(site: Site) -> bool:
    del site
    return False


def _as_it_is(site: Site, error: RulesError) -> str:
    del site
    return message_of(error)


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one game; its templates lie beside it and come before those of all games.

    summary: what one does in the game, in a sentence.
    stage_label: what the picture of its table is called.  own: what a seat's page is called.
    joining: what a seat's phone is good for.
    first_words: how the form of a new game asks for the first seat, "" if nobody is asked, and what
        leaves it to chance, "" if chance does not decide it.
    first_does: what the first seat does, as said beside its name.
    first_reason: what the rulebook says about it, in a sentence.
    choices: the options that this form asks for.  carried: those that stay as they were.
    idol: whether an idol is spun, and may be asked to be fair.
    ranks: whether players have points of their own, by which they are ranked.  lowest_wins: whether
        the fewest are best.
    known: a table that people put up for the reader to learn from; None if they learn from the game
        as it stands, or not at all.  known_words: what lies there then.
    samples: one piece of each class, laid out only to be learned, where the game begins without
        some of them; None if it needs none.  samples_words: what lies where then.
    calibration_words: what people do before they press.
    board_values, desk_values, seat_values: what only this game's templates need; *table* and
        *scores* on the board, *byhand* on the desk and *seat* on a seat's page are its own.
    keep: keeps what a seat enters for its own eyes.
    own_words: tells whether a visitor, who may speak now, may say an action in these very words:
        some name what one phone alone may know, and the answer would tell it to any other.
    objection: what is wrong with an action as a form has put it together, in a sentence; "" if
        nothing that the form itself could have told.
    composed: the action that a form with fields of the game's own says; None for any other form.
        Raises InvalidAction in words for people.
    rewrites: tells whether one action may be put in the place of an earlier one though it is not
        offered, since people write it into fields.
    typed: an action as people may type it, such as "move a5 a4", as the rules have it.
    reason: why the rules refuse an action, in words that give no secret away.
    highlights: what stood out in a game, in two or three sentences for everyone.
    drawn: the actions, all equally likely, from which the companion may draw one for the people.
    card_values: what a photographed card, a colour and a symbol as readers name it, may be entered
        as by a seat, or by the host for None; raises Refused.
    hand_due: whose hand a seat, or the host for None, may photograph now; raises Refused.
    hand_values: what `hand_photo.html` shows of the cards in a picture of the hand of a seat, given
        its size in pixels; what is entered in the end is told by *composed*.
    """

    summary: str = ""
    stage_label: str = say("The table")
    own: str = say("My seat")
    joining: str = say("to enter their own turns")
    first_words: tuple[str, str] = (say("Who begins"), "")
    first_does: str = say("begins")
    first_reason: str = ""
    choices: tuple[Choice, ...] = ()
    carried: tuple[str, ...] = ()
    idol: bool = False
    ranks: bool = True
    lowest_wins: Callable[[Site], bool] = _most_win
    known: Mapping[str, Any] | None = None
    known_words: str = ""
    samples: Mapping[str, Any] | None = None
    samples_words: str = ""
    calibration_words: str = say(
        "Set up the table as the page shows it. Take your hands away, then press the button. The"
        " camera learns the colours of the pieces and how the board is lit."
    )
    board_values: Values = _nothing
    desk_values: Values = _nothing
    seat_values: Values = _nothing
    keep: Callable[[Site, int, Form], None] = _keeps_nothing
    own_words: Callable[[Site, Visitor, str], bool] = _anything
    objection: Callable[[str], str] = _no_objection
    composed: Callable[[Site, Form], str | None] = _no_fields
    rewrites: Callable[[str, str], bool] = _never
    typed: Callable[[str], str] = _as_typed
    reason: Callable[[Site, RulesError], str] = _as_it_is
    highlights: Callable[[GameCourse[Any, Any]], Iterable[Message]] = _nothing_special
    drawn: Callable[[Site], tuple[str, ...]] = _no_draw
    card_values: Callable[[Site, int | None, str, str], dict[str, Any]] = _no_cards
    hand_due: Callable[[Site, int | None], int] = _no_hand
    hand_values: Callable[
        [Site, int, Sequence[PhotographedCard], tuple[int, int]], dict[str, Any]
    ] = _no_hand_values


def pages_for(game: str) -> Pages:
    """Return the pages of *game*."""
    pages: Pages = load(game, "pages").PAGES
    return pages


def pages_of(site: Site) -> Pages:
    """Return the pages of the game that is on."""
    return pages_for(site.live_session.header.game)
