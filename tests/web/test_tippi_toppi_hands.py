"""The hands of Tippi Toppi: open where the players want it, else nobody's business."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.tippi_toppi import NAMES as CARDS
from companion.session.session import Header
from tests.onlookers import open_timeless_log
from tests.referee.entering import tell
from tests.referee.fast_rounds import GOALS, LAYS
from tests.tables import NAMES
from tests.web.forms import Form, actions_of, forms_of
from tests.web.tippi_toppi_tables import ANNS, BOBS, sit_at, tap, text_of
from tests.web.visitors import Pub, Visitor, alert, assert_silent_about, open_pub


def test_open_hands_are_told_and_shown_to_everybody() -> None:
    """TP-16: four cards and each card drawn, by their own seat or the host, on the board."""
    pub = open_pub(sit_at(2, *LAYS, *GOALS, open_hands=True))
    ann, host = pub.player(0), pub.host()
    assert [
        form for form in forms_of(ann.get("/seat")) if "hand 1" in form.choices.get("action", ())
    ] == []
    tell_hand(ann, 0, ANNS)
    tell_hand(host, 1, BOBS)
    page = text_of(pub.stranger().get("/"))
    assert "Ann 1 green 2 green 4 pink 5 purple" in page
    assert "Bob 1 green 4 pink 2 orange 6 purple" in page
    own = ann.get("/seat")
    assert {each.split()[1] for each in actions_of(own)} == {"green1", "green2", "pink4"}
    assert re.findall(r'data-own="([^"]*)"', own.text) == [
        "green 1",
        "green 2",
        "pink 4",
        "purple 5",
    ]
    tap(ann, "/seat", "play green1 0")
    assert actions_of(pub.player(1).get("/seat")) == []
    assert "drew green1" not in actions_of(ann.get("/seat"))  # both are laid or held
    tap(ann, "/seat", "drew green3")
    assert "Ann 2 green 3 green 4 pink 5 purple" in text_of(pub.stranger().get("/"))
    assert not [form for form in forms_of(host.get("/desk")) if "hand 0" in form.choices]


def tell_hand(visitor: Visitor, seat: int, cards: tuple[str, ...]) -> None:
    """Tick *cards* in the form for the hand of *seat*, on the desk or on the own page."""
    for path in ("/desk", "/seat"):
        for form in forms_of(visitor.get(path)) if visitor.get(path).status_code == 200 else ():
            if f"hand {seat}" in form.choices.get("action", ()):
                assert not form.boxes.keys() & form.fields.keys()
                sent = ticked(form, *cards) | {"action": f"hand {seat}"}
                answer = visitor.post("/enter", **{**form.fields, **sent})
                assert answer.status_code == 303
                return
    pytest.fail(f"nobody asks for the hand of seat {seat}")


def ticked(form: Form, *cards: str) -> dict[str, str]:
    """Return what *form* sends when *cards* are ticked, each as often as it is named."""
    sent: dict[str, str] = {}
    for card in cards:
        boxes = [name for name, value in form.boxes.items() if value == card and name not in sent]
        sent[boxes[0]] = card
    return sent


@pytest.mark.parametrize("path", ["/seat", "/desk"])
def test_a_hand_that_is_refused_keeps_its_ticks(path: str) -> None:
    """A card too few is said; all that was ticked still is, and no second tick is needed."""
    pub = open_pub(sit_at(2, *LAYS, *GOALS, open_hands=True))
    visitor = pub.player(0) if path == "/seat" else pub.host()
    form = hand_form(visitor.get(path), 0)
    sent = {**form.fields, "action": "hand 0"}
    refused = visitor.post("/enter", **sent, **ticked(form, "green1", "green1", "purple5"))
    assert refused.status_code == 409
    assert alert(refused) == "The rules do not allow that: that hand holds 4 cards, not 3."
    again = hand_form(refused, 0)
    kept = {name: value for name, value in again.fields.items() if name in again.boxes}
    assert sorted(kept.values()) == ["green1", "green1", "purple5"]
    assert 'id="hand-0" open' in refused.text
    assert refused.text.index('id="hand-0"') < refused.text.index("Which card is played?")
    more = ticked(again, "pink4")
    assert visitor.post("/enter", **again.fields, **more, action="hand 0").status_code == 303
    assert pub.live_session.session.state.hands[0] == tuple(
        map(CARDS.index, ("green1", "green1", "pink4", "purple5"))
    )


def test_a_hand_without_a_card_is_asked_for_in_words() -> None:
    """Nothing of the text of the action is shown."""
    pub = open_pub(sit_at(2, *LAYS, *GOALS, open_hands=True))
    ann = pub.player(0)
    answer = ann.post("/enter", **hand_form(ann.get("/seat"), 0).fields, action="hand 0")
    assert answer.status_code == 400
    assert alert(answer) == "Tap the cards of the hand first, then save them."


def hand_form(page: httpx.Response, seat: int) -> Form:
    """Return the form of *page* for the hand of *seat*."""
    (form,) = (each for each in forms_of(page) if f"hand {seat}" in each.choices.get("action", ()))
    return form


def test_a_hand_with_a_card_that_stays_hidden_is_asked_for_again() -> None:
    """What is known of it is filled in, a question mark stands for the rest."""
    pub = open_pub(sit_at(2, *LAYS, *GOALS, open_hands=True))
    host = pub.host()
    tell_hand(host, 0, ANNS)
    tap(host, "/desk", "play green1 0", "drew hidden")
    assert "Ann ? 2 green 4 pink 5 purple" in text_of(pub.stranger().get("/"))
    form = hand_form(host.get("/desk"), 0)
    kept = [value for name, value in form.fields.items() if name in form.boxes]
    assert sorted(kept) == ["green2", "pink4", "purple5"]


def public_pages(pub: Pub, other: Visitor) -> Iterator[str]:
    """Yield all that the host, *other* at another seat and a stranger are shown, links left out."""
    stranger, host = pub.stranger(), pub.host()
    pages = [stranger.get("/"), stranger.get("/api/state"), host.get("/"), host.get("/desk")]
    pages += [other.get("/seat"), host.get("/desk/correct/1")]
    for page in pages:
        text = re.sub(r'<svg[^>]*class="qr".*?</svg>', "", page.text, flags=re.DOTALL)
        yield re.sub(rf'/join/[\w-]+|data-mark="\w+"|{pub.keys.code or "$^"}', "", text)
    for item in pub.live_session.feed.since(0):
        yield json.dumps({key: value for key, value in item.body.items() if key != "at"})


@pytest.mark.parametrize("known", ["hands", "deck"])
def test_two_games_that_differ_in_hidden_cards_look_alike(known: str) -> None:
    """TP-2: board, JSON, desk, another's seat and all that is told, byte for byte."""
    seen = []
    for swapped in (False, True):
        pub = open_pub(known_session(known, swapped=swapped))
        other = pub.player(1)
        lays = LAYS if known == "hands" else ()
        tell(pub.live_session, *lays, *GOALS)
        seen.append(list(public_pages(pub, other)))
        drawn = ("drew hidden",) if known == "hands" else ()
        tell(pub.live_session, "play green1 0", *drawn)
        pub.live_session.changed()
        seen[-1] += public_pages(pub, other)
        answer = pub.host().post(
            "/enter", action="play purple1 2", mark=str(pub.live_session.session.next_seq)
        )
        seen[-1].append(alert(answer))
    assert seen[0] == seen[1]


def known_session(known: str, *, swapped: bool, **options: Any) -> LiveSession:
    """Return a session whose set-up tells the engine the hands, or the deck from which they come.

    swapped: whether one hidden card of Ann and one of the others are another way round.
    """
    hands = [["green1", "green2", "purple3", "purple5"], ["orange1", "orange2", "pink5", "pink6"]]
    if swapped:
        hands[0][2], hands[1][3] = hands[1][3], hands[0][2]
    chosen = open_header(game_of("tippi_toppi"), NAMES[:2], options, 0).options
    setup: dict[str, Any] = {"first": 0, "hands": hands}
    if known == "deck":
        tops = ["green7", "orange7", "pink2", "pink3"]
        dealt = [*hands[0], *hands[1], *tops]
        rest = [card for card in CARDS for _ in range(2 - dealt.count(card))]
        setup = {"first": 0, "deck": [*dealt, *(rest[::-1] if swapped else rest)]}
    return LiveSession(open_timeless_log(), Header("tippi_toppi", NAMES[:2], chosen, setup))


def test_the_comparison_of_hidden_cards_can_fail() -> None:
    """Where hands lie open, the same two games differ."""
    one, two = (
        open_pub(known_session("hands", swapped=swapped, open_hands=True)).stranger().get("/").text
        for swapped in (False, True)
    )
    assert one != two


def test_a_refusal_names_no_card_of_a_hidden_hand() -> None:
    """Who enters a card that the hand has not is told only that."""
    pub = open_pub(known_session("hands", swapped=False))
    tell(pub.live_session, *LAYS, *GOALS)
    answer = pub.host().post("/enter", action="play green4 0", mark="9")
    assert alert(answer) == "The rules do not allow that: green 4 is not in that hand."
    assert_silent_about(alert(answer), "green1", "purple3")


def every_page(pub: Pub) -> list[str]:
    """Return the pages of everybody."""
    return [
        pub.stranger().get("/").text,
        pub.host().get("/desk").text,
        pub.player(0).get("/seat").text,
    ]


def test_no_hand_is_asked_for_unless_it_lies_open() -> None:
    """No page has a form for it, and what is sent all the same is refused."""
    pub = open_pub(sit_at(2, *LAYS, *GOALS))
    for page in every_page(pub):
        assert_silent_about(page, 'value="hand', "openhand", "data-own")
    answer = pub.host().post("/enter", action=f"hand 0 {' '.join(ANNS)}", mark="9")
    assert answer.status_code == 409
    assert_silent_about(alert(answer), *ANNS)
