"""Cards that the host shows once: kept at the table, named on a seat's page, told to that alone."""

import itertools
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.apps.cards import compared_register
from companion.apps.cards.card_register import register_path, save_register
from companion.files import OWN_CARDS
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.registers import encode, photograph
from tests.tables import NAMES, open_log, sit_down
from tests.web.visitors import Pub, open_pub
from vision.cards.card_comparison import Compared, RegisteredCard, compare_cards
from vision.cards.shown_card import ShownFault, crop_shown

JPEG = {"content-type": "image/jpeg"}


@pytest.fixture
def pub(tmp_path: Path) -> Pub:
    """Return a game of Tiki Topple whose log is a file."""
    return open_pub(sit_down(log=open_log(tmp_path / "games.db")))


def show(pub: Pub, name: str = "Secret 3") -> str:
    """Let the host show the first card; return the answer."""
    host = pub.host()
    path = f"/own-cards?name={name}"
    return host.ask("POST", path, content=encode(photograph(0)), headers=JPEG).text


def test_the_host_shows_lists_and_removes_a_card(pub: Pub) -> None:
    """It is there when the list is unfolded, and gone when it is removed."""
    assert "“Secret 3” is saved" in show(pub)
    host = pub.host()
    assert 'data-kept-remove="Secret 3"' in host.get("/own-cards").text
    assert "already saved" in show(pub, "Another")
    answer = host.post("/own-cards/remove", name="Secret 3")
    assert "is removed" in answer.text
    assert "No cards are saved yet" in answer.text
    assert host.post("/own-cards/remove", name="Secret 3").status_code == 409


def test_a_seat_is_told_the_name_and_nobody_else(pub: Pub) -> None:
    """Its page has a camera once there are such cards; the answer is its own, and not logged."""
    ann, cem = pub.player(0), pub.player(2)
    assert 'id="own-card"' not in ann.get("/seat").text
    show(pub)
    assert 'id="own-card"' in ann.get("/seat").text
    before = pub.live_session.session.next_seq
    picture = encode(photograph(0, 15.0))
    answer = ann.ask("POST", "/card-photo?back=seat", content=picture, headers=JPEG)
    while "still being compared" in answer.text:
        answer = ann.ask("POST", "/card-photo?back=seat", content=picture, headers=JPEG)
    assert answer.status_code == 200
    assert "In the picture: Secret 3." in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert pub.live_session.session.next_seq == before
    for visitor, path in ((cem, "/seat"), (pub.stranger(), "/"), (pub.host(), "/desk")):
        assert "Secret 3" not in visitor.get(path).text


def test_a_seat_is_told_the_name_by_a_phone_held_over_the_card(pub: Pub) -> None:
    """Two pictures that agree name it, in a game that has no cards of its own to photograph."""
    ann = pub.player(0)
    show(pub)
    assert 'data-kind="card"' in ann.get("/seat").text
    key = ann.ask("POST", "/card-sweep?back=seat", {"kind": "card"}).json()["key"]
    path = f"/card-sweep/{key}/picture?back=seat"
    for turn_deg in itertools.cycle((15.0, 18.0)):  # the first pictures wait for the comparison
        picture = encode(photograph(0, turn_deg))
        found = ann.ask("POST", path, content=picture, headers=JPEG).json()
        if found["is_done"]:
            break
    assert found["names"] == ["Secret 3"]
    answer = ann.ask("POST", f"/card-sweep/{key}/use?back=seat")
    assert "In the picture: Secret 3." in answer.text


def test_a_photograph_waits_for_no_comparison(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """While cards are compared with each other, a player is told so at once; then it is read."""
    began, may_go_on = threading.Event(), threading.Event()

    def compare_slowly(cards: Sequence[RegisteredCard], before: Compared | None = None) -> Compared:
        began.set()
        may_go_on.wait(60)
        return compare_cards(cards, before)

    monkeypatch.setattr(compared_register, "compare_cards", compare_slowly)
    ann, picture = pub.player(0), encode(photograph(0, 15.0))
    assert "“Secret 3” is saved" in show(pub)
    assert began.wait(60)  # by itself, before anybody sends a photograph
    answer = ann.ask("POST", "/card-photo?back=seat", content=picture, headers=JPEG)
    assert "still being compared" in answer.text
    may_go_on.set()
    path = pub.live_session.log.beside(OWN_CARDS)
    assert path is not None
    while compared_register.find_compared(path) is None:
        time.sleep(0.02)
    monkeypatch.setattr(compared_register, "compare_cards", None)  # never again
    answer = ann.ask("POST", "/card-photo?back=seat", content=picture, headers=JPEG)
    assert "In the picture: Secret 3." in answer.text


def test_cards_are_compared_when_the_companion_starts(tmp_path: Path) -> None:
    """Before the first photograph."""
    log = tmp_path / "games.db"
    path = register_path(log)
    shown = crop_shown(photograph(0))
    assert not isinstance(shown, ShownFault)
    save_register(path, [RegisteredCard("Secret 3", shown)])
    open_pub(sit_down(log=open_log(log)))
    began = time.monotonic()
    while path not in compared_register._found:
        assert time.monotonic() < began + 60
        time.sleep(0.02)


def test_only_the_host_keeps_cards(pub: Pub) -> None:
    """Players and strangers neither add nor list nor remove any."""
    show(pub)
    for visitor in (pub.player(0), pub.stranger()):
        assert visitor.get("/own-cards").status_code == 403
        sent = visitor.ask("POST", "/own-cards?name=X", content=b"x", headers=JPEG)
        assert sent.status_code == 403
        assert visitor.post("/own-cards/remove", name="Secret 3").status_code == 403


def test_what_cannot_be_kept_is_said(pub: Pub) -> None:
    """No name, no picture, no card, and a table that keeps nothing."""
    assert "1 to 40 characters" in show(pub, "")
    host = pub.host()
    sent = host.ask("POST", "/own-cards?name=X", content=b"no picture", headers=JPEG)
    assert sent.status_code == 400
    memory = LiveSession(open_log(), open_header(game_of("uno_tiki"), NAMES[:3], {}, 0))
    assert "This table saves nothing" in show(open_pub(memory))
