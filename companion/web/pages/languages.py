"""Choosing the language in which a browser is shown the pages."""

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.language.catalogue import LANGUAGES
from companion.language.message import say
from companion.web.admission import anybody
from companion.web.forms import Form, Refused, field, form_route
from companion.web.http.language import LANGUAGE_COOKIE
from companion.web.site import Visitor

COOKIE_S: Final = 365 * 24 * 3600
OWN_PAGE: Final = re.compile(r"/(?:[a-z0-9_]+(?:/[A-Za-z0-9_-]+)?(?:\?step=\d{1,6})?)?", re.ASCII)
"""Where the choice may lead back to."""


def choose_language(_: Request, _visitor: Visitor, form: Form) -> Response:
    """Let this browser keep the language that is chosen, and show the same page again."""
    name = field(form, "language")
    if name not in LANGUAGES:
        raise Refused(400, say("That language is not available. Choose one of those shown."))
    back = form.get("back", "/")
    answer = RedirectResponse(back if OWN_PAGE.fullmatch(back) else "/", 303)
    answer.set_cookie(LANGUAGE_COOKIE, name, COOKIE_S, httponly=True, samesite="lax")
    return answer


ROUTES: Final = [form_route("/language", choose_language, anybody)]
