"""A phone moved across cards: its pictures are joined, told to it alone, kept in memory and few."""

import asyncio
import os
import re
import threading
from collections.abc import Sequence
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from companion.apps.cards import sweep_pages
from companion.apps.cards.open_sweeps import MAX_SWEEPS, SILENCE_S, OpenSweeps
from companion.apps.cards.photo_pages import MAX_PHOTO_BYTES
from companion.apps.cards.reading_thread import NICENESS, read_aside
from companion.apps.cards.sweep_words import describe_sweep
from companion.web.forms import Refused
from tests.tables import sit_down
from tests.vision.hands import draw_hand
from tests.web.thirteen_cards import POINTS, THIRTEEN
from tests.web.uno_tiki_tables import counting
from tests.web.visitors import Pub, Visitor, assert_silent_about, open_pub
from vision.cards.sweep import Findings, Joining, Sweep
from vision.cards.sweep_registration import Sighting

PNG = {"content-type": "image/png"}
Names = Sequence[tuple[str, str]]


def picture_of(cards: Names, step_px: int = 88) -> bytes:
    """Return a picture of *cards*, overlapping in a row."""
    return encode(draw_hand(cards, (step_px, 0), size=(1500, 620)))


def encode(picture: np.ndarray) -> bytes:
    """Return *picture* as a file."""
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


@pytest.fixture(scope="module")
def photos() -> list[bytes]:
    """Return two pictures of the same thirteen cards."""
    return [picture_of(THIRTEEN), picture_of(THIRTEEN, 90)]


@pytest.fixture
def pub() -> Pub:
    """Return a round that Bob has won; Ann's thirteen cards are counted first, then Cem's."""
    return open_pub(counting())


def begin(visitor: Visitor, kind: str = "hand", back: str = "seat") -> str:
    """Return the key of a sweep that *visitor* begins."""
    answer = visitor.ask("POST", f"/card-sweep?back={back}", {"kind": kind})
    assert answer.status_code == 200
    return str(answer.json()["key"])


def send(visitor: Visitor, key: str, photo: bytes, back: str = "seat") -> httpx.Response:
    """Send a picture as the page does."""
    path = f"/card-sweep/{key}/picture?back={back}"
    return visitor.ask("POST", path, content=photo, headers=PNG)


def use(visitor: Visitor, key: str, back: str = "seat") -> httpx.Response:
    """Take what was found."""
    return visitor.ask("POST", f"/card-sweep/{key}/use?back={back}")


def test_a_hand_is_named_by_two_pictures(pub: Pub, photos: list[bytes]) -> None:
    """The form is that of a photograph, and nothing is entered before its button is pressed."""
    ann, before = pub.player(0), pub.live_session.session.next_seq
    key = begin(ann)
    first = send(ann, key, photos[0])
    assert (first.json()["is_done"], first.headers["cache-control"]) == (False, "no-store")
    second = send(ann, key, photos[1]).json()
    assert second["said"] == "All 13 cards are named."
    assert second["is_done"]
    assert len(second["names"]) == 13
    assert {mark["name"] for mark in second["marks"]} == {*second["names"]}
    assert all(0 < mark["x"] < second["width"] == 1500 for mark in second["marks"])
    answer = use(ann, key)
    assert f"<output>{POINTS}</output>" in answer.text
    assert "is this the whole hand" in answer.text
    assert pub.live_session.session.next_seq == before


def test_what_is_missing_is_said_and_what_was_found_can_be_used(pub: Pub) -> None:
    """A Tiki Face that is half covered: beside which card it lies, and a tile to be tapped."""
    hand = (*THIRTEEN[:6], ("wild", "tiki"), *THIRTEEN[7:])
    ann = pub.player(0)
    key = begin(ann)
    for step in (88, 90, 87):
        found = send(ann, key, picture_of(hand, step)).json()
    assert found["said"].startswith("12 of 13 cards named. Not sure yet: the card beside ")
    assert not found["is_done"]
    answer = use(ann, key)
    assert answer.text.count("an uncertain card") == 1
    assert re.search(r"<circle cx=\"\d+\" cy=\"\d+\" r=\"\d+\"/>", answer.text)


def test_nobody_else_learns_or_changes_it(pub: Pub, photos: list[bytes]) -> None:
    """Neither another seat nor the host has a way to it, though they know its key."""
    ann, cem, host = pub.player(0), pub.player(2), pub.host()
    key = begin(ann)
    for photo in photos:
        send(ann, key, photo)
    for visitor, back in ((cem, "seat"), (host, "desk")):
        for answer in (send(visitor, key, photos[0], back), use(visitor, key, back)):
            assert answer.status_code == 410
            assert_silent_about(answer.text, "Blue 1", "blue 1", "Skip")
    assert send(pub.stranger(), key, photos[0]).status_code == 403
    for visitor, path in ((cem, "/seat"), (pub.stranger(), "/"), (host, "/desk")):
        assert_silent_about(visitor.get(path).text, "yellow Reverse", "blue Skip")
    assert use(ann, key).text.count("data-hand-card") == 13


def test_another_hand_is_left_out_in_one_line(pub: Pub, photos: list[bytes]) -> None:
    """Pictures of two phones for one hand: what was named stays as it was."""
    ann = pub.player(0)
    key = begin(ann)
    for photo in photos:
        named = send(ann, key, photo).json()["names"]
    other = [("red", str(number)) for number in range(1, 10)]
    found = send(ann, key, picture_of(other)).json()
    assert found["said"].startswith("This picture shows another hand, so it is left out.")
    assert found["names"] == named


def test_a_second_phone_gives_the_first_one_up(pub: Pub, photos: list[bytes]) -> None:
    """It is told so in one line; the second has a sweep of its own."""
    ann = pub.player(0)
    first, second = begin(ann), begin(ann)
    answer = send(ann, first, photos[0])
    assert (answer.status_code, answer.json()["is_over"]) == (410, True)
    assert "another device has begun" in answer.json()["error"]
    assert send(ann, second, photos[0]).status_code == 200


BAD: dict[str, tuple[bytes, int, str]] = {
    "no picture": (b"x" * 20, 400, "cannot be read"),
    "20 MB": (b"\x89PNG" * 5_000_000, 413, f"the most is {MAX_PHOTO_BYTES} bytes"),
    "one pixel high": (encode(np.zeros((1, 900, 3), np.uint8)), 200, "No card can be read here."),
    "a table": (picture_of(()), 200, "No card can be read here."),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_picture_is_one_line_and_loses_nothing(
    pub: Pub, photos: list[bytes], name: str
) -> None:
    """What was named so far stays, and the sweep goes on."""
    ann = pub.player(0)
    key = begin(ann)
    for photo in photos:
        named = send(ann, key, photo).json()["names"]
    content, status, words = BAD[name]
    answer = send(ann, key, content)
    assert answer.status_code == status
    said = answer.json().get("said") or answer.json()["error"]
    assert words in said
    assert "\n" not in said
    assert not answer.json().get("is_over")
    assert send(ann, key, photos[0]).json()["names"] == named


def test_a_screen_with_stripes_is_read_or_left_open(pub: Pub) -> None:
    """A photograph of a screen: no card is named that is not there."""
    picture = draw_hand(THIRTEEN, (88, 0), size=(1500, 620)).astype(np.float32)
    across, down = np.meshgrid(np.arange(1500), np.arange(620))
    stripes = 0.8 + 0.2 * np.sin(across / 1.7 + down / 23) * np.sin(down / 1.9 - across / 31)
    moire = np.clip(picture * stripes[..., None], 0, 255).astype(np.uint8)
    ann = pub.player(0)
    key = begin(ann)
    for shift_px in (0, 5):
        found = send(ann, key, encode(np.roll(moire, shift_px, axis=1))).json()
    own = {f"{colour} {symbol}".lower() for colour, symbol in THIRTEEN}
    assert {name.lower() for name in found["names"]} <= own


def test_a_photograph_with_fifty_cards_is_refused_in_one_line(pub: Pub) -> None:
    """No hand has as many; it says what to show."""
    rows = [draw_hand(THIRTEEN, (88, 0), size=(1500, 620), scale=0.6)[:380] for _ in range(4)]
    ann = pub.player(0)
    found = send(ann, begin(ann), encode(np.concatenate(rows))).json()
    assert found["said"] == "There are too many cards in this picture. Show one hand alone."
    assert (found["names"], found["marks"], found["is_done"]) == ([], [], False)


def test_who_may_not_count_begins_no_sweep(pub: Pub) -> None:
    """In the words of a photograph; a kind that nobody knows is refused."""
    answer = pub.player(2).ask("POST", "/card-sweep?back=seat", {"kind": "hand"})
    assert (answer.status_code, answer.json()["is_over"]) == (409, True)
    assert "not time to count" in answer.json()["error"]
    assert pub.player(0).ask("POST", "/card-sweep?back=seat", {"kind": "x"}).status_code == 400
    assert pub.stranger().ask("POST", "/card-sweep", {"kind": "hand"}).status_code == 403
    plain = open_pub(sit_down())
    answer = plain.player(0).ask("POST", "/card-sweep?back=seat", {"kind": "hand"})
    assert (answer.status_code, "no hands" in answer.json()["error"]) == (409, True)


def test_a_sweep_ends_with_what_it_was_begun_for(pub: Pub, photos: list[bytes]) -> None:
    """Once the hand is counted, no further picture of it is read."""
    ann = pub.player(0)
    key = begin(ann)
    mark = str(pub.live_session.session.next_seq)
    answer = ann.post("/enter", action=f"count 0 {POINTS}", mark=mark, back="seat")
    assert answer.status_code == 303
    answer = send(ann, key, photos[0])
    assert (answer.status_code, answer.json()["is_over"]) == (409, True)


class Clock:
    """A clock that is set by hand."""

    now_s = 100.0

    def __call__(self) -> float:
        """Return its time."""
        return self.now_s


def test_a_minute_of_silence_forgets_a_sweep() -> None:
    """A phone that comes back sooner goes on with what it had."""
    clock = Clock()
    sweeps = OpenSweeps(clock)
    key = sweeps.begin(0, "hand", 0, 7)
    clock.now_s += SILENCE_S - 1
    opened = sweeps.find(key, 0)
    clock.now_s += SILENCE_S - 1
    assert sweeps.find(key, 0) is opened
    clock.now_s += SILENCE_S
    with pytest.raises(Refused, match="for a minute none came"):
        sweeps.find(key, 0)


def test_few_sweeps_are_kept() -> None:
    """The one that was silent for longest goes first, and nobody else's key opens one."""
    clock = Clock()
    sweeps, keys = OpenSweeps(clock), []
    for seat in range(MAX_SWEEPS + 1):
        clock.now_s += 1
        keys.append(sweeps.begin(seat, "card", None, 1))
    with pytest.raises(Refused):
        sweeps.find(keys[0], 0)
    with pytest.raises(Refused):
        sweeps.find(keys[2], 1)
    assert sweeps.find(keys[1], 1).sender == 1


@pytest.mark.parametrize(
    ("found", "joining", "said"),
    [
        (Findings(("a",) * 6, ("green 4",), 1, False), Joining.JOINED,
         "6 of 7 cards named. Not sure yet: the card beside green 4."),
        (Findings(("a",) * 4, (), 3, False), Joining.JOINED,
         "4 of 7 cards named. Show the others, too."),
        (Findings(("a",) * 7, (), 0, True), Joining.JOINED, "All 7 cards are named."),
        (Findings((), (None, None), 7, False), Joining.JOINED,
         "0 of 7 cards named. 2 cards are not sure yet."),
        (Findings(("a",) * 8, (), 0, False), Joining.JOINED,
         "8 cards named, but there should be fewer."),
        (Findings(("a",), (), None, False), Joining.APART,
         "Keep two named cards in the picture while you move. 1 card named."),
        (Findings((), (), 7, False), Joining.NOTHING,
         "No card can be read here. Go closer, in good light."),
    ],
)  # fmt: skip
def test_what_is_said(found: Findings, joining: Joining, said: str) -> None:
    """What was named and what is missing, in a line."""
    assert str(describe_sweep(found, joining, str)) == said


def test_a_picture_that_comes_while_one_is_read_is_dropped(pub: Pub, photos: list[bytes]) -> None:
    """It is answered at once, and joins nothing."""
    ann = pub.player(0)
    key = begin(ann)
    opened = sweeps_of(pub).find(key, 0)
    opened.is_reading = True
    assert send(ann, key, photos[0]).json() == {"is_late": True}
    opened.is_reading = False
    assert not send(ann, key, photos[0]).json().get("is_late")


def test_a_picture_that_is_frozen_counts_once(pub: Pub, photos: list[bytes]) -> None:
    """A camera that another app has taken gives the same picture again: that is no second one."""
    ann = pub.player(0)
    key = begin(ann)
    send(ann, key, photos[0])
    assert send(ann, key, photos[0]).json() == {"is_late": True}
    seen = sweeps_of(pub).find(key, 0).sweep.findings()
    assert seen.sure == THIRTEEN[-1:]  # the one that is seen by both of its corners


def test_a_picture_that_waits_too_long_is_dropped(
    pub: Pub, photos: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has sent another by then."""
    monkeypatch.setattr(sweep_pages, "MAX_WAIT_S", 0.0)
    ann = pub.player(0)
    key = begin(ann)
    assert send(ann, key, photos[0]).json() == {"is_late": True}
    assert not sweeps_of(pub).find(key, 0).is_reading


def test_pictures_are_read_behind_all_else() -> None:
    """In a thread of lower priority than the one that asks, and one at a time."""

    def niceness() -> tuple[str, int]:
        thread = threading.current_thread()
        return thread.name, os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async def read_two() -> tuple[tuple[str, int], tuple[str, int]]:
        return await asyncio.gather(read_aside(niceness), read_aside(niceness))

    (one, nice), other = asyncio.run(read_two())
    assert (one, nice) == other
    assert nice >= min(NICENESS, os.getpriority(os.PRIO_PROCESS, 0) + 1)
    assert one != threading.current_thread().name


def sweeps_of(pub: Pub) -> Any:
    """Return the sweeps of the table."""
    return sweep_pages._tables[pub.app.state.site]


def test_one_card_is_named_by_two_pictures(pub: Pub) -> None:
    """That of the game may be entered with a tap if it is the time for it."""
    ann = pub.player(0)
    key = begin(ann, "card")
    picture = draw_hand((("red", "7"),), (0, 0))
    for photo in (encode(picture), encode(picture[5:, 7:])):
        found = send(ann, key, photo).json()
    assert (found["said"], found["names"], found["marks"]) == (
        "The card is named.", ["red 7"], [],
    )  # fmt: skip
    assert "In the picture: red 7" in use(ann, key).text
    key = begin(ann, "card")
    assert "too dark" in send(ann, key, encode(np.zeros((300, 400, 3), np.uint8))).json()["said"]
    assert "No card was named" in use(ann, key).text


def test_the_hand_that_counts_one_is_no_single_card() -> None:
    """A hand of one is swept like any other: two cards in a picture are no contradiction."""
    sweep = Sweep(1)
    two = [Sighting(("red", "1"), 0.9, (50.0, 50.0), 30.0), Sighting(None, 0, (250.0, 50.0), 30.0)]
    for _ in range(2):
        sweep.add(two, (640, 480))
    assert sweep.findings().sure == (("red", "1"),)
