"""How values are written: in the words of a text, and in JSON.

Each kind of value is declared once; reading, writing and what a refusal says follow from that.
"""

import difflib
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

MAX_QUOTED_CHARS: Final = 60  # characters of what was given
MAX_LIST_LENGTH: Final = 1000  # of a list


class Misspelt(ValueError):
    """What was given spells no such value.

    what: what is right, and what was given.  at: the keys that lead there, from outside.
    """

    def __init__(self, what: str, *at: str) -> None:
        super().__init__(f"{'.'.join(at)} is {what}" if at else what)
        self.what, self.at = what, at


def misspelt(what: str, given: object, known: Iterable[object] = ()) -> Misspelt:
    """Return the refusal of *given*, where *what* is right; it may have meant one of *known*."""
    shown = (
        f"'{given[:MAX_QUOTED_CHARS]}'"
        if isinstance(given, str)
        else repr(given)[:MAX_QUOTED_CHARS]
    )
    return Misspelt(f"{what}, not {shown}{nearest(given, known)}")


def nearest(given: object, known: Iterable[object]) -> str:
    """Return a question for the word of *known* that is much like *given*, or "".

    >>> nearest("pnik", ("pink", "green")), nearest("red", ("pink", "green"))
    ("; did you mean 'pink'?", '')
    """
    near = difflib.get_close_matches(str(given)[:MAX_QUOTED_CHARS], list(map(str, known)), 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def plain(thing: Any) -> Any:
    """Return *thing* ready for JSON: a tuple as a list, one with named fields as an object."""
    if not isinstance(thing, tuple):
        return thing
    if hasattr(thing, "_asdict"):
        return {key: plain(value) for key, value in thing._asdict().items()}
    return [plain(value) for value in thing]


@dataclass(frozen=True)
class Spelling(Generic[T]):
    """How one kind of value is written.

    what: what is right, to follow `rank is`.
    from_json, parse: return the value of a thing and of a text, or raise Misspelt.
    to_json, format: return what these give back.
    may_lack: whether an object may do without it.  is_shown: whether an object has it even if null.
    """

    what: str
    from_json: Callable[[Any], T]
    to_json: Callable[[T], Any]
    parse: Callable[[str], T]
    format: Callable[[T], str]
    may_lack: bool = False
    is_shown: bool = True


def one_of(words: Iterable[H], what: str = "") -> Spelling[H]:
    """Return the spelling of some words."""
    return named({str(word): word for word in words}, what)


def named(values: Mapping[str, H], what: str = "") -> Spelling[H]:
    """Return the spelling of *values*, each by its word."""
    words = {value: word for word, value in values.items()}
    *others, last = values
    what = what or f"{', '.join(others)} or {last}"

    def read(thing: object) -> H:
        if isinstance(thing, str) and thing in values:
            return values[thing]
        raise misspelt(what, thing, values)

    return Spelling(what, read, words.__getitem__, read, words.__getitem__)


def number(allowed: Collection[int], what: str = "") -> Spelling[int]:
    """Return the spelling of whole numbers; true, 1.0 and 01 are none."""
    what = what or f"a number from {min(allowed)} to {max(allowed)}"

    def from_json(thing: object) -> int:
        if type(thing) is int and thing in allowed:
            return thing
        raise misspelt(what, thing)

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 10 and text == str(int(text)):
            return from_json(int(text))
        raise misspelt(what, text)

    return Spelling(what, from_json, int, parse, str)


def seat(seats: int) -> Spelling[int]:
    """Return the spelling of a player's number."""
    return number(range(seats), f"a seat number from 0 to {seats - 1}")


def square(size: int) -> Spelling[int]:
    """Return the spelling of row * size + column on a board: `23`, or `[2, 3]`."""
    what = f"a row and a column, each from 0 to {size - 1}"
    names = [f"{row}{c}" for row in range(size) for c in range(size)]
    places = {name: place for place, name in enumerate(names)}
    pairs = {repr(list(divmod(place, size))): place for place in range(size * size)}

    def read(known: Mapping[str, int], text: str, given: object) -> int:
        if text in known:
            return known[text]
        raise misspelt(what, given)

    return Spelling(
        what,
        lambda thing: read(pairs, repr(thing), thing),
        lambda place: list(divmod(place, size)),
        lambda text: read(places, text, text),
        names.__getitem__,
    )


def flag() -> Spelling[bool]:
    """Return the spelling of yes or no."""
    what = "true or false"

    def read(thing: object) -> bool:
        if isinstance(thing, bool):
            return thing
        raise misspelt(what, thing)

    return custom(what, read)


def several(
    each: Spelling[T], what: str, least: int = 0, most: int = MAX_LIST_LENGTH, differ: bool = False
) -> Spelling[tuple[T, ...]]:
    """Return the spelling of some values of a kind: all words that are left, or a list.

    differ: whether none may come twice.
    """

    def read(things: object, read_each: Callable[[Any], T]) -> tuple[T, ...]:
        if not isinstance(things, list | tuple) or not least <= len(things) <= most:
            raise misspelt(what, things)
        try:
            values = tuple([read_each(thing) for thing in things])
        except Misspelt as error:
            what_each = error.what if error.at else f"{what}; each is {error}"
            raise Misspelt(what_each, *error.at) from None
        if differ and len(set(values)) < len(values):
            raise misspelt(what, things)
        return values

    return Spelling(
        what,
        lambda things: read(things, each.from_json),
        lambda values: [each.to_json(value) for value in values],
        lambda text: read(text.split(), each.parse),
        lambda values: " ".join([each.format(value) for value in values]),
    )


def custom(what: str, read: Callable[[Any], T]) -> Spelling[T]:
    """Return the spelling of values that *read* returns, or raises Misspelt; text is as JSON."""
    return Spelling(what, read, plain, read, str)


def maybe(
    each: Spelling[Any], absent: Any, word: str = "", before: str = "", is_shown: bool = True
) -> Spelling[Any]:
    """Return the spelling of a value that may be unknown or missing: null in JSON.

    absent: what stands for that.  word: its text; "" leaves it out, and an object may do so too.
    before: a word before the value.
    """
    what = f"{each.what} or {word or 'nothing'}"
    begin = f"{before} " if before else ""

    def parse(text: str) -> Any:
        if text == word:
            return absent
        if not text.startswith(begin):
            raise misspelt(f"{begin}{each.what}", text)
        return each.parse(text[len(begin) :])

    return Spelling(
        what,
        lambda thing: absent if thing is None else each.from_json(thing),
        lambda value: None if value == absent else each.to_json(value),
        parse,
        lambda value: word if value == absent else begin + each.format(value),
        may_lack=not word,
        is_shown=is_shown,
    )


def read_object(thing: object, fields: Mapping[str, Spelling[Any]]) -> dict[str, Any]:
    """Return the values of an object's keys, those of *fields*; raises Misspelt."""
    if not isinstance(thing, Mapping):
        raise misspelt(_outline(fields), thing)
    for key in thing:
        if key not in fields:
            shown = f"'{str(key)[:MAX_QUOTED_CHARS]}'"
            raise Misspelt(f"{_outline(fields)}, not with {shown}{nearest(key, fields)}")
    values = {}
    for key, spelling in fields.items():
        if key not in thing and not spelling.may_lack:
            raise Misspelt(f"{_outline(fields)}; {key} is missing")
        values[key] = read_at(key, spelling.from_json, thing.get(key))
    return values


def _outline(fields: Iterable[str]) -> str:
    return f"an object with {', '.join(fields) or 'nothing else'}"


def read_at(key: str, read: Callable[[Any], T], thing: object) -> T:
    """Return what *read* makes of *thing*; a refusal says that it is at *key*."""
    try:
        return read(thing)
    except Misspelt as error:
        raise Misspelt(error.what, key, *error.at) from None
