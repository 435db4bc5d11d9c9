"""What the host and the seats may say on their pages to the question that stands."""

import re

import httpx
import pytest

from companion.rules.tiki_topple import TIKIS
from companion.scoreboard import read_scoreboard
from tests.referee.entering import acts
from tests.referee.known_ranks import known_ranks, play_until_asked
from tests.tables import moves, see, see_hand, sit_down
from tests.web.scenes import asked, doubted
from tests.web.visitors import Pub, Visitor, alert, hidden_field, open_pub

SWAPPED = (TIKIS[1], TIKIS[0], *TIKIS[2:7], TIKIS[8], TIKIS[7])


def open_wrong() -> Pub:
    """Return a pub at whose table two swaps have left a line that no card explains."""
    pub = open_pub(sit_down())
    for observation in (see("1", TIKIS), see_hand("2", "near"), see("3", SWAPPED)):
        pub.live_session.observe(observation)
    return pub


def say(visitor: Visitor, page: str, word: str) -> httpx.Response:
    """Let *visitor* press the button *word* of its *page*."""
    return visitor.post(f"/{word}", mark=hidden_field(visitor.get(page), "mark"))


def choose(visitor: Visitor, choice: int) -> httpx.Response:
    """Let the host answer the question that stands."""
    return visitor.post("/choose", mark=hidden_field(visitor.get("/desk"), "mark"), choice=choice)


def test_the_host_adopts_the_table() -> None:
    """What is seen is shown, the turn is asked for, and the game goes on from there."""
    pub = open_wrong()
    host = pub.host()
    assert "The table is right" in host.get("/desk").text
    assert say(host, "/desk", "table-is-right").status_code == 303
    assert "Play on with the table as it is now?" in host.get("/desk").text
    assert choose(host, 1).status_code == 303
    assert "What did Ann play?" in host.get("/desk").text
    assert choose(host, 2).status_code == 303
    assert pub.live_session.session.state.line == SWAPPED
    board = pub.stranger().get("/").text
    assert "You said that the table was right, although no legal move led there" in board


def test_a_seat_may_ask_and_the_host_confirms() -> None:
    """One phone alone never changes the game so."""
    pub = open_wrong()
    player = pub.player(0)
    assert say(player, "/seat", "table-is-right").headers["location"] == "/seat"
    assert pub.live_session.session.entries == []
    assert "Play on with the table as it is now?" in player.get("/seat").text
    mark = mark_of(pub)
    for choice in range(3):
        assert player.post("/choose", mark=mark, choice=choice).status_code == 403
    assert pub.live_session.session.entries == []


def test_a_seat_has_the_table_led_back() -> None:
    """The board names one place after the other."""
    pub = open_wrong()
    assert say(pub.player(0), "/seat", "game-is-right").status_code == 303
    board = pub.stranger().get("/").text
    assert f"Put the table back: {TIKIS[0].capitalize()} in place 1. Then 3 more." in board
    assert "The game is right" not in pub.host().get("/desk").text


@pytest.mark.parametrize("word", ["table-is-right", "game-is-right"])
def test_a_bystander_may_say_neither(word: str) -> None:
    """The board shows no such button, and the answer is a sentence."""
    pub = open_wrong()
    stranger = pub.stranger()
    assert "is right:" not in stranger.get("/").text
    answer = stranger.post(f"/{word}", mark="")
    assert answer.status_code == 403
    assert "Only the host" in alert(answer)


def test_what_was_settled_meanwhile_is_not_adopted() -> None:
    """Who pressed the button of an old page is told so."""
    pub = open_wrong()
    host = pub.host()
    mark = hidden_field(host.get("/desk"), "mark")
    pub.live_session.observe(see_hand("4", "near"))
    pub.live_session.observe(see("5", TIKIS))
    assert host.post("/table-is-right", mark=mark).status_code == 409
    assert pub.live_session.session.entries == []


def test_why_a_table_cannot_be_adopted_is_said() -> None:
    """A line with a tiki twice was misread or is a joke."""
    pub = open_pub(sit_down())
    twice = (TIKIS[0], TIKIS[0], *TIKIS[2:])
    for observation in (see("1", TIKIS), see_hand("2", "near"), see("3", twice)):
        pub.live_session.observe(observation)
    host = pub.host()
    answer = say(host, "/desk", "table-is-right")
    assert answer.status_code == 409
    words = "The game cannot go on from this table: the line has a gap"
    assert alert(answer).startswith(words)


def test_the_command_line_says_both() -> None:
    """`tiki tell adopt 1 up2` is the whole conversation at once."""
    pub = open_wrong()
    host = pub.host()
    answer = host.post("/api/tell", action="adopt 1 up9")
    assert answer.status_code == 409
    assert "“up9” cannot have been used for it" in answer.json()["error"]
    assert host.post("/api/tell", action="lead-back").status_code == 200
    answer = host.post("/api/tell", action="adopt 1 up2")
    assert answer.status_code == 200
    assert answer.json()["told"].startswith("You said that the table was right")
    assert pub.live_session.session.state.line == SWAPPED


def buttons(visitor: Visitor) -> list[int]:
    """Return which candidates *visitor* may tap on the scoreboard."""
    found = re.findall(r'name="choice" value="(\d+)"', visitor.get("/").text)
    return list(map(int, found))


def test_a_seat_says_what_it_did_itself_and_nothing_of_another() -> None:
    """Who made the tower fall: each phone has the one button, and reads the other answers."""
    pub = open_pub(asked())
    question = read_scoreboard(pub.live_session).question
    assert question is not None
    assert question.candidates[0] == "It fell while Bob was placing"
    assert (question.candidates[2], question.candidates[5]) == ("Bob did it", "Nothing fell")
    assert buttons(pub.host()) == list(range(6))
    assert buttons(pub.stranger()) == []
    players = [pub.player(seat) for seat in range(4)]
    assert [buttons(player) for player in players] == [[1], [0, 2], [3], [4]]
    bob = players[1]
    mark = mark_of(pub)
    for choice in (1, 3, 4, 5):
        answer = bob.post("/choose", mark=mark, choice=choice)
        assert answer.status_code == 403
        assert "whoever made that move" in alert(answer)
    assert bob.post("/choose", mark=mark, choice="none").status_code == 400
    assert pub.stranger().post("/choose", mark=mark, choice=2).status_code == 403
    answer = bob.post("/choose", mark=mark, choice=2)
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    assert acts(pub.live_session)[-1] == "knock 1"
    late = bob.post("/choose", mark=mark, choice=2)
    assert (late.status_code, "has changed" in alert(late)) == (409, True)


def test_a_seat_says_what_its_own_entry_has_left() -> None:
    """Every answer is its own; the other seat only reads them."""
    live_session = known_ranks(2)
    play_until_asked(live_session, 2)
    pub = open_pub(live_session)
    seat = live_session.session.rules.turn(live_session.session.state)
    assert seat is not None
    player, before = pub.player(seat), len(acts(live_session))
    assert buttons(player)[:2] == [0, 1]
    assert buttons(pub.player(1 - seat)) == []
    mark = mark_of(pub)
    assert player.post("/choose", mark=mark, choice=0).status_code == 303
    assert len(acts(live_session)) == before + 1


def test_two_moves_of_two_seats_are_for_the_host() -> None:
    """Neither may speak for the other."""
    pub = open_pub(doubted())
    for seat in range(4):
        player = pub.player(seat)
        assert buttons(player) == []
        assert "The host taps the answer" in player.get("/seat").text
        mark = mark_of(pub)
        assert player.post("/choose", mark=mark, choice=0).status_code == 403


def test_each_seat_says_its_own_part_of_what_was_seen() -> None:
    """Ann that she took her move back, or Bob that he played."""
    pub = open_pub(sit_down())
    swapped = (TIKIS[1], TIKIS[0], *TIKIS[2:])
    for frame, line in enumerate((TIKIS, swapped, TIKIS)):
        pub.live_session.observe(see(str(frame), line))
    ann, bob, cem = (pub.player(seat) for seat in range(3))
    page = ann.get("/").text
    assert "Bob: Tiki Up 1 on Hookipa" in page
    assert "Ann took back the last move" in page
    assert "Whoever made the move taps the answer" in page
    assert [buttons(each) for each in (ann, bob, cem)] == [[1], [0], []]
    assert ann.post("/choose", mark=mark_of(pub), choice=1).status_code == 303
    assert moves(pub.live_session) == []


def mark_of(pub: Pub) -> str:
    """Return what an answer to the standing question has to name."""
    question = read_scoreboard(pub.live_session).question
    assert question is not None
    return question.mark
