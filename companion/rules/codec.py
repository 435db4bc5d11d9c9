"""Codecs: how values are written, in the words of a text and in JSON.

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


class InvalidValue(ValueError):
    """What was given is not such a value.

    what: what is right, and what was given.  at: the keys that lead there, from outside.
    """

    def __init__(self, what: str, *at: str) -> None:
        super().__init__(f"{'.'.join(at)} is {what}" if at else what)
        self.what, self.at = what, at


def invalid_value(what: str, given: object, known: Iterable[object] = ()) -> InvalidValue:
    """Return the refusal of *given*, where *what* is right; it may have meant one of *known*."""
    shown = (
        f"'{given[:MAX_QUOTED_CHARS]}'"
        if isinstance(given, str)
        else repr(given)[:MAX_QUOTED_CHARS]
    )
    return InvalidValue(f"{what}, not {shown}{nearest(given, known)}")


def nearest(given: object, known: Iterable[object]) -> str:
    """Return a question for the word of *known* that is much like *given*, or "".

    >>> nearest("pnik", ("pink", "green")), nearest("red", ("pink", "green"))
    ("; did you mean 'pink'?", '')
    """
    near = find_nearest(str(given), map(str, known))
    return f"; did you mean '{near}'?" if near else ""


def find_nearest(given: str, known: Iterable[str]) -> str:
    """Return the word of *known* that is most like *given*, "" if none is much like it."""
    return next(iter(difflib.get_close_matches(given[:MAX_QUOTED_CHARS], list(known), 1)), "")


def plain(thing: Any) -> Any:
    """Return *thing* ready for JSON: a tuple as a list, one with named fields as an object."""
    if not isinstance(thing, tuple):
        return thing
    if hasattr(thing, "_asdict"):
        return {key: plain(value) for key, value in thing._asdict().items()}
    return [plain(value) for value in thing]


@dataclass(frozen=True)
class Codec(Generic[T]):
    """How one kind of value is written.

    what: what is right, to follow `rank is`.
    from_json, parse: return the value of a thing and of a text, or raise InvalidValue.
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


def one_of(words: Iterable[H], what: str = "") -> Codec[H]:
    """Return the codec for some words."""
    return named({str(word): word for word in words}, what)


def named(values: Mapping[str, H], what: str = "") -> Codec[H]:
    """Return the codec for *values*, each by its word."""
    words = {value: word for word, value in values.items()}
    *others, last = values
    what = what or f"{', '.join(others)} or {last}"

    def read(thing: object) -> H:
        if isinstance(thing, str) and thing in values:
            return values[thing]
        raise invalid_value(what, thing, values)

    return Codec(what, read, words.__getitem__, read, words.__getitem__)


def number(allowed: Collection[int], what: str = "") -> Codec[int]:
    """Return the codec for whole numbers; true, 1.0 and 01 are none."""
    what = what or f"a number from {min(allowed)} to {max(allowed)}"

    def from_json(thing: object) -> int:
        if type(thing) is int and thing in allowed:
            return thing
        raise invalid_value(what, thing)

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 10 and text == str(int(text)):
            return from_json(int(text))
        raise invalid_value(what, text)

    return Codec(what, from_json, int, parse, str)


def seat(seats: int) -> Codec[int]:
    """Return the codec for a player's number."""
    return number(range(seats), f"a seat number from 0 to {seats - 1}")


def square(size: int) -> Codec[int]:
    """Return the codec for row * size + column on a board: `23`, or `[2, 3]`."""
    what = f"a row and a column, each from 0 to {size - 1}"
    names = [f"{row}{c}" for row in range(size) for c in range(size)]
    places = {name: place for place, name in enumerate(names)}
    pairs = {repr(list(divmod(place, size))): place for place in range(size * size)}

    def read(known: Mapping[str, int], text: str, given: object) -> int:
        if text in known:
            return known[text]
        raise invalid_value(what, given)

    return Codec(
        what,
        lambda thing: read(pairs, repr(thing), thing),
        lambda place: list(divmod(place, size)),
        lambda text: read(places, text, text),
        names.__getitem__,
    )


def flag() -> Codec[bool]:
    """Return the codec for yes or no."""
    what = "true or false"

    def read(thing: object) -> bool:
        if isinstance(thing, bool):
            return thing
        raise invalid_value(what, thing)

    return custom(what, read)


def list_of(
    each: Codec[T], what: str, least: int = 0, most: int = MAX_LIST_LENGTH, differ: bool = False
) -> Codec[tuple[T, ...]]:
    """Return the codec for some values of a kind: all words that are left, or a list.

    differ: whether none may come twice.
    """

    def read(things: object, read_each: Callable[[Any], T]) -> tuple[T, ...]:
        if not isinstance(things, list | tuple) or not least <= len(things) <= most:
            raise invalid_value(what, things)
        try:
            values = tuple([read_each(thing) for thing in things])
        except InvalidValue as error:
            what_each = error.what if error.at else f"{what}; each is {error}"
            raise InvalidValue(what_each, *error.at) from None
        if differ and len(set(values)) < len(values):
            raise invalid_value(what, things)
        return values

    return Codec(
        what,
        lambda things: read(things, each.from_json),
        lambda values: [each.to_json(value) for value in values],
        lambda text: read(text.split(), each.parse),
        lambda values: " ".join([each.format(value) for value in values]),
    )


def custom(what: str, read: Callable[[Any], T]) -> Codec[T]:
    """Return the codec for values that *read* returns, or raises InvalidValue; text is as JSON."""
    return Codec(what, read, plain, read, str)


def optional(
    each: Codec[Any], absent: Any, word: str = "", before: str = "", is_shown: bool = True
) -> Codec[Any]:
    """Return the codec for a value that may be unknown or missing: null in JSON.

    absent: what stands for that.  word: its text; "" leaves it out, and an object may do so too.
    before: a word before the value.
    """
    what = f"{each.what} or {word or 'nothing'}"
    begin = f"{before} " if before else ""

    def parse(text: str) -> Any:
        if text == word:
            return absent
        if not text.startswith(begin):
            raise invalid_value(f"{begin}{each.what}", text)
        return each.parse(text[len(begin) :])

    return Codec(
        what,
        lambda thing: absent if thing is None else each.from_json(thing),
        lambda value: None if value == absent else each.to_json(value),
        parse,
        lambda value: word if value == absent else begin + each.format(value),
        may_lack=not word,
        is_shown=is_shown,
    )


def read_object(thing: object, fields: Mapping[str, Codec[Any]]) -> dict[str, Any]:
    """Return the values of an object's keys, those of *fields*; raises InvalidValue."""
    if not isinstance(thing, Mapping):
        raise invalid_value(_outline(fields), thing)
    for key in thing:
        if key not in fields:
            shown = f"'{str(key)[:MAX_QUOTED_CHARS]}'"
            raise InvalidValue(f"{_outline(fields)}, not with {shown}{nearest(key, fields)}")
    values = {}
    for key, codec in fields.items():
        if key not in thing and not codec.may_lack:
            raise InvalidValue(f"{_outline(fields)}; {key} is missing")
        values[key] = read_at(key, codec.from_json, thing.get(key))
    return values


def _outline(fields: Iterable[str]) -> str:
    return f"an object with {', '.join(fields) or 'nothing else'}"


def read_at(key: str, read: Callable[[Any], T], thing: object) -> T:
    """Return what *read* makes of *thing*; a refusal says that it is at *key*."""
    try:
        return read(thing)
    except InvalidValue as error:
        raise InvalidValue(error.what, key, *error.at) from None
