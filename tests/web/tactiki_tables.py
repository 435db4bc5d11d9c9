"""TacTiki on the pages: two players, their ranks, and moves by two taps."""

import itertools

import httpx

from companion.referee.live_session import LiveSession
from tests.onlookers import open_timeless_log
from tests.referee.entering import sit, tell
from tests.web.forms import Form, forms_of
from tests.web.visitors import Pub, Visitor, alert

ANNS = "1 5 2 4 3 3 4 2 5 1"
BOBS = "5 4 3 2 2 1 1 3 4 5"
TWINS = "5 4 3 2 1 2 1 3 4 5"
"""As BOBS, but for the two pieces on C1; each of them falls to a 3."""


def sit_two(*actions: str) -> LiveSession:
    """Return a game of Ann, who is TIKI, and Bob, at which *actions* have been entered."""
    return sit("tactiki", *actions, seats=2, log=open_timeless_log())


def play(pub: Pub, *actions: str) -> None:
    """Enter *actions* by hand, and let the pages know."""
    tell(pub.live_session, *actions)
    pub.live_session.changed()


def enter_ranks(visitor: Visitor, ranks: str) -> httpx.Response:
    """Return the answer to a form of ten rows in which *ranks* are tapped."""
    return visitor.post("/seat", **{f"piece{k}": rank for k, rank in enumerate(ranks.split())})


def form_with(page: httpx.Response, action: str) -> Form:
    """Return the one form of *page* by which *action* may be entered."""
    (found,) = (form for form in forms_of(page) if action in form.choices.get("action", ()))
    return found


def tap(visitor: Visitor, path: str, *actions: str, **parts: str) -> None:
    """Tap in *actions* on the page at *path*, by its own forms."""
    for action in actions:
        form = form_with(visitor.get(path), action)
        assert {*parts} <= {*form.choices}
        answer = visitor.post(form.path, **{**form.fields, **parts, "action": action})
        assert (answer.status_code, answer.headers["location"]) == (303, path), alert(answer)


def statue() -> list[str]:
    """Return the moves of a game in which TIKI builds the statue on C1 with the last of them."""
    ways = [("41", "42")] * 2 + [("43", "42")] + [("42", "42")] * 2
    tiki = [
        f"move {source} {target}"
        for start, column in reversed(ways)
        for source, target in itertools.pairwise(
            ([start] if start != column else []) + [f"{row}2" for row in (4, 3, 2, 1, 0)]
        )
    ]
    tac = ["move 02 01", "move 02 03"] + ["move 04 03", "move 03 04"] * 20
    turns = [tiki[at : at + 2] + tac[at : at + 2] for at in range(0, len(tiki), 2)]
    whole = [action for turn in turns for action in turn]
    return whole[: whole.index(tiki[-1], len(whole) - 4) + 1]


def host_desk(pub: Pub) -> str:
    """Return the desk as the host has it."""
    return pub.host().get("/desk").text
