"""Tippi Toppi on the pages: who holds what, and cards laid by forms alone."""

import re
from html import unescape
from itertools import product
from typing import Any

import httpx

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.referee.entering import tell
from tests.referee.fast_rounds import LAYS
from tests.tables import NAMES, open_log
from tests.web.forms import Form, forms_of
from tests.web.visitors import Visitor

WON = (
    *(
        *LAYS,
        "goal sum pink 4",
        "goal only green pink",
        "goal sum all 18",
        "goal different colours",
    ),
    *("play pink1 2", "goal parity odd", "play green7 1", "play purple7 0", "play orange3 3"),
)
"""A game of five goals, the last of them met as it is turned up."""
ANNS = ("green1", "green2", "pink4", "purple5")
BOBS = ("green1", "orange2", "pink4", "purple6")


def sit_at(seats: int = 3, *actions: str, **options: Any) -> LiveSession:
    """Return a session of *seats* players at which *actions* have been entered."""
    header = open_header(game_of("tippi_toppi"), NAMES[:seats], options, 0)
    live_session = LiveSession(open_log(), header)
    tell(live_session, *actions)
    return live_session


def ways_of(form: Form) -> dict[str, dict[str, str]]:
    """Return each action that *form* can send, and the fields that do."""
    found = {}
    names = list(form.choices)
    for values in product(*(form.choices[name] for name in names)):
        sent = form.fields | dict(zip(names, values, strict=True))
        parts = [sent[name] for name in sorted(sent) if name.startswith("part")]
        found[" ".join(" ".join([sent.get("action", ""), *parts]).split())] = sent
    return found


def tap(visitor: Visitor, path: str, *actions: str) -> None:
    """Send each of *actions* by the form of the page at *path* that can."""
    for action in actions:
        forms = [form for form in forms_of(visitor.get(path)) if form.path == "/enter"]
        sent = next((ways_of(form)[action] for form in forms if action in ways_of(form)), None)
        assert sent is not None, f"nothing on the page says {action}"
        answer = visitor.post("/enter", **sent)
        assert (answer.status_code, answer.headers.get("location")) == (303, path), action


def text_of(page: httpx.Response) -> str:
    """Return the words of *page* without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.text)).split())
