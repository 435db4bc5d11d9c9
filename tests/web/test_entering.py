"""Entering on the pages: who may say what, and what is refused."""

import re

import httpx
import pytest

from companion.registry import GAMES
from companion.rules.tiki_topple import TIKIS
from companion.web.pages import entering
from tests.referee.entering import TO_SPIN, acts, handle, sit, tell, tower
from tests.tables import sit_down
from tests.web.forms import actions_of
from tests.web.games import ACTIONS, somebodys_turn
from tests.web.visitors import Pub, Visitor, alert, hidden_field, open_pub


def enter(visitor: Visitor, pub: Pub, action: str, **more: str) -> httpx.Response:
    """Enter *action*."""
    return visitor.post("/enter", action=action, mark=pub.live_session.session.next_seq, **more)


def test_a_stranger_may_enter_nothing() -> None:
    """Whoever has neither the key nor a seat is refused in one sentence."""
    pub = open_pub(somebodys_turn("topple").live_session)
    before = acts(pub.live_session)
    stranger = pub.stranger()
    for path in ("/enter", "/instead", "/pause", "/undo", "/api/tell"):
        for more in ({}, {"mark": 1, "paused": 0, "seq": 1, "sensor": "topple"}):
            answer = stranger.post(path, action="roll 3", **more)
            assert answer.status_code == 403
            assert "Only the host" in answer.text
    assert acts(pub.live_session) == before
    assert 'action="/enter"' not in stranger.get("/").text


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_enters_nothing_on_anothers_turn(game: str) -> None:
    """What is one seat's to say is refused to the others, and taken from that seat."""
    turn = somebodys_turn(game)
    pub = open_pub(turn.live_session)
    before = acts(pub.live_session)
    own, other = pub.player(turn.seat), pub.player(turn.other)
    assert turn.action not in actions_of(other.get("/seat"))
    refused = enter(other, pub, turn.action, back="seat")
    assert (refused.status_code, "cannot enter that now" in alert(refused)) == (403, True)
    assert acts(pub.live_session) == before
    answer = enter(own, pub, turn.action, back="seat")
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    assert acts(pub.live_session)[len(before)] == turn.action


def test_a_seat_enters_its_own_turn_and_no_other() -> None:
    """A phone at a seat rolls, places and owns up for itself alone."""
    pub = open_pub(sit("topple"))
    ann, bob = pub.player(0), pub.player(1)
    assert "roll 3" in actions_of(ann.get("/seat"))
    assert "roll 3" not in actions_of(bob.get("/seat"))
    refused = enter(bob, pub, "roll 3", back="seat")
    assert (refused.status_code, "cannot enter that now" in alert(refused)) == (403, True)
    answer = enter(ann, pub, "roll 3", back="seat")
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    assert enter(ann, pub, "place 20", part0="pink").status_code == 303
    assert actions_of(ann.get("/seat")) == ["knock 0"]
    assert enter(ann, pub, "knock 2").status_code == 403
    assert enter(ann, pub, "knock 0").status_code == 303
    assert acts(pub.live_session) == ["roll 3", "place 20 pink", "knock 0"]


def test_a_seat_shows_its_own_secret_card_alone() -> None:
    """At the end of a round each seat may show its card; never before, and never another's."""
    pub = open_pub(sit_down(rounds=1))
    ann, bob = pub.player(0), pub.player(1)
    early = enter(ann, pub, "card 0", part0="nani", part1="huhu", part2="nui")
    assert (early.status_code, "that is secret" in alert(early)) == (409, True)
    tell(pub.live_session, "up1 lokahi", "up1 nani", "up1 wikiwiki")
    for _ in range(6):
        tell(pub.live_session, f"toast {pub.live_session.session.state.line[-1]}")
    assert enter(bob, pub, "card 0", part0="nani", part1="huhu", part2="nui").status_code == 403
    assert enter(ann, pub, "card 0", part0="nani", part1="huhu", part2="nui").status_code == 303
    assert acts(pub.live_session)[-1] == "card 0 nani huhu nui"


def test_the_spinner_says_where_the_idol_points() -> None:
    """Spin and choice are the spinner's to enter; counting is each one's own."""
    pub = open_pub(sit("uno_tiki", *TO_SPIN))
    ann, bob = pub.player(0), pub.player(1)
    assert "spin between 0 1" in actions_of(bob.get("/seat"))
    assert enter(ann, pub, "spin 0").status_code == 403
    assert enter(bob, pub, "spin between 0 1").status_code == 303
    assert actions_of(bob.get("/seat")) == ["choose 0", "choose 1"]
    assert enter(bob, pub, "choose 0").status_code == 303
    assert [len(hand) for hand in pub.live_session.session.state.hands] == [11, 6, 7]


def test_a_fall_is_taken_back_or_given_to_another() -> None:
    """Right after a fall the desk offers "nothing fell", and who else it was."""
    pub = open_pub(sit("topple", "roll 3", "place 20 pink", "roll 6"))
    host = pub.host()
    handle(pub.live_session, tower("topple"))
    desk = host.get("/desk")
    assert "No, nothing fell" in desk.text
    mark = hidden_field(desk, "mark")
    assert host.post("/instead", action="knock 2", mark=mark).status_code == 303
    assert acts(pub.live_session)[-1] == "knock 2"
    desk = host.get("/desk")
    assert "No, nothing fell" not in desk.text
    assert "No, as before" in desk.text
    assert host.post("/undo", seq=hidden_field(desk, "seq")).status_code == 303
    assert acts(pub.live_session)[-1] == "topple"
    desk = host.get("/desk")
    assert host.post("/undo", seq=hidden_field(desk, "seq")).status_code == 303
    assert acts(pub.live_session)[-1] == "roll 6"
    assert "No, nothing fell" not in host.get("/desk").text


def test_a_fall_that_was_none_leaves_the_piece_before_it() -> None:
    """That it fell while Ann was placing can be taken back, and her piece stays."""
    pub = open_pub(sit("topple", "roll 3", "place 20 pink"))
    host = pub.host()
    handle(pub.live_session, tower("topple"))
    question = host.get("/desk")
    assert "It fell while Ann was placing" in question.text
    assert host.post("/choose", mark=hidden_field(question, "mark"), choice=0).status_code == 303
    assert acts(pub.live_session) == ["roll 3", "topple"]
    desk = host.get("/desk")
    assert host.post("/undo", seq=hidden_field(desk, "seq")).status_code == 303
    assert acts(pub.live_session) == ["roll 3", "place 20 pink"]
    assert "Bob rolls the die" in host.get("/").text


def test_a_spot_may_be_typed_as_it_is_called_on_the_drawing() -> None:
    """By command and in a form, whatever the case; what is told back has the same name."""
    pub = open_pub(sit("topple", "roll 6"))
    host = pub.host()
    answer = host.post("/api/tell", action="place c3 Pink")
    assert answer.json()["told"] == "Ann places pink on C3"
    tell(pub.live_session, "roll 6")
    assert enter(host, pub, "place A5 yellow").status_code == 303
    assert acts(pub.live_session)[1::2] == ["place 22 pink", "place 40 yellow"]
    tell(pub.live_session, "roll 6")
    assert enter(host, pub, "place F9 blue").status_code == 409


def test_the_colour_used_last_is_chosen_or_the_one_of_a_refused_form() -> None:
    """Of two colours, on the desk and on the page of whose turn it is."""
    turns = ("roll 6", "place 22 pink", "roll 6", "place 22 green", "roll 6")
    pub = open_pub(sit("topple", *turns, seats=2))
    visitors = {"desk": pub.host(), "seat": pub.player(0)}

    def chosen() -> list[str]:
        texts = [visitor.get(f"/{page}").text for page, visitor in visitors.items()]
        return [re.findall(r'value="(\w+)" checked', text)[0] for text in texts]

    assert chosen() == ["pink", "pink"]
    tell(pub.live_session, "place 21 blue", "roll 6", "place 21 yellow", "roll 6")
    pub.live_session.changed()
    assert chosen() == ["blue", "blue"]

    for visitor in visitors.values():
        refused = enter(visitor, pub, "place 99", part0="pink", back="seat")
        assert refused.status_code == 409
        assert re.findall(r'value="(\w+)" checked', refused.text)[0] == "pink"
    assert chosen() == ["blue", "blue"]


@pytest.mark.parametrize(
    ("action", "status", "words"),
    [
        ("place 22 pink", 409, "a roll of 3 only allows level 3"),
        ("fly", 409, "is not an action"),
        ("", 409, "is not an action"),
        ("x" * 500, 400, "too long"),
    ],
)
def test_what_cannot_be_entered_is_refused_in_a_sentence(
    action: str, status: int, words: str
) -> None:
    """The rules' own reason, on the desk, on a seat's page and by command."""
    pub = open_pub(sit("topple", "roll 3"))
    host = pub.host()
    for visitor in (host, pub.player(0)):
        answer = enter(visitor, pub, action)
        assert (answer.status_code, words in alert(answer)) == (status, True)
    answer = host.post("/api/tell", action=action)
    assert (answer.status_code, words in answer.json()["error"]) == (status, True)


@pytest.mark.parametrize("game", GAMES)
def test_an_action_of_another_game_is_refused_in_a_sentence(game: str) -> None:
    """Whoever enters it, and however, reads one sentence, and nothing has changed."""
    turn = somebodys_turn(game)
    pub = open_pub(turn.live_session)
    before = acts(pub.live_session)
    host, seat = pub.host(), pub.player(turn.seat)
    for action in (action for other, action in ACTIONS.items() if other != game):
        for visitor in (host, seat):
            answer = enter(visitor, pub, action)
            assert answer.status_code == 409, action
            assert alert(answer).startswith("The rules do not allow that: ")
            assert alert(answer).endswith(".")
            assert alert(answer).count(". ") == 0
        answer = host.post("/instead", action=action, mark=pub.live_session.session.next_seq)
        assert answer.status_code == 409, action
        assert host.post("/api/tell", action=action).status_code == 409
    assert acts(pub.live_session) == before


def test_the_forms_of_another_game_are_refused() -> None:
    """Where nobody asked, no colours are learned and no secret is kept, nothing of that is done."""
    host = open_pub(sit("topple")).host()
    for path in ("/choose", "/learn"):
        answer = host.post(path, mark=1, choice=0)
        assert answer.status_code == 409, path
    player = open_pub(sit("topple")).player(0)
    answer = player.post("/seat", round=1, top9="nani")
    assert (answer.status_code, alert(answer)) == (409, "This game has no secrets to enter.")


def test_the_game_is_paused_on_the_desk() -> None:
    """One tap, seen by everybody; a second one on an old page does not undo it."""
    pub = open_pub(sit("topple"))
    host = pub.host()
    assert host.post("/pause", paused="0").status_code == 303
    assert host.post("/pause", paused="0").status_code == 303
    assert pub.live_session.paused
    assert "Paused" in pub.stranger().get("/").text
    assert host.post("/pause", paused="1").status_code == 303
    assert "Paused" not in pub.stranger().get("/").text


def test_parts_of_an_action_come_in_their_order() -> None:
    """More than nine parts are put together by their numbers; none may be missing in between."""
    pub = open_pub(sit_down(line=None))
    parts = {f"part{place}": tiki for place, tiki in enumerate(TIKIS)}
    assert enter(pub.host(), pub, "line", **parts, part10="nani").status_code == 400
    assert enter(pub.host(), pub, "line", **parts).status_code == 303
    assert pub.live_session.session.state.line == TIKIS


def test_the_companion_rolls_the_die_for_who_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a button on the desk and on the page of whose turn it is, and by command."""
    asked: list[tuple[str, ...]] = []

    def choose(actions: tuple[str, ...]) -> str:
        asked.append(actions)
        return actions[3]

    monkeypatch.setattr(entering.DICE, "choice", choose)
    pub = open_pub(sit("topple"))
    bob = pub.player(1)
    host, ann = pub.host(), pub.player(0)
    mark = hidden_field(ann.get("/seat"), "mark")
    assert bob.post("/enter", mark=mark, action="chance", back="seat").status_code == 403
    assert "Roll it for us" in ann.get("/seat").text
    assert ann.post("/enter", mark=mark, action="chance", back="seat").status_code == 303
    assert asked[-1] == tuple(f"roll {pips}" for pips in range(1, 7))
    assert pub.live_session.session.state.pips == 4
    mark = hidden_field(host.get("/desk"), "mark")
    refused = host.post("/enter", mark=mark, action="chance")
    assert (refused.status_code, alert(refused)) == (409, "There is nothing to roll or draw now.")
    tell(pub.live_session, "place 01 pink")
    assert host.post("/api/tell", action="chance").json()["told"] == "Rolled a 4"


def test_play_goes_on_if_nobody_saw_the_die() -> None:
    """The piece may stand anywhere then, and no page names a number."""
    pub = open_pub(sit("topple"))
    host = pub.host()
    page = host.get("/desk")
    assert "Nobody saw it" in page.text
    mark = hidden_field(page, "mark")
    assert host.post("/enter", mark=mark, action="roll ?").status_code == 303
    page = host.get("/desk")
    assert "Ann places a piece on any spot" in page.text
    assert "Rolled, but nobody saw the number" in page.text
    mark = hidden_field(page, "mark")
    answer = host.post("/enter", mark=mark, action="place 01", part0="pink")
    assert answer.status_code == 303
    assert "Bob rolls the die" in host.get("/").text


def test_ticked_boxes_follow_by_their_numbers() -> None:
    """After the parts, and nothing else of the form with them."""
    form = {
        "pick10": "c",
        "action": "hand 0",
        "pick2": "b",
        "part0": "a",
        "pick": "x",
        "picks1": "y",
    }
    assert entering.action_of(form) == "hand 0 a b c"
    assert entering.action_of({"action": "hand 0", "pick²": "a", "pick12345": "b"}) == "hand 0"
