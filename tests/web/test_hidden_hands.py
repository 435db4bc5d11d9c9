"""Hands that the engine knows: their owner alone sees them."""

import json
import re
from collections.abc import Iterator

from companion.games import game_of
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.session.session import Header
from tests.onlookers import open_timeless_log
from tests.referee.entering import tell
from tests.tables import NAMES
from tests.web.visitors import Pub, Visitor, assert_silent_about, open_pub

HAND = ["green-1", "green-2", "green-3", "green-4", "green-5", "green-6", "wild"]
OTHER = ["blue-skip", "tiki-goto", "yellow-1", "yellow-2", "yellow-3", "yellow-4", "yellow-5"]


def hidden_sitting(hand: list[str]) -> LiveSession:
    """Return a session at which the set-up tells the engine Bob's *hand*."""
    options = open_header(game_of("uno_tiki"), NAMES[:3], {}, 0).options
    header = Header("uno_tiki", NAMES[:3], options, {"dealer": 0, "hands": [None, hand, None]})
    return LiveSession(open_timeless_log(), header)


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


def test_two_games_that_differ_in_a_hand_look_alike_to_all_but_its_owner() -> None:
    """Board, JSON, desk, another's seat, corrections and events give no card of a hand away."""
    seen = []
    for hand in (HAND, OTHER):
        pub = open_pub(hidden_sitting(hand))
        other = pub.player(0)
        tell(pub.live_session, "turn tiki-draw1", "turn red-7")
        seen.append(list(public_pages(pub, other)))
        tell(pub.live_session, "draw", "drew hidden", "pass", "play red-5-spin", "spin 1")
        seen[-1] += public_pages(pub, other)
    assert seen[0] == seen[1]


def test_the_owner_alone_sees_the_hand() -> None:
    """Bob's page shows his cards; Ann's, the host's and the feed are silent about them."""
    pub = open_pub(hidden_sitting(OTHER))
    tell(pub.live_session, "turn red-7")
    assert 'data-own="blue Skip"' in pub.player(1).get("/seat").text
    for page in (pub.player(0).get("/seat"), pub.host().get("/desk"), pub.stranger().get("/")):
        assert_silent_about(page.text, "data-own")
    state = pub.stranger().get("/api/state").json()
    assert state["table"]["hands"] == [None, None, None]


def test_the_comparison_of_hands_can_fail() -> None:
    """A page that shows a hand differs between two hands."""
    one, other = (open_pub(hidden_sitting(hand)).player(1).get("/seat") for hand in (HAND, OTHER))
    assert one.text != other.text
