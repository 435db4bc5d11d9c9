"""What a game adds to the pages: the pieces that only it has, and how a new one is begun."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from companion.language.message import Message, message_of, say
from companion.referee.past import GameCourse
from companion.registry import load
from companion.rules.base import RulesError
from companion.table.readers import reader_setup_of
from companion.web.forms import Form, Refused
from companion.web.site import Site, Visitor

Intent: TypeAlias = Callable[[Site, Form], str | None]
"""Does what a form asks for and returns the page to show next, None for the desk."""

BOARD: Final = (
    "masthead", "turn", "lobby", "replay", "question", "ending", "table", "scores",
    "history", "call",
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
    "lobby", "turn", "replay", "question", "ending", "byhand", "undo", "corrections", "teaching",
    "seats", "eyes", "filming", "timing", "games", "hands", "call",
)  # fmt: skip
SEAT: Final = (
    "standing", "turn", "replay", "question", "ending", "coach", "seat", "own_last", "table",
    "scores", "history", "call",
)  # fmt: skip
WELCOME: Final = ("spotted",)
NO_HANDS: Final = say("This game has no hands of cards to photograph.")


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
    ranks: whether players have points of their own, by which they are ranked.
    known: a table that people put up for the reader to learn from; None if they learn from the game
        as it stands, or not at all.  known_words: what lies there then.
    samples: one piece of each class, laid out only to be learned, where the game begins without
        some of them; None if it needs none.  samples_words: what lies where then.
    calibration_words: what people do before they press.
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
    known: Mapping[str, Any] | None = None
    known_words: str = ""
    samples: Mapping[str, Any] | None = None
    samples_words: str = ""
    calibration_words: str = say(
        "Set up the table as the page shows it. Take your hands away, then press the button. The"
        " camera learns the colours of the pieces and how the board is lit."
    )

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what only this game's templates of the board need: its *table* and *scores*."""
        game = site.live_session.header.game
        return {"table_plan": lambda: reader_setup_of(game).plan(None)}

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what its *byhand* needs, on the desk."""
        return {}

    def seat_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what its *seat* needs, on a seat's page."""
        return {}

    def lowest_wins(self, site: Site) -> bool:
        """Return whether the fewest points are best."""
        return False

    def secret_wanted(self, site: Site, seat: int) -> str:
        """Return the first word of the action that *seat* may enter in secret now, "" if none."""
        return ""

    def keep(self, site: Site, seat: int, form: Form) -> None:
        """Keep what *seat* enters for its own eyes; raises Refused."""
        raise Refused(409, say("This game has no secrets to enter."))

    def own_words(self, site: Site, visitor: Visitor, action: str) -> bool:
        """Return whether *visitor*, who may speak now, may say *action* in these very words.

        Some name what one phone alone may know, and the answer would tell it to any other.
        """
        return True

    def objection(self, action: str) -> str:
        """Return what is wrong with *action* as a form has put it together, in a sentence.

        "" if nothing that the form itself could have told.
        """
        return ""

    def composed(self, site: Site, form: Form) -> str | None:
        """Return the action that a form with fields of the game's own says; None for any other.

        Raises InvalidAction in words for people.
        """
        return None

    def rewrites(self, before: str, after: str) -> bool:
        """Return whether *after* may replace the earlier *before* though it is not offered.

        People write it into fields.
        """
        return False

    def typed(self, action: str) -> str:
        """Return an action as people may type it, such as "move a5 a4", as the rules have it."""
        return action

    def reason(self, site: Site, error: RulesError) -> str:
        """Return why the rules refuse an action, in words that give no secret away."""
        return message_of(error)

    def highlights(self, course: GameCourse[Any, Any]) -> Iterable[Message]:
        """Return what stood out in a game, in two or three sentences for everyone."""
        return ()

    def drawn(self, site: Site) -> tuple[str, ...]:
        """Return the actions, all equally likely, of which the companion may draw one."""
        return ()

    def card_values(self, site: Site, seat: int | None, colour: str, symbol: str) -> dict[str, Any]:
        """Return what a photographed card may be entered as by a seat, or by the host for None.

        colour, symbol: as a reader names them.  Raises Refused.
        """
        raise Refused(409, say("This game has no cards to photograph."))

    def photographed(self, seen: tuple[str, str]) -> Sequence[str] | None:
        """Return the cards that a reader may call by *seen*, a colour and a symbol.

        None where it reads no cards of this game in photographs.
        """
        return None

    def card_words(self, colour: str, symbol: str) -> Message:
        """Return what a photographed card is called."""
        raise Refused(409, NO_HANDS)

    def hand_size(self, site: Site, seat: int) -> int:
        """Return how many cards the hand of *seat* has."""
        raise Refused(409, NO_HANDS)

    def hand_due(self, site: Site, seat: int | None) -> int:
        """Return whose hand *seat*, or the host for None, may photograph now; raises Refused."""
        raise Refused(409, NO_HANDS)

    def hand_values(
        self, site: Site, seat: int, cards: Sequence[PhotographedCard], size: tuple[int, int]
    ) -> dict[str, Any]:
        """Return what `hand_photo.html` shows of the *cards* in a picture of the hand of *seat*.

        size: of the picture, in pixels.  What is entered in the end is told by `composed`.
        """
        raise Refused(409, NO_HANDS)


def pages_for(game: str) -> Pages:
    """Return the pages of *game*."""
    pages: Pages = load(game, "pages").PAGES
    return pages


def pages_of(site: Site) -> Pages:
    """Return the pages of the game that is on."""
    return pages_for(site.live_session.header.game)
