"""Messages: English texts that know how they were made, so that another language can say them.

A message is a `str`, as in zope.i18nmessageid: logs, programs and tests read English, while a page
asks `Message.in_language` for its reader's own words.  Messages are never cut, joined or changed as
text; they are put into other messages, listed, or set one after another.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, Protocol, Self

ListStyle = Literal["and", "or", "units"]
_JOINTS: Final[Mapping[ListStyle, str]] = {"and": " and ", "or": " or ", "units": ", "}


class Language(Protocol):
    """A language that messages can be said in."""

    def text(self, english: str, context: str = "") -> str:
        """Return what stands for *english*; *context* tells like texts of other meaning apart."""

    def counted(self, one: str, many: str, number: int) -> str:
        """Return what stands for *one* or *many*, as it is said of *number*."""

    def listed(self, items: list[str], style: ListStyle) -> str:
        """Return *items* as a list in words."""

    def decimal(self, number: float) -> str:
        """Return *number* with the decimal sign of the language."""


class _English:
    """The language that messages are written in."""

    def text(self, english: str, context: str = "") -> str:
        del context
        return english

    def counted(self, one: str, many: str, number: int) -> str:
        return one if number == 1 else many

    def listed(self, items: list[str], style: ListStyle) -> str:
        return _JOINTS[style].join([part for part in (", ".join(items[:-1]), *items[-1:]) if part])

    def decimal(self, number: float) -> str:
        return f"{number:g}"


ENGLISH: Final[Language] = _English()


class Message(str):
    """A text in English that can be said in another language; see `say`."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        """Return the same in *language*."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        # What goes to another process or a file is plain English.
        return str, (str(self),)


class _Said(Message):
    __slots__ = ("context", "template", "values")
    template: str
    context: str
    values: Mapping[str, Any]

    def in_language(self, language: Language) -> str:
        return _filled(language.text(self.template, self.context), self.values, language)


class _Counted(Message):
    __slots__ = ("number", "one", "template", "values")
    one: str
    template: str
    number: int
    values: Mapping[str, Any]

    def in_language(self, language: Language) -> str:
        chosen = language.counted(self.one, self.template, self.number)
        return _filled(chosen, self.values, language)


class _Listed(Message):
    __slots__ = ("items", "style")
    items: list[str]
    style: ListStyle

    def in_language(self, language: Language) -> str:
        return language.listed([in_language(item, language) for item in self.items], self.style)


class _Sequence(Message):
    __slots__ = ("between", "items")
    items: list[str]
    between: str

    def in_language(self, language: Language) -> str:
        return self.between.join(in_language(item, language) for item in self.items)


class _Capitalised(Message):
    __slots__ = ("of",)
    of: Message

    def in_language(self, language: Language) -> str:
        text = self.of.in_language(language)
        return text[:1].upper() + text[1:]


def say(template: str, /, **values: Any) -> Message:
    """Return *template* with its `{names}` filled in by *values*, as a message.

    template: a literal, since it is what the catalogues translate; see `mark` for any other.
    values: names and numbers, and messages, which are translated too.

    >>> say("{player} attacks {field}", player="Ann", field="C3")
    'Ann attacks C3'
    """
    return say_as("", template, **values)


def say_as(context: str, template: str, /, **values: Any) -> Message:
    """Return a message as `say` does; *context* tells it from the same words in another meaning.

    >>> say_as("a card", "Reverse")
    'Reverse'
    """
    found = _Said(_filled(template, values, ENGLISH))
    found.template, found.context, found.values = template, context, values
    return found


def say_count(one: str, many: str, number: int, /, **values: Any) -> Message:
    """Return *one* if that is how *number* is said, else *many*; both may have `{number}`.

    >>> say_count("{number} card", "{number} cards", 1), say_count("1 turn", "{number} turns", 2)
    ('1 card', '2 turns')
    """
    values = {"number": number, **values}
    found = _Counted(_filled(ENGLISH.counted(one, many, number), values, ENGLISH))
    found.one, found.template, found.number, found.values = one, many, number, values
    return found


def mark(template: str) -> str:
    """Return *template* itself, which a later `say` takes: this puts it into the catalogues."""
    return template


def listed(items: Iterable[str], style: ListStyle = "and") -> Message:
    """Return *items* as a list in words.

    >>> listed(["Ann", "Bob", "Cleo"]), listed(["win", "lose"], "or"), listed([])
    ('Ann, Bob and Cleo', 'win or lose', '')
    """
    known = list(items)
    found = _Listed(ENGLISH.listed(list(map(str, known)), style))
    found.items, found.style = known, style
    return found


def sequence(items: Iterable[str], between: str = " ") -> Message:
    """Return whole sentences, or a label and its value, one after another; empty ones left out.

    >>> sequence([say("Ann wins."), say("The game is over.")])
    'Ann wins. The game is over.'
    """
    known = [item for item in items if item]
    found = _Sequence(between.join(known))
    found.items, found.between = known, between
    return found


def capitalised(text: str) -> str:
    """Return *text* with a capital first, as a sentence begins; a message stays one.

    >>> capitalised(say("nothing on {field}", field="A1"))
    'Nothing on A1'
    """
    capital = str(text[:1]).upper() + str(text[1:])
    if not isinstance(text, Message):
        return capital
    found = _Capitalised(capital)
    found.of = text
    return found


def as_sentence(line: str) -> Message:
    """Return a *line* as a sentence of its own.

    >>> as_sentence(say("blurred; wipe the lens"))
    'Blurred; wipe the lens.'
    """
    return say("{reason}.", reason=capitalised(line))


def without_stop(line: str) -> str:
    """Return *line* without the stop at its end, to be put into a sentence.

    Messages have none, and stay messages.
    """
    return line if isinstance(line, Message) else line.rstrip(".")


def message_of(error: BaseException) -> str:
    """Return what *error* says, as the message that it was raised with."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Message) else str(error)


def in_language(value: Any, language: Language) -> Any:
    """Return *value*, in *language* if it is a message."""
    return value.in_language(language) if isinstance(value, Message) else value


def _filled(template: str, values: Mapping[str, Any], language: Language) -> str:
    if not values:
        return template
    said = {name: _value(value, language) for name, value in values.items()}
    for value in said.values():
        # Markup makes markup, and escapes the rest; jinja2's own class need not be known here.
        if hasattr(value, "__html__"):
            return _marked_up(type(value), template, said)
    return template.format(**said)


def _value(value: Any, language: Language) -> Any:
    if isinstance(value, float):
        return language.decimal(value)
    return in_language(value, language)


def _marked_up(markup: Any, template: str, said: Mapping[str, Any]) -> str:
    filled: str = markup.escape(template).format(**said)
    return filled
