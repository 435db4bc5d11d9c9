"""The language that is spoken now: each request, stream, display and voice has its own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from companion.language.catalogue import DEFAULT, language_of
from companion.language.message import Message

_SPOKEN: Final[ContextVar[str]] = ContextVar("language", default=DEFAULT)


def spoken() -> str:
    """Return the name of the language that is spoken now."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak *language* meanwhile, one of `catalogue.LANGUAGES`."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def translated(value: Any) -> Any:
    """Return *value* in the language that is spoken now if it is a message, else as it is."""
    return value.in_language(language_of(spoken())) if isinstance(value, Message) else value


def translated_json(thing: Any) -> Any:
    """Return plain JSON values like *thing*, with every message in it translated to plain text."""
    if isinstance(thing, Mapping):
        return {key: translated_json(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [translated_json(value) for value in thing]
    return translated(thing)
