"""`tell` where an entry may stand for several things: the question is told, not the move before."""

import json

import pytest

from companion.cli import main
from companion.referee.live_session import LiveSession
from companion.web.api.openapi import document
from tests.referee.known_ranks import known_ranks, play_until_asked
from tests.web.schema_check import misfits
from tests.web.serving import served
from tests.web.visitors import HOST_KEY, open_pub

KEY = {"authorization": f"Bearer {HOST_KEY}"}


def reach_question() -> tuple[LiveSession, str]:
    """Return a session of TacTiki, and what opens a question in it."""
    live_session = known_ranks(2)
    return live_session, play_until_asked(live_session, 2)


@pytest.mark.parametrize("path", ["/api/tell", "/api/v1/tell"])
def test_an_entry_that_opens_a_question_is_not_told_as_entered(path: str) -> None:
    """409 with the question and its candidates, as described; nothing was logged."""
    live_session, action = reach_question()
    pub, known = open_pub(live_session), live_session.session.next_seq
    answer = pub.stranger().ask("POST", path, {"action": action}, headers=KEY)
    asked = live_session.referee.question
    assert asked is not None
    assert live_session.session.next_seq == known
    assert answer.status_code == 409
    body = answer.json()
    assert body["question"]["message"] == asked.message
    texts = [each.text for each in asked.candidates]
    assert [each["text"] for each in body["question"]["candidates"]] == texts
    assert all(text in body["error"] for text in (asked.message, *texts))
    named = document()["components"]["schemas"]
    assert not list(misfits(body, named["NotEntered"], named)), json.dumps(body)


def test_a_question_as_the_first_thing_of_a_game_is_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An empty log has no move that could be told instead."""
    live_session, action = reach_question()
    monkeypatch.setattr(live_session.referee, "newest", lambda: None)
    pub = open_pub(live_session)
    answer = pub.stranger().ask("POST", "/api/tell", {"action": action}, headers=KEY)
    assert answer.status_code == 409


def test_the_question_is_told_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """One line with the question, and exit status 1."""
    _, action = reach_question()
    with served(lambda: reach_question()[0]) as house:
        assert main(["tell", "--port", str(house.port), "--key", HOST_KEY, action]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "What does the table look like now?" in told.err
    assert len(told.err.splitlines()) == 1
