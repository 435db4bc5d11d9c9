"""What people say of a new game: kept as they typed it, and checked field by field."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.colours import COLOURS, seat_colours
from companion.language.catalogue import LANGUAGES
from companion.language.message import Message, message_of, say
from companion.language.speech import spoken, translated
from companion.recording import SIDES
from companion.referee.game import Game
from companion.referee.opening import open_header, same_people
from companion.registry import game_of
from companion.rules.base import RulesError
from companion.session.session import Header
from companion.web.forms import MAX_NAME_CHARS, Form
from companion.web.pages.again import first_of
from companion.web.pages.game_pages import Choice, Pages, pages_for
from companion.web.site import Site

MAX_PLAYERS: Final = 10
CHANCE: Final = "chance"
LEVELS: Final = {
    "gentle": say("Computer, gentle"),
    "fair": say("Computer, fair"),
    "strong": say("Computer, strong"),
}
"""How well the companion plays a seat itself, with the words for it."""
COMPUTER_NAMES: Final = (
    "Koa",
    "Lani",
    "Makoa",
    "Nalu",
    "Keoni",
    "Malia",
    "Kai",
    "Leilani",
    "Ikaika",
    "Noelani",
    "Pua",
)
YES: Final = "yes"


class Misfits(ValueError):
    """Fields that cannot be taken as they are: what is wrong with each, in a sentence.

    status: of the answer in HTTP.
    """

    def __init__(self, errors: Mapping[str, Message], status: int = 400) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors, self.status = errors, status


@dataclass(frozen=True, slots=True)
class Draft:
    """A new game as its form has it, right or wrong.

    names, colours, sides, computers: of `MAX_PLAYERS` seats, also of those beyond *count*, so that
    fewer players and then more again lose nothing.
    first: the number of a seat, or `CHANCE`.  options: as typed, by the key of each `Choice`.
    is_same: whether phones stay with their players.
    """

    game: str
    count: int
    names: tuple[str, ...]
    colours: tuple[str, ...]
    sides: tuple[str, ...]
    computers: tuple[str, ...] = ("",) * MAX_PLAYERS
    first: str = "0"
    options: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    is_same: bool = False

    @property
    def plays(self) -> Game[Any, Any]:
        """The chosen game."""
        found: Game[Any, Any] = game_of(self.game)
        return found

    @property
    def pages(self) -> Pages:
        """The chosen game's pages."""
        return pages_for(self.game)

    @property
    def choices(self) -> list[Choice]:
        """The options that are asked for."""
        return [choice for choice in self.pages.choices if choice.is_asked(self.count)]

    @property
    def has_sides(self) -> bool:
        """Whether it is asked where each player sits: each has a side of the table then."""
        return self.plays.seats[-1] <= len(SIDES)


def _filled(values: tuple[str, ...]) -> tuple[str, ...]:
    return (*values, *("",) * MAX_PLAYERS)[:MAX_PLAYERS]


def carried(site: Site, game: str) -> dict[str, Any]:
    """Return the options that a new game has without being asked for."""
    options, before = dict(site.table.usual(game)), site.live_session.header
    if before.game == game:
        kept = pages_for(game).carried
        options |= {key: value for key, value in before.options.items() if key in kept}
    return options


def first_draft(site: Site, game: str, *, is_same: bool) -> Draft:
    """Return the form of *game* before anybody has typed: with the people who are here, or none."""
    header = site.live_session.header
    people = same_people(game_of(game), header)
    seats = game_of(game).seats
    has_phones = any(map(site.keys.is_taken, range(len(header.players))))
    first = first_of(header) if header.game == game else 0
    draft = Draft(
        game=game,
        count=min(max(len(header.players), seats[0]), seats[-1]),
        names=_filled(people.players if is_same else ()),
        colours=_filled(people.colours if is_same else ()),
        sides=_filled(people.sides if is_same else ()),
        computers=_filled(people.computers if is_same else ()),
        first=CHANCE if first is None and pages_for(game).first_words[1] else str(first or 0),
        language=site.table.memory.language if site.table.memory.is_set_up else spoken(),
        is_same=is_same and has_phones,
    )
    return replace(draft, options=usual_options(site, draft))


def usual_options(site: Site, draft: Draft) -> dict[str, str]:
    """Return what the form shows of each option before anybody has chosen it."""
    header = site.live_session.header
    try:
        usual = draft.plays.parse_options(carried(site, draft.game), draft.count)
    except RulesError:
        usual = draft.plays.parse_options({}, draft.count)
    if header.game == draft.game and draft.count == len(header.players):
        usual = dict(header.options)
    return {choice.key: _typed(choice, usual.get(choice.key)) for choice in draft.pages.choices}


def _typed(choice: Choice, value: Any) -> str:
    match choice.kind:
        case "flag":
            return YES if value else ""
        case "number" if choice.hint or value is None:
            return ""
    return str(value)


def typed_draft(site: Site, form: Form, game: str, count: int) -> Draft:
    """Return what *form* says of a new *game* with *count* players, right or wrong."""
    draft = Draft(
        game=game,
        count=count,
        names=_all(form, "name"),
        colours=_all(form, "colour"),
        sides=_all(form, "side"),
        computers=_all(form, "computer"),
        first=form.get("first", "0"),
        language=form.get("language", site.table.memory.language),
        is_same="same" in form,
    )
    usual, asked = usual_options(site, draft), form.get("asked", "").split()
    options = {}
    for choice in draft.pages.choices:
        is_off = choice.kind == "flag" and choice.key in (asked or [choice.key])
        options[choice.key] = form.get(choice.key, "" if is_off else usual[choice.key])
    return replace(draft, options=options)


def _all(form: Form, name: str) -> tuple[str, ...]:
    return tuple(" ".join(form.get(f"{name}{seat}", "").split()) for seat in range(MAX_PLAYERS))


def fixed_colours(site: Site, draft: Draft) -> tuple[str, ...]:
    """Return the colour of each seat's own pieces in the chosen game; () if it has none."""
    plays = draft.plays
    try:
        options = plays.parse_options(carried(site, draft.game), draft.count)
        state = plays.rules.initial(draft.count, options, plays.setup(0))
    except RulesError:
        return ()
    return tuple(plays.colours(state))


def shown_colours(draft: Draft, fixed: tuple[str, ...]) -> list[str]:
    """Return the colour that each seat has as the form stands."""
    return seat_colours(draft.count, draft.colours, fixed)


def header_of(site: Site, draft: Draft) -> Header:
    """Return what opens the game that *draft* describes; raises Misfits."""
    errors: dict[str, Message] = {}
    names = _names(draft, errors)
    sides = _sides(draft, names, errors)
    colours = _colours(draft, names, errors)
    first = _first(draft, errors)
    computers = _computers(draft, errors)
    options = carried(site, draft.game) | _options(draft, errors)
    if draft.language not in LANGUAGES:
        errors["language"] = say("Choose one of the languages shown.")
    if errors:
        raise Misfits(errors)
    try:
        return open_header(draft.plays, names, options, first, sides, colours, computers)
    except RulesError as error:
        why = message_of(error)
        errors["game"] = say("The rules do not allow that: {why}.", why=why)
        raise Misfits(errors, 409) from None


def _names(draft: Draft, errors: dict[str, Message]) -> tuple[str, ...]:
    names = tuple(draft.names[seat] or usual_name(draft, seat) for seat in range(draft.count))
    for seat, name in enumerate(names):
        if len(name) > MAX_NAME_CHARS:
            errors[f"name{seat}"] = say(
                "A player’s name may have at most {most} characters.", most=MAX_NAME_CHARS
            )
        elif not name.isprintable():
            errors[f"name{seat}"] = say("A player’s name may have only letters, digits and spaces.")
        elif name.casefold() in [other.casefold() for other in names[:seat]]:
            errors[f"name{seat}"] = say(
                "Two players have the same name; give each a different one."
            )
    return names


def usual_name(draft: Draft, seat: int) -> str:
    """Return the name of *seat* if nobody gives it one."""
    if not draft.computers[seat]:
        return str(translated(say("Player {number}", number=seat + 1)))
    taken = [name.casefold() for name in draft.names[: draft.count]]
    free = [name for name in COMPUTER_NAMES if name.casefold() not in taken]
    return free[sum(map(bool, draft.computers[:seat])) % len(free)]


def _computers(draft: Draft, errors: dict[str, Message]) -> tuple[str, ...]:
    computers = draft.computers[: draft.count]
    for seat, level in enumerate(computers):
        if level and (level not in LEVELS or not draft.plays.has_own_play):
            errors[f"computer{seat}"] = say("Choose one of the options shown.")
    return computers


def _sides(draft: Draft, names: tuple[str, ...], errors: dict[str, Message]) -> tuple[str, ...]:
    sides = draft.sides[: draft.count]
    known = [side for side in sides if side in SIDES]
    free = [side for side in SIDES if side not in known]
    if len(free) == 1 and len(known) == len(sides) - 1:  # the last one sits where nobody else does
        known, sides = [*known, *free], tuple(side if side in SIDES else free[0] for side in sides)
    if not draft.has_sides or not known:
        return ()
    if len(set(known)) < len(known):
        errors["sides"] = say(
            "Two players are on the same side of the table; give each a different side."
        )
    elif len(known) < len(sides):
        missing = next(name for name, side in zip(names, sides, strict=True) if side not in SIDES)
        errors["sides"] = say(
            "Also tap where {player} sits, or leave the whole drawing empty.", player=missing
        )
    return sides


def _colours(draft: Draft, names: tuple[str, ...], errors: dict[str, Message]) -> tuple[str, ...]:
    colours = draft.colours[: draft.count]
    for seat, colour in enumerate(colours):
        if colour and colour not in COLOURS:
            errors[f"colour{seat}"] = say("Choose one of the colours shown.")
        elif colour and colour in colours[:seat]:
            errors[f"colour{seat}"] = say(
                "{player} has that colour already; choose another one.",
                player=names[colours.index(colour)],
            )
    return colours if any(colours) else ()


def _first(draft: Draft, errors: dict[str, Message]) -> int | None:
    ask, by_chance = draft.pages.first_words
    if draft.first == CHANCE and (by_chance or not ask):
        return None
    if draft.first in map(str, range(draft.count)):
        return int(draft.first)
    errors["first"] = say("Choose one of the players shown.")
    return None


def _options(draft: Draft, errors: dict[str, Message]) -> dict[str, Any]:
    """Return what is said of the options that are asked for; an empty number is the usual."""
    found: dict[str, Any] = {}
    for choice in draft.choices:
        typed = draft.options[choice.key]
        match choice.kind:
            case "flag":
                found[choice.key] = bool(typed)
            case "number" if typed:
                number = (
                    int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 7 else -1
                )
                found[choice.key] = number
                if not choice.least <= number <= choice.most:
                    errors[choice.key] = say(
                        "Enter a whole number from {least} to {most}.",
                        least=choice.least,
                        most=choice.most,
                    )
            case "word":
                found[choice.key] = typed
                if typed not in dict(choice.words):
                    errors[choice.key] = say("Choose one of the options shown.")
    return found
