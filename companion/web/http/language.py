"""The reader's language: the browser's own, until somebody chooses another one for it."""

from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.datastructures import Headers

from companion.language.catalogue import LANGUAGES, preferred

LANGUAGE_COOKIE: Final = "tiki_language"
MAX_COOKIE_CHARS: Final = 4096


def language_asked(headers: Headers) -> str:
    """Return the language that a request is to be answered in."""
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", "")[:MAX_COOKIE_CHARS])
    except CookieError:
        cookies.clear()
    chosen = cookies.get(LANGUAGE_COOKIE)
    if chosen is not None and chosen.value in LANGUAGES:
        return chosen.value
    return preferred(headers.get("accept-language", ""))
