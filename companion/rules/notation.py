"""How a game is written: its actions as texts and objects, its options and its set-up.

A game declares each kind of action once: how its text begins, the `type` of its object, and how its
fields are spelt. `up2 nani` and `{"type": "played", "card": "up2", "tiki": "nani"}` follow.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.codec import (
    MAX_QUOTED_CHARS,
    Codec,
    InvalidValue,
    nearest,
    read_at,
    read_object,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A")
C = TypeVar("C", bound="DataclassInstance")
Fields = Mapping[str, Codec[Any]]
Clausal = tuple[Codec[Any], str]

MAX_CACHED_TEXTS: Final = 4096  # texts whose actions are kept
_NONE: Final[Fields] = {}


class Kind:
    """How one kind of action is written.

    action: its class.  name: the `type` of its object.
    usage: texts of it for people, in single quotes; the word that begins the first begins them all.
    fields: in the order of the class.  make: makes an action of them; may raise InvalidValue.
    first_words: the words of the first field, if a text begins with that.
    """

    def __init__(
        self,
        action: Any,
        name: str,
        usage: str,
        fields: Fields = _NONE,
        make: Callable[..., Any] | None = None,
        first_words: Collection[str] = (),
    ) -> None:
        self.action, self.name, self.usage = action, name, usage
        self.outline = f"'{name}'" + (f" ({', '.join(fields)})" if fields else "")
        word = usage.split("'", 2)[1].split(" ", 1)[0]
        self.words = first_words or (word,)
        self._begin = "" if first_words else word
        self._make, self._fields = make or action, fields
        self._parts = tuple(zip(action.__match_args__, fields.values(), strict=True))

    def parse(self, text: str) -> Any:
        """Return the action of *text*, which has single spaces only; raises InvalidValue."""
        text = text[len(self._begin) :].lstrip()
        words = text.split(" ", len(self._parts) - 1) if self._parts else []
        if text and not words:
            raise InvalidValue("nothing follows it")
        words += [""] * (len(self._parts) - len(words))
        values = []
        for (key, codec), word in zip(self._fields.items(), words, strict=True):
            if not word and not codec.may_lack:
                raise InvalidValue("missing", key)
            values.append(read_at(key, codec.parse, word))
        return self._make(*values)

    def format(self, action: Any) -> str:
        """Return the text of *action*."""
        text = self._begin
        for part, codec in self._parts:
            word = codec.format(getattr(action, part))
            text = f"{text} {word}" if text and word else text or word
        return text

    def from_json(self, thing: Mapping[str, Any]) -> Any:
        """Return the action of an object; raises InvalidValue."""
        fields = {key: value for key, value in thing.items() if key != "type"}
        return self._make(*read_object(fields, self._fields).values())

    def to_json(self, action: Any) -> dict[str, Any]:
        """Return *action* as an object."""
        told = {"type": self.name}
        for (part, codec), key in zip(self._parts, self._fields, strict=True):
            thing = codec.to_json(getattr(action, part))
            if thing is not None or codec.is_shown:
                told[key] = thing
        return told


class Notation(Generic[A]):
    """How all actions of a game are written."""

    def __init__(self, *kinds: Kind) -> None:
        self.usage = ", ".join(kind.usage for kind in kinds[:-1]) + f" or {kinds[-1].usage}"
        self.outline = ", ".join(kind.outline for kind in kinds)
        self._by_word = {word: kind for kind in kinds for word in kind.words}
        self._by_name = {kind.name: kind for kind in kinds}
        self._by_class = {kind.action: kind for kind in kinds}
        # The referee and the log read the same few texts over and over.
        self._parse: Callable[[str], A] = lru_cache(MAX_CACHED_TEXTS)(self._parse_anew)

    def format_action(self, action: A) -> str:
        """Return the text of *action*; parse_action gives it back."""
        return self._by_class[type(action)].format(action)

    def parse_action(self, text: str) -> A:
        """Return the action that *text* names; raises InvalidAction, saying what would be right."""
        return self._parse(text)

    def _parse_anew(self, text: str) -> A:
        text = " ".join(text.split())
        word = text.partition(" ")[0]
        kind = self._by_word.get(word)
        if kind is None:
            right = f"an action is {self.usage}{nearest(word, self._by_word)}"
            raise InvalidAction(f"'{text[:MAX_QUOTED_CHARS]}' is not an action; {right}")
        try:
            action: A = kind.parse(text)
        except InvalidValue as error:
            right = f"write it like {kind.usage}: {error}"
            raise InvalidAction(f"'{text[:MAX_QUOTED_CHARS]}' is not an action; {right}") from None
        return action

    def action_from_json(self, thing: object) -> A:
        """Return the action given as its text or as an object with a `type`.

        Raises InvalidAction, saying what would be right.
        """
        if isinstance(thing, str):
            return self.parse_action(thing)
        name = thing.get("type") if isinstance(thing, Mapping) else None
        kind = self._by_name.get(name) if isinstance(name, str) else None
        if kind is None or not isinstance(thing, Mapping):
            raise InvalidAction(f"an action is its text, or an object with type {self.outline}")
        try:
            action: A = kind.from_json(thing)
        except InvalidValue as error:
            raise InvalidAction(f"an action of type {kind.outline}: {error}") from None
        return action

    def action_to_json(self, action: A) -> dict[str, Any]:
        """Return *action* as an object with a `type`."""
        return self._by_class[type(action)].to_json(action)


class Choices(Generic[C]):
    """The options of a game: by name, how each is spelt and the clause that it is about."""

    def __init__(self, **options: Clausal) -> None:
        self._options = options

    def to_json(self, options: C) -> dict[str, Any]:
        """Return *options* as `read` takes them."""
        return {key: s.to_json(getattr(options, key)) for key, (s, _) in self._options.items()}

    def read(self, usual: C, given: Mapping[str, Any]) -> C:
        """Return *usual* with the options that are *given*; raises InvalidSetup."""
        for key in given:
            if key not in self._options:
                known = ", ".join(self._options)
                raise InvalidSetup(
                    f"there is no option '{str(key)[:MAX_QUOTED_CHARS]}'; the options are {known}"
                    f"{nearest(key, self._options)}"
                )
        told = {key: option for key, option in self._options.items() if key in given}
        return dataclasses.replace(usual, **_read_clausal(given, told))


def read_setup(setup: Mapping[str, Any] | None, **fields: Clausal) -> dict[str, Any]:
    """Return what *setup* says, by key; raises InvalidSetup.

    fields: how each is spelt, which may be missing, and the clause that it is about.
    """
    return _read_clausal(setup or {}, fields, "setup")


def _read_clausal(thing: object, fields: Mapping[str, Clausal], *at: str) -> dict[str, Any]:
    try:
        return read_object(thing, {key: codec for key, (codec, _) in fields.items()})
    except InvalidValue as error:
        clause = f" ({fields[error.at[0]][1]})" if error.at else ""
        raise InvalidSetup(f"{InvalidValue(error.what, *at, *error.at)}{clause}") from None


def require_seats(seats: object, allowed: range, game: str, clause: str) -> None:
    """Raise InvalidSetup unless *game* is for so many players."""
    if type(seats) is not int or seats not in allowed:
        players = " to ".join(map(str, sorted({allowed[0], allowed[-1]})))
        raise InvalidSetup(f"{game} is for {players} players, not {repr(seats)[:60]} ({clause})")
