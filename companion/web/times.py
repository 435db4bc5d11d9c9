"""Times on pages: in the reader's own zone, or in the server's, which is named then."""

from datetime import UTC, datetime
from typing import Final

from babel.dates import format_date, format_time
from markupsafe import Markup, escape

from companion.language.speech import spoken, translated

THEN: Final = "\ue000"
"""Stands for a time in a message until the page has an element for it, see `timed`."""
_ELEMENT: Final = Markup('<time datetime="{utc}" data-shown="{shown}">{words}</time>')


def date_and_time(instant: datetime) -> Markup:
    """Return *instant* with its day; static/times.js puts it into the reader's own zone."""
    return _element(instant, "full", _day_words(instant, "medium"))


def time_of(instant: datetime, now: datetime | None = None) -> Markup:
    """Return *instant* without its day if that is today's, for what is new."""
    today = (now or datetime.now(UTC)).astimezone().date()
    is_today = instant.astimezone().date() == today
    words = _time_words(instant) if is_today else _day_words(instant, "short")
    return _element(instant, "recent", words)


def timed(message: str, instant: datetime) -> Markup:
    """Return *message* with the time of *instant* where it has `THEN`."""
    return Markup(escape(translated(message)).replace(THEN, time_of(instant)))  # noqa: S704


def _element(instant: datetime, shown: str, words: str) -> Markup:
    utc = instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return _ELEMENT.format(utc=utc, shown=shown, words=words)


def _day_words(instant: datetime, length: str) -> str:
    day = format_date(instant.astimezone(), length, locale=spoken())
    return f"{day} · {_time_words(instant)}"


def _time_words(instant: datetime) -> str:
    local = instant.astimezone()
    return f"{format_time(local, 'short', local.tzinfo, locale=spoken())} {local.tzname()}"
