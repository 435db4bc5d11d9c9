"""Seats: one browser each, and no secret card in any other hand before it is shown."""

import random

import pytest

from companion.rules.tiki_topple import TIKIS
from tests.onlookers import open_timeless_log
from tests.tables import random_round, see, sit_down, told
from tests.web.desks import play_out
from tests.web.lines import CARD
from tests.web.visitors import (
    Pub,
    Visitor,
    alert,
    assert_silent_about,
    hidden_field,
    open_pub,
    sit_down_dealt,
)
from tests.web.well_formed import read_page

SECRET = ("nani", "huhu", "nui")
WORDS = (
    "nani huhu nui",
    "nani, huhu, nui",
    "nani for 9, huhu for 5, nui for 2",
    '"nani", "huhu", "nui"',
    '"nani","huhu","nui"',
    '"top9":"nani"',
    "'top9': 'nani'",
    'data-own="nani"',
)


def feed_text(pub: Pub) -> str:
    """Return all that the event stream has told."""
    return repr([item.body for item in pub.live_session.feed.since(0)])


def everything_shown(pub: Pub, *visitors: Visitor) -> str:
    """Return every page that *visitors* can open, the JSON, the live pieces and the feed."""
    site = pub.app.state.site
    shown = [feed_text(pub)]
    for visitor in visitors:
        pages = ("/", "/desk", "/desk/new", "/seat", "/api/state", "/nothing")
        shown += [visitor.get(page).text for page in pages]
    assert site.notifier.count
    return "\n".join(shown)


def test_a_link_is_claimed_once_by_one_browser() -> None:
    """The first browser has the seat; looking at the link takes nothing, a second one is late."""
    pub = open_pub(sit_down())
    link = f"/join/{pub.keys.invitation(1)}"
    assert pub.stranger().get(link).status_code == 200
    first = pub.stranger()
    taken = first.post(link)
    assert (taken.status_code, taken.headers["location"]) == (303, "/seat")
    assert "HttpOnly" in taken.headers["set-cookie"]
    assert "Bob" in first.get("/seat").text
    for late in (pub.stranger().get(link), pub.stranger().post(link)):
        assert (late.status_code, "already been used" in alert(late)) == (410, True)


def test_nobody_without_a_seat_enters_a_card() -> None:
    """Neither a stranger nor the host has a seat's page."""
    pub = open_pub(sit_down())
    for visitor in (pub.stranger(), pub.host()):
        assert visitor.get("/seat").status_code == 403
        answer = visitor.post("/seat", **CARD, round=1)
        assert (answer.status_code, "not taken a seat" in alert(answer)) == (403, True)
    assert not told(pub.live_session, "secret")


def test_a_seat_enters_its_card_and_sees_its_own() -> None:
    """The phone that entered the card shows it; the others are told that one was entered."""
    pub = open_pub(sit_down())
    phone = pub.player(0)
    assert phone.post("/seat", **CARD, round=1).status_code == 303
    own = phone.get("/seat")
    assert all(f'data-own="{tiki}"' in own.text for tiki in SECRET)
    assert own.headers["cache-control"] == "no-store"
    assert "secret card entered" in pub.stranger().get("/").text


def test_cards_of_the_set_up_stay_hidden_until_the_score() -> None:
    """A card that the engine was told beforehand is no more public than one from a phone."""
    pub = open_pub(sit_down_dealt(SECRET, ("kapu", "eepo", "nui"), None))
    text = everything_shown(pub, pub.host(), pub.player(0), pub.stranger())
    assert_silent_about(text, *WORDS)


def test_a_new_link_does_not_open_what_was_entered_before() -> None:
    """The host can replace a lost phone, everybody is told, and the old card stays closed."""
    pub = open_pub(sit_down(log=open_timeless_log()))
    host, phone = pub.host(), pub.player(0)
    phone.post("/seat", **CARD, round=1)
    assert host.post("/invite", seat=0).status_code == 303
    assert phone.get("/seat").status_code == 403
    assert "new link to Ann" in pub.stranger().get("/").text.replace("&#39;", "'")
    assert [each["what"] for each in told(pub.live_session, "seat")] == ["joined", "invited"]
    page = pub.player(0).get("/seat").text
    assert "stays hidden here" in page
    assert_silent_about(page, *WORDS)


def test_what_is_entered_again_counts_and_is_told() -> None:
    """A slip can be put right before the reveal; every time, all are told that it happened."""
    pub = open_pub(sit_down(rounds=1))
    host, phone = pub.host(), pub.player(0)
    phone.post("/seat", top9="nui", middle5="huhu", bottom2="nani", round=1)
    phone.post("/seat", **CARD, round=1)
    assert len(told(pub.live_session, "secret")) == 2
    play_out(pub, host)
    (shown,) = told(pub.live_session, "observed")
    assert shown["action"] == "card 0 nani huhu nui"


def test_at_the_reveal_the_card_is_shown_to_all() -> None:
    """When the round ends the card lies open, on every page; then it can no more be changed."""
    pub = open_pub(sit_down(rounds=1))
    host, phone = pub.host(), pub.player(0)
    phone.post("/seat", **CARD, round=1)
    play_out(pub, host)
    assert (
        "Ann shows the secret card Nani for 9, Huhu for 5, Nui for 2 points"
        in pub.stranger().get("/").text
    )
    answer = phone.post("/seat", **CARD, round=1)
    assert (answer.status_code, "do not need to enter" in alert(answer)) == (409, True)


@pytest.mark.parametrize(
    "form",
    [
        {"top9": "nani", "middle5": "nani", "bottom2": "nui", "round": "1"},
        {"top9": "nani", "middle5": "dog", "bottom2": "nui", "round": "1"},
        {"top9": "nani", "round": "1"},
        {**CARD, "round": "x"},
        CARD,
    ],
)
def test_a_card_that_is_none_is_refused(form: dict[str, str]) -> None:
    """One sentence, which does not repeat what was picked, and nothing is kept."""
    pub = open_pub(sit_down(log=open_timeless_log()))
    phone = pub.player(0)
    answer = phone.post("/seat", **form)
    assert answer.status_code == 400
    assert_silent_about(alert(answer), *TIKIS)
    assert not told(pub.live_session, "secret")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"middle5": "nani"}, "You chose the same tiki for 9 and for 5 points."),
        ({"bottom2": "nani"}, "You chose the same tiki for 9 and for 2 points."),
        ({"bottom2": "huhu"}, "You chose the same tiki for 5 and for 2 points."),
        ({"middle5": "nani", "bottom2": "nani"}, "You chose the same tiki three times."),
        ({"middle5": "dog"}, "Choose a tiki for 5 points too."),
    ],
)
def test_a_mistake_on_a_card_says_which_and_clears_nothing(
    form: dict[str, str], words: str
) -> None:
    """The refused page has every tiki again that was chosen; one that is opened anew has none."""
    pub = open_pub(sit_down(log=open_timeless_log()))
    phone, sent = pub.player(0), {**CARD, **form}
    answer = phone.post("/seat", **sent, round=1)
    assert alert(answer).startswith(words)
    kept = {each["id"] for each in read_page(answer.text) if "checked" in each}
    assert kept == {f"r1-{part}-{tiki}" for part, tiki in sent.items() if tiki != "dog"}
    assert answer.headers["cache-control"] == "no-store"
    assert "checked" not in phone.get("/seat").text.split("my-card")[1]


def test_the_card_of_another_is_entered_at_the_desk_without_losing_a_tap() -> None:
    """At the reveal the host enters any card; one tiki twice is said, and the others are kept."""
    pub = open_pub(sit_down(rounds=1))
    host = pub.host()
    play_out(pub, host)
    mark = hidden_field(host.get("/desk"), "mark")
    card = {"part0": "nani", "part1": "huhu", "part2": "huhu"}
    answer = host.post("/enter", action="card 1", mark=mark, **card)
    assert alert(answer).startswith("You chose the same tiki for 5 and for 2 points.")
    page = read_page(answer.text)
    kept = {each["id"] for each in page if "checked" in each}
    assert kept == {f"r1-s1-{part}-{tiki}" for part, tiki in card.items()}
    assert [each["id"] for each in page if each.get("name") == "missing" and "open" in each] == [
        "card-of-1"
    ]


def test_a_guessed_link_or_cookie_opens_no_seat() -> None:
    """Keys are compared whole, whatever text comes in."""
    pub = open_pub(sit_down(log=open_timeless_log()))
    for key in ("x", "%00", "ä" * 30, (pub.keys.invitation(0) or "")[:-1]):
        assert pub.stranger().post(f"/join/{key}").status_code == 410
    visitor = pub.stranger()
    visitor.cookies["tiki_seat"] = "guess"
    assert visitor.get("/seat").status_code == 403


def test_replayed_rounds_end_with_every_seat_silent_until_the_end() -> None:
    """Through a whole random round no page names a card before the last move."""
    pub = open_pub(sit_down(rounds=1, tie="share"))
    phone, other = pub.player(0), pub.player(1)
    phone.post("/seat", **CARD, round=1)
    for place, (_, _, line) in enumerate(random_round(random.Random(5), 3, TIKIS)):
        shown = other.get("/").text + other.get("/seat").text + feed_text(pub)
        assert_silent_about(shown, "nani for 9, huhu", "card 0")
        pub.live_session.observe(see(str(place), line))
