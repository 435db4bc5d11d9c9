"""A hand photographed at the round's end: shown to its sender alone, completed, and entered."""

import re
from html import unescape

import cv2
import httpx
import pytest

from tests.tables import sit_down
from tests.vision.hands import draw_hand
from tests.web.thirteen_cards import POINTS, THIRTEEN
from tests.web.uno_tiki_tables import counting
from tests.web.visitors import Pub, Visitor, assert_silent_about, hidden_field, open_pub

JPEG = {"content-type": "image/jpeg"}


def photograph(cards: tuple[tuple[str, str], ...]) -> bytes:
    """Return the photograph of *cards*, overlapping in a row."""
    picture = draw_hand(cards, (88, 0), size=(1500, 620))
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.fixture(scope="module")
def photo() -> bytes:
    """Return the photograph of thirteen cards that can all be named."""
    return photograph(THIRTEEN)


@pytest.fixture
def pub() -> Pub:
    """Return a round that Bob has won; Ann's thirteen cards are counted first, then Cem's."""
    return open_pub(counting())


def send(visitor: Visitor, photo: bytes, back: str = "seat") -> httpx.Response:
    """Send *photo* as the page of a hand does."""
    path = f"/hand-photo?back={back}"
    return visitor.ask("POST", path, content=photo, headers={"content-type": "image/png"})


def form_of(answer: httpx.Response) -> dict[str, str]:
    """Return what the answer's form would send."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.text)
    return {name: unescape(value) for name, value in found}


def test_a_whole_hand_is_entered_with_one_tap(pub: Pub, photo: bytes) -> None:
    """Its cards and points are shown; nothing is entered before the button is pressed."""
    ann, before = pub.player(0), pub.live_session.session.next_seq
    answer = send(ann, photo)
    assert answer.status_code == 200
    assert f"<output>{POINTS}</output>" in answer.text
    assert "is this the whole hand" in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert pub.live_session.session.next_seq == before
    assert ann.post("/enter", action="hand", **form_of(answer)).status_code == 303
    state = pub.live_session.session.state
    assert state.match.counted == (POINTS, 0, None)


def test_nobody_else_learns_the_hand(pub: Pub, photo: bytes) -> None:
    """Neither other seats nor the board nor the log hold a card of it; the points are public."""
    ann = pub.player(0)
    ann.post("/enter", action="hand", **form_of(send(ann, photo)))
    for visitor, path in ((pub.player(2), "/seat"), (pub.stranger(), "/"), (pub.host(), "/desk")):
        assert_silent_about(visitor.get(path).text, "yellow Reverse", "blue Skip")
    assert "blue-skip" not in str(pub.live_session.session.entries)


def test_a_seat_sends_its_own_hand_only(pub: Pub, photo: bytes) -> None:
    """Who is not time to count is told so, and nothing is read; nor can the form be turned."""
    ann, bob, cem = map(pub.player, range(3))
    for other in (bob, cem):
        answer = send(other, photo)
        assert answer.status_code == 409
        assert "not time to count" in answer.text
        assert "<button" not in answer.text
    form = form_of(send(ann, photo))
    assert cem.post("/enter", action="hand", **form).status_code == 403
    assert send(pub.stranger(), photo).status_code == 403


def test_the_host_may_count_for_everybody(pub: Pub, photo: bytes) -> None:
    """The desk asks for whoever is next."""
    host = pub.host()
    answer = send(host, photo, "desk")
    assert form_of(answer)["seat"] == "0"
    assert host.post("/enter", action="hand", **form_of(answer)).status_code == 303


def test_what_is_not_sure_is_completed_by_the_person(pub: Pub) -> None:
    """A Tiki Face is half covered: its tile is open and marked, and the points wait for it."""
    hand = (*THIRTEEN[:6], ("wild", "tiki"), *THIRTEEN[7:])
    ann = pub.player(0)
    answer = send(ann, photograph(hand))
    assert "1 card is uncertain" in answer.text
    assert "<output>?</output>" in answer.text
    assert answer.text.count("<circle") - answer.text.count('<circle cx="12"') == 1
    assert re.search(r'value="hand" disabled', answer.text)
    form = form_of(answer)
    (empty,) = (name for name, value in form.items() if not value)
    assert ann.post("/enter", action="hand", **form).status_code == 409
    assert ann.post("/enter", action="hand", **{**form, empty: "mauve 7"}).status_code == 400
    assert ann.post("/enter", action="hand", **{**form, empty: "wild tiki"}).status_code == 303
    assert pub.live_session.session.state.match.counted[0] == POINTS - 7 + 20


def test_cards_that_are_missing_or_too_many_are_said(pub: Pub) -> None:
    """The log knows how many cards Ann has, and which lie open."""
    ann = pub.player(0)
    answer = send(ann, photograph(THIRTEEN[:11]))
    assert "2 cards are uncertain" in answer.text
    assert answer.text.count("an uncertain card") == 2
    played = (("red", "9"), ("red", "9"), *THIRTEEN[2:])
    answer = send(ann, photograph(played))
    assert "The picture shows 2 × red 9, but this hand can have at most 1" in answer.text


def test_a_card_too_many_that_is_not_sure_is_not_left_out(pub: Pub) -> None:
    """A card of the table may have been counted in its place, so no sum is offered."""
    ann = pub.player(0)
    answer = send(ann, photograph((*THIRTEEN[:6], ("wild", "tiki"), *THIRTEEN[6:])))
    assert "The picture shows 14 cards, but the hand has 13" in answer.text
    assert answer.text.count("an uncertain card") == 1
    assert "<output>?</output>" in answer.text
    assert re.search(r'value="hand" disabled', answer.text)


def test_a_picture_without_cards_says_what_to_do(pub: Pub) -> None:
    """The hand may still be completed by taps."""
    answer = send(pub.player(0), photograph(()))
    assert "No card can be recognised" in answer.text
    assert answer.text.count("an uncertain card") == 13


def test_a_form_that_is_cut_short_is_refused(pub: Pub) -> None:
    """In a sentence, and nothing is entered."""
    ann = pub.player(0)
    mark = hidden_field(ann.get("/seat"), "mark")
    for fields in ({}, {"seat": "0"}, {"seat": "9", "cards": "1"}, {"seat": "0", "cards": "x"}):
        answer = ann.post("/enter", action="hand", mark=mark, back="seat", **fields)
        assert answer.status_code == 400
    assert pub.live_session.session.state.match.counted[0] is None


def test_a_game_without_hands_refuses(photo: bytes) -> None:
    """Its pages have no place for it, but somebody may send one."""
    answer = send(open_pub(sit_down()).player(0), photo)
    assert answer.status_code == 409
    assert "no hands" in answer.text
