"""No request gets a traceback: every route, every header that is read, every kind of visitor."""

import json
import logging
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import apps
from companion.registry import GAMES
from companion.session.log import Log, LogError
from companion.web import app
from companion.web.pages import entering
from tests.enterable import enterable
from tests.web.asking import Answered, Asked, ask
from tests.web.fuzzing import (
    HOST,
    NUMBERS,
    READ,
    ROLES,
    STRANGER,
    WORDS,
    Draft,
    Fuzzed,
    drafts,
    errors_logged,
)
from tests.web.games import open_game
from tests.web.visitors import open_pub

QUICK, LONG = 6, 60
SAVED: Final = "That could not be saved: the log is full; make room."


def play_on(fuzzed: Fuzzed, turns: int) -> None:
    """Enter some of what is offered, so that there is something to take back and to correct."""
    rng, live_session = random.Random(turns), fuzzed.pub.live_session
    for _ in range(turns):
        if offers := enterable(live_session):
            live_session.referee.enter(rng.choice(offers))


def assert_decent(
    answer: Answered, asked: Asked, draft: Draft, fuzzed: Fuzzed, *, full: bool
) -> None:
    """Fail unless *answer* is one that anybody may get: no mistake of ours, and no key.

    full: whether the log cannot be written; only then something may be answered with 503.
    """
    where = f"{asked.method} {asked.path} {asked.headers}"
    if draft.leaves and not answer.status:
        return
    assert 200 <= answer.status < 500 or (full and answer.status == 503), where
    if answer.status == 503:
        assert SAVED in answer.text, where
    if answer.headers.get("content-type") == "application/json" and answer.body:
        json.loads(answer.body)
    if draft.role == STRANGER:
        sent = b" ".join(
            (asked.path.encode("utf-8", "replace"), asked.query, *asked.chunks)
        ).decode("latin-1")
        for secret in fuzzed.secrets():
            shown = secret in answer.text or secret in str(answer.headers)
            assert secret in sent or not shown, where


def evening(game: str, turns: int, full: bool, evil: list[Draft]) -> None:
    """Let somebody send *evil* to a table of *game* after some *turns*, its log *full* or not."""
    fuzzed = Fuzzed(open_pub(open_game(game)))
    play_on(fuzzed, turns)

    def refuse(*_: object) -> None:
        raise LogError("the log is full; make room")

    try:
        with errors_logged() as errors, patch.object(entering, "DICE", random.Random(turns)):
            if full:
                with patch.object(Log, "_write", refuse):
                    _send(fuzzed, evil, errors, full=True)
            else:
                _send(fuzzed, evil, errors, full=False)
    finally:
        fuzzed.pub.live_session.log.close()


def _send(fuzzed: Fuzzed, evil: Iterable[Draft], errors: list[str], *, full: bool) -> None:
    for draft in evil:
        asked = fuzzed.asked(draft)
        answer = ask(fuzzed.pub.app, asked)
        assert_decent(answer, asked, draft, fuzzed, full=full)
        assert not errors


@pytest.mark.parametrize("game", GAMES)
@given(turns=st.integers(0, 6), full=st.booleans(), evil=st.lists(drafts, min_size=1, max_size=6))
@settings(max_examples=QUICK, suppress_health_check=list(HealthCheck), derandomize=True)
def test_no_request_is_too_odd(game: str, turns: int, full: bool, evil: list[Draft]) -> None:
    """Some evenings of each game."""
    evening(game, turns, full, evil)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(turns=st.integers(0, 40), full=st.booleans(), evil=st.lists(drafts, min_size=1, max_size=15))
@settings(max_examples=LONG, suppress_health_check=list(HealthCheck))
def test_no_request_is_too_odd_in_the_long_run(
    game: str, turns: int, full: bool, evil: list[Draft]
) -> None:
    """Many more, and longer ones, other ones each time."""
    evening(game, turns, full, evil)


PLAIN: Final = Draft(0, None, HOST, "{own}", (), (), (), None, None, 60, leaves=False)


def swept(paths: Sequence[str], *, every: bool) -> Iterator[Draft]:
    """Yield a request for each odd value of each header and of each variable part of an address.

    every: whether each header is sent to all *paths*, not only to one.
    """
    odd = [(name, value) for name, values in READ.items() for value in values]
    for at, header in enumerate(odd):
        for route in range(len(paths)) if every else [at % len(paths)]:
            yield replace(PLAIN, route=route, headers=(header,))
    for route, path in enumerate(paths):
        yield replace(PLAIN, route=route, own_form=0, leaves=True)
        if "{" in path:
            for part in (*NUMBERS, *WORDS):
                yield replace(PLAIN, route=route, part=part)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("role", ROLES)
def test_each_odd_value_is_sent_once(role: str, every: bool) -> None:
    """To one route, or to all of them; a phone leaves each in the middle of a form."""
    fuzzed = Fuzzed(open_pub(open_game("topple")))
    play_on(fuzzed, 6)
    with errors_logged() as errors:
        paths = [path for path, _ in fuzzed.routes]
        evil = (replace(draft, role=role) for draft in swept(paths, every=every))
        _send(fuzzed, evil, errors, full=False)


def test_every_header_that_is_read_is_sent() -> None:
    """One that a handler comes to read has to be added to those that are sent here."""
    folders = (Path(app.__file__).parent, Path(apps.__file__).parent)
    files = (file for folder in folders for file in folder.rglob("*.py"))
    sources = "\n".join(file.read_text(encoding="utf-8") for file in files)
    read = set(re.findall(r'headers\.get\(\s*"([^"]+)"', sources))
    assert {"host", "origin", "content-type", "last-event-id"} <= read
    assert {name.encode() for name in read} <= set(READ)


def test_a_mistake_is_noticed() -> None:
    """A traceback, a status of 5xx and a key for a stranger each fail the check."""
    fuzzed = Fuzzed(open_pub(open_game("topple")))
    asked, draft = Asked("GET", "/"), replace(PLAIN, role=STRANGER)
    assert_decent(Answered(200), asked, draft, fuzzed, full=False)
    for answer in (
        Answered(500),
        Answered(503),
        Answered(0),
        Answered(200, body=b"the-host's-key"),
    ):
        with pytest.raises(AssertionError):
            assert_decent(answer, asked, draft, fuzzed, full=False)
    with errors_logged() as errors:
        logging.getLogger("companion.web.http.guard").error("GET / failed")
    assert errors == ["GET / failed"]
