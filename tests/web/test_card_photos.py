"""A card photographed by a player's phone: named, offered to be entered, or refused in words."""

import cv2
import numpy as np
import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from rendering.drawn import COLOURS, Design, draw_card
from rendering.prints import draw_ground
from tests.tables import NAMES, open_log, sit_down
from tests.web.visitors import Pub, open_pub

HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"
JPEG = {"content-type": "image/jpeg"}


@pytest.fixture(scope="module")
def photo() -> bytes:
    """Return the photograph of a red 7 on a wooden table."""
    random = np.random.default_rng(2)
    picture = draw_ground(random, 500, (0.5, 0.35, 0.2), 0.05)
    card = draw_card("7", COLOURS["red"], Design(symbol=30.0), random)
    picture[80 : 80 + card.shape[0], 140 : 140 + card.shape[1]] = card
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.fixture
def pub() -> Pub:
    """Return a game of UNO Tiki whose first card is to be turned up by the dealer."""
    header = open_header(game_of("uno_tiki"), NAMES[:3], {}, 0)
    live_session = LiveSession(open_log(), header)
    return open_pub(live_session)


def test_a_photographed_card_is_entered_with_one_tap(pub: Pub, photo: bytes) -> None:
    """The answer names the card, and has the one button that enters it."""
    player = pub.player(0)
    answer = player.ask("POST", "/card-photo?back=seat", content=photo, headers=JPEG)
    assert answer.status_code == 200
    assert "red 7" in answer.text
    assert 'value="turn red-7"' in answer.text
    assert answer.text.count("<button") == 1
    assert "blue" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_a_card_that_cannot_be_entered_is_named_all_the_same(pub: Pub, photo: bytes) -> None:
    """At a seat whose turn it is not there is no button."""
    answer = pub.player(1).ask("POST", "/card-photo?back=seat", content=photo, headers=JPEG)
    assert answer.status_code == 200
    assert "red 7" in answer.text
    assert "<button" not in answer.text


def test_a_photograph_of_nothing_says_what_to_do(pub: Pub) -> None:
    """In one sentence; nothing is entered."""
    dark = cv2.imencode(".jpg", np.zeros((300, 400, 3), np.uint8))[1].tobytes()
    answer = pub.player(0).ask("POST", "/card-photo", content=dark, headers=JPEG)
    assert answer.status_code == 200
    assert "too dark" in answer.text
    assert "<button" not in answer.text


@pytest.mark.parametrize(
    ("content", "kind", "status", "words"),
    [
        (b"no picture", "image/jpeg", 400, "cannot be read"),
        (b"", "image/png", 400, "cannot be read"),
        (b"a=b", "application/x-www-form-urlencoded", 415, "Set your phone’s camera to JPEG"),
        (HEIC, "image/heic", 415, "Set your phone’s camera to JPEG"),
        (HEIC, "image/jpeg", 415, "or take the picture with this button"),
        (bytes(8_000_001), "image/jpeg", 413, "too large"),
    ],
    ids=["garbage", "empty", "form", "heic", "heic called jpeg", "large"],
)
def test_what_is_no_photograph_is_refused_in_a_sentence(
    pub: Pub, content: bytes, kind: str, status: int, words: str
) -> None:
    """A piece of the page, as an answer to a photograph is."""
    headers = {"content-type": kind}
    answer = pub.player(0).ask("POST", "/card-photo", content=content, headers=headers)
    assert answer.status_code == status
    assert words in answer.text


def test_strangers_have_nothing_read(pub: Pub, photo: bytes) -> None:
    """Reading takes a core for a while; only players and the host may ask for it."""
    answer = pub.stranger().ask("POST", "/card-photo", content=photo, headers=JPEG)
    assert answer.status_code == 403
    assert "red 7" not in answer.text


def test_a_game_without_cards_refuses(photo: bytes) -> None:
    """Its pages have no place for a photograph, but somebody may send one."""
    answer = open_pub(sit_down()).player(0).ask("POST", "/card-photo", content=photo, headers=JPEG)
    assert answer.status_code == 409
    assert "no cards" in answer.text


def test_the_seats_page_has_the_camera_where_a_card_is_asked_for(pub: Pub) -> None:
    """The phone opens its camera; without scripts the place is not shown."""
    page = pub.player(0).get("/seat").text
    assert 'capture="environment"' in page
    assert 'data-card-photo="seat"' in page
    assert "data-card-photo" not in pub.player(1).get("/seat").text
