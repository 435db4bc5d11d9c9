"""Games that are told, on the pages: who may tap what, and what stays secret."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from companion.referee.games import TOLD, open_header
from companion.referee.sitting import Sitting
from companion.session.session import Header
from companion.web.scoreboard import read_scoreboard
from tests.referee.test_scribe import TO_SPIN, acts, hear, scribe_of, sit, tell, tower
from tests.tables import NAMES, open_log
from tests.web.visitors import Pub, Visitor, alert, assert_silent_about, hidden_field, open_pub

HAND = ["green-1", "green-2", "green-3", "green-4", "green-5", "green-6", "wild"]
OTHER = ["blue-skip", "tiki-goto", "yellow-1", "yellow-2", "yellow-3", "yellow-4", "yellow-5"]


@dataclass
class Tap:
    """A form of a page: where it goes, what it sends along, and what may be chosen."""

    path: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """Finds the forms of a page; buttons and radios that are off are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Tap] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of what can be sent."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Tap(given["action"]))
        elif not self.found or "name" not in given or "disabled" in given:
            return
        elif tag == "button" or given.get("type") == "radio":
            self.found[-1].choices.setdefault(given["name"], []).append(given["value"])
        elif tag == "input":
            self.found[-1].fields[given["name"]] = given.get("value", "")


def taps_of(page: httpx.Response) -> list[Tap]:
    """Return the forms of *page*."""
    parser = Forms()
    parser.feed(page.text)
    return parser.found


def actions_of(page: httpx.Response) -> list[str]:
    """Return what may be told on *page*."""
    return [
        action
        for tap in taps_of(page)
        if tap.path == "/tell"
        for action in tap.choices.get("action", ())
    ]


def post_tell(visitor: Visitor, pub: Pub, action: str, **more: str) -> httpx.Response:
    """Tap *action* in."""
    return visitor.post("/tell", action=action, mark=pub.sitting.session.next_seq, **more)


@pytest.mark.parametrize("game", sorted(TOLD))
def test_a_stranger_may_tell_nothing(game: str) -> None:
    """Whoever has neither the key nor a seat is refused in one sentence."""
    pub = open_pub(sit(game))
    stranger = pub.stranger()
    for path in ("/tell", "/instead", "/pause", "/undo", "/api/tell"):
        answer = stranger.post(path, action="roll 3", mark=1, paused=0, seq=1, sensor="topple")
        assert answer.status_code == 403
        assert "Only the host" in answer.text
    assert acts(pub.sitting) == []
    assert 'action="/tell"' not in stranger.get("/").text


def test_a_seat_tells_its_own_turn_and_no_other() -> None:
    """A phone at a seat rolls, places and owns up for itself alone."""
    pub = open_pub(sit("topple"))
    ann, bob = pub.player(0), pub.player(1)
    assert "roll 3" in actions_of(ann.get("/seat"))
    assert "roll 3" not in actions_of(bob.get("/seat"))
    refused = post_tell(bob, pub, "roll 3", back="seat")
    assert (refused.status_code, "not yours" in alert(refused)) == (403, True)
    answer = post_tell(ann, pub, "roll 3", back="seat")
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    assert post_tell(ann, pub, "place 20", colour="pink").status_code == 303
    assert actions_of(ann.get("/seat")) == ["knock 0"]
    assert post_tell(ann, pub, "knock 2").status_code == 403
    assert post_tell(ann, pub, "knock 0").status_code == 303
    assert acts(pub.sitting) == ["roll 3", "place 20 pink", "knock 0"]


def test_the_spinner_says_where_the_idol_points() -> None:
    """Spin and choice are the spinner's to tap; counting is each one's own."""
    pub = open_pub(sit("uno_tiki", *TO_SPIN))
    ann, bob = pub.player(0), pub.player(1)
    assert "spin between 0 1" in actions_of(bob.get("/seat"))
    assert post_tell(ann, pub, "spin 0").status_code == 403
    assert post_tell(bob, pub, "spin between 0 1").status_code == 303
    assert actions_of(bob.get("/seat")) == ["choose 0", "choose 1"]
    assert post_tell(bob, pub, "choose 0").status_code == 303
    assert [len(hand) for hand in pub.sitting.session.state.hands] == [11, 6, 7]


def test_a_fall_is_taken_back_or_given_to_another() -> None:
    """Right after a fall the desk offers "nothing fell", and who else it was."""
    pub = open_pub(sit("topple", "roll 3", "place 20 pink", "roll 6"))
    host = pub.host()
    hear(pub.sitting, tower("topple"))
    desk = host.get("/desk")
    assert "No, nothing fell" in desk.text
    mark = hidden_field(desk, "mark")
    assert host.post("/instead", action="knock 2", mark=mark).status_code == 303
    assert acts(pub.sitting)[-1] == "knock 2"
    seq = hidden_field(host.get("/desk"), "seq")
    assert host.post("/undo", seq=seq).status_code == 303
    assert acts(pub.sitting)[-1] == "roll 6"
    assert "No, nothing fell" not in host.get("/desk").text


def test_a_tap_on_an_old_page_is_refused() -> None:
    """What happened meanwhile is not overwritten."""
    pub = open_pub(sit("topple"))
    host = pub.host()
    mark = hidden_field(host.get("/desk"), "mark")
    hear(pub.sitting)
    tell(pub.sitting, "roll 3")
    answer = host.post("/tell", action="roll 4", mark=mark)
    assert (answer.status_code, "look again" in alert(answer)) == (409, True)


@pytest.mark.parametrize(
    ("action", "status", "words"),
    [
        ("place 22 pink", 409, "a roll of 3 allows level 3 only"),
        ("fly", 409, "is no action"),
        ("", 409, "is no action"),
        ("x" * 500, 400, "too long"),
    ],
)
def test_what_cannot_be_told_is_refused_in_a_sentence(action: str, status: int, words: str) -> None:
    """The rules' own reason, on the desk and by command."""
    pub = open_pub(sit("topple", "roll 3"))
    host = pub.host()
    answer = post_tell(host, pub, action)
    assert (answer.status_code, words in alert(answer)) == (status, True)
    answer = host.post("/api/tell", action=action)
    assert (answer.status_code, words in answer.json()["error"]) == (status, True)


def test_the_forms_of_another_game_are_refused() -> None:
    """Tiki Topple's forms mean nothing to Topple, and the other way round."""
    host = open_pub(sit("topple")).host()
    for path in ("/move", "/line", "/card", "/choose", "/learn"):
        answer = host.post(path, action="up1 nani", mark=1, choice=0, seat=0, slot0="nani")
        assert answer.status_code == 409, path
    player = open_pub(sit("topple")).player(0)
    assert player.post("/seat", round=1, top9="nani").status_code == 409


def test_the_game_is_paused_on_the_desk() -> None:
    """One tap, seen by everybody; a second one on an old page does not undo it."""
    pub = open_pub(sit("topple"))
    host = pub.host()
    assert host.post("/pause", paused="0").status_code == 303
    assert host.post("/pause", paused="0").status_code == 303
    assert pub.sitting.paused
    assert "Paused" in pub.stranger().get("/").text
    assert host.post("/pause", paused="1").status_code == 303
    assert "Paused" not in pub.stranger().get("/").text


@pytest.mark.parametrize(
    ("game", "form", "setup"),
    [
        ("topple", {"players": "4", "target": "40", "first": "2"}, {"first": 2}),
        ("topple", {"players": "2", "first": "chance"}, {}),
        ("uno_tiki", {"players": "10", "first": "9"}, {"dealer": 9}),
        ("uno_tiki", {"players": "3"}, {"dealer": 0}),
    ],
)
def test_a_new_game_begins_as_the_form_says(
    game: str, form: dict[str, str], setup: dict[str, int]
) -> None:
    """Seats by the game, points to win, and who begins or deals, or chance."""
    pub = open_pub(sit(game))
    host = pub.host()
    assert "Points to win" in host.get("/desk/new").text
    assert host.post("/new", **form).status_code == 303
    header = pub.sitting.header
    assert (header.game, len(header.players), dict(header.setup)) == (
        game,
        int(form["players"]),
        setup,
    )
    assert header.options["target"] == int(form.get("target", header.options["target"]))
    assert host.post("/new", players="11").status_code == 400


def test_a_new_game_keeps_what_the_table_has_chosen() -> None:
    """The edition's colours and other options stay; what hangs on the number of seats does not."""
    chosen = {"colours": ["red", "orange", "white", "purple"], "next_start": "same"}
    header = open_header("topple", NAMES[:2], {**chosen, "target": 30}, 0)
    pub = open_pub(Sitting(open_log(), header))
    host = pub.host()
    assert 'value="30"' in host.get("/desk/new").text
    assert host.post("/new", players="3", target="").status_code == 303
    options = pub.sitting.header.options
    assert {key: options[key] for key in chosen} == chosen
    assert (options["target"], options["two_colours"]) == (30, False)


def hidden_sitting(hand: list[str]) -> Sitting:
    """Return a sitting at which the set-up tells the engine Bob's *hand*."""
    options = open_header("uno_tiki", NAMES[:3], {}, 0).options
    header = Header("uno_tiki", NAMES[:3], options, {"dealer": 0, "hands": [None, hand, None]})
    return Sitting(open_log(), header)


def public_pages(pub: Pub, other: Visitor) -> Iterator[str]:
    """Yield all that the host, *other* at another seat and a stranger are shown, links left out."""
    stranger, host = pub.stranger(), pub.host()
    pages = [stranger.get("/"), stranger.get("/api/state"), host.get("/"), host.get("/desk")]
    pages += [other.get("/seat"), host.get("/desk/correct/1")]
    for page in pages:
        text = re.sub(r'<svg[^>]*class="qr".*?</svg>', "", page.text, flags=re.DOTALL)
        yield re.sub(r'/join/[\w-]+|data-mark="\w+"', "", text)
    for item in pub.sitting.feed.since(0):
        yield json.dumps({key: value for key, value in item.body.items() if key != "at"})


def test_two_games_that_differ_in_a_hand_look_alike_to_all_but_its_owner() -> None:
    """Board, JSON, desk, another's seat, corrections and events give no card of a hand away."""
    seen = []
    for hand in (HAND, OTHER):
        pub = open_pub(hidden_sitting(hand))
        other = pub.player(0)
        tell(pub.sitting, "turn tiki-draw1", "turn red-7")
        seen.append(list(public_pages(pub, other)))
        tell(pub.sitting, "draw", "drew hidden", "pass", "play red-5-spin", "spin 1")
        seen[-1] += public_pages(pub, other)
    assert seen[0] == seen[1]


def test_the_owner_alone_sees_the_hand() -> None:
    """Bob's page shows his cards; Ann's, the host's and the feed are silent about them."""
    pub = open_pub(hidden_sitting(OTHER))
    tell(pub.sitting, "turn red-7")
    assert 'data-own="blue Skip"' in pub.player(1).get("/seat").text
    for page in (pub.player(0).get("/seat"), pub.host().get("/desk"), pub.stranger().get("/")):
        assert_silent_about(page.text, "data-own")
    state = pub.stranger().get("/api/state").json()
    assert state["table"]["hands"] == [None, None, None]


def test_the_comparison_of_hands_can_fail() -> None:
    """A page that shows a hand differs between two hands."""
    one, other = (open_pub(hidden_sitting(hand)).player(1).get("/seat") for hand in (HAND, OTHER))
    assert one.text != other.text


def play_a_form(rng: random.Random, host: Visitor, oracle: list[Any], rules: Any) -> None:
    """Send one form of the desk as somebody might, and follow it in the rules alone."""
    paths = ("/tell", "/undo", "/instead")
    forms = [tap for tap in taps_of(host.get("/desk")) if tap.path in paths]
    weights = [20 if tap.path == "/tell" else 1 for tap in forms]
    (tap,) = rng.choices(forms, weights)
    sent = tap.fields | {name: rng.choice(values) for name, values in tap.choices.items()}
    if "points" in sent:
        sent["points"] = str(rng.choice([0, 7, 20, 30, 55, 3, 9999]))
    answer = host.post(tap.path, **sent)
    words = " ".join(filter(None, (sent.get(key, "") for key in ("action", "colour", "points"))))
    if answer.status_code == 409 and words.startswith("count"):
        return
    assert answer.status_code == 303, (tap, alert(answer))
    if tap.path != "/tell":
        oracle.pop()
    if tap.path != "/undo":
        oracle.append(rules.apply(oracle[-1], rules.parse_action(words)))


@pytest.mark.parametrize("game", sorted(TOLD))
@pytest.mark.parametrize("seed", range(4))
def test_random_tapping_agrees_with_the_rules_alone(game: str, seed: int) -> None:
    """Whatever the desk offers is taken, nothing else happens, and the rules come out the same."""
    rng = random.Random(seed)
    pub = open_pub(sit(game, seats=2 + seed % 3))
    host, rules = pub.host(), scribe_of(pub.sitting).session.rules
    oracle: list[Any] = [pub.sitting.session.state]
    for _ in range(70):
        play_a_form(rng, host, oracle, rules)
        assert pub.sitting.session.state == oracle[-1]
        board = read_scoreboard(pub.sitting)
        assert [player.score for player in board.players] == [
            *scribe_of(pub.sitting).table.scores(oracle[-1])
        ]


def test_the_random_tapping_sees_an_action_that_is_not_offered() -> None:
    """A disabled spot is no tap, and an enabled one is."""
    page = open_pub(sit("topple", "roll 1")).host().get("/desk")
    assert [each for each in actions_of(page) if each.startswith("place")] == ["place 22"]
