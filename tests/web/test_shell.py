"""What every page shares: a seat's standing, its own last action, why, a round's end, the rules."""

import re

import pytest

from companion.referee.game import Reason, RoundEnd
from companion.registry import GAMES, game_of
from tests.referee.entering import acts, sit, tell
from tests.tables import sit_down
from tests.web.visitors import Pub, alert, hidden_field, open_pub


def take_back_seq(page: str) -> str:
    """Return which entry the page's own button takes back."""
    found = re.search(
        r'action="/take-back"[^>]*><input type="hidden" name="seq" value="(\d+)"', page
    )
    assert found, "nothing is offered to be taken back"
    return found[1]


@pytest.fixture
def pub() -> Pub:
    """Return a game of stacks in which seat 0 has rolled and placed."""
    return open_pub(sit("topple", "roll 3", "place 20 pink"))


def test_a_seat_takes_its_own_last_action_back(pub: Pub) -> None:
    """It is offered to whoever did it, and to nobody else."""
    ann, bob = pub.player(0), pub.player(1)
    seq = take_back_seq(ann.get("/seat").text)
    assert "/take-back" not in bob.get("/seat").text
    assert bob.post("/take-back", seq=seq).status_code == 409
    assert ann.post("/take-back", seq=seq).status_code == 303
    assert acts(pub.live_session) == ["roll 3"]


def test_what_was_rolled_is_taken_back_by_who_rolled(pub: Pub) -> None:
    """Chance is nobody's choice, but it is that seat's to enter."""
    tell(pub.live_session, "roll 4")
    assert "/take-back" not in pub.player(0).get("/seat").text
    bob = pub.player(1)
    assert bob.post("/take-back", seq=take_back_seq(bob.get("/seat").text)).status_code == 303
    assert acts(pub.live_session) == ["roll 3", "place 20 pink"]


def test_once_the_next_player_has_acted_it_is_too_late(pub: Pub) -> None:
    """The button goes, and a page that still has it is told so."""
    ann = pub.player(0)
    seq = take_back_seq(ann.get("/seat").text)
    tell(pub.live_session, "roll 4")
    refused = ann.post("/take-back", seq=seq)
    assert refused.status_code == 409
    assert "The game has changed" in alert(refused)
    assert acts(pub.live_session)[-1] == "roll 4"


def test_strangers_and_the_hosts_desk_take_nothing_back_here(pub: Pub) -> None:
    """It is a seat's own way; the host has another."""
    assert pub.stranger().post("/take-back", seq="3").status_code == 403
    assert pub.host().post("/take-back", seq="3").status_code == 403


def test_a_seat_sees_its_points_and_its_place() -> None:
    """Places are shared, and nobody has one while all have equally many."""
    pub = open_pub(sit("topple"))
    assert "data-rank" not in pub.player(0).get("/seat").text
    tell(pub.live_session, "roll 3", "topple")
    for seat, rank in ((0, 3), (1, 1), (2, 1)):
        pub.keys.invite_anew(seat)
        assert f'data-rank="{rank}"' in pub.player(seat).get("/seat").text


def test_why_stands_behind_one_tap(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason and the rule in plain words, on the board, on a seat’s page and on the desk."""
    game = pub.live_session.game
    monkeypatch.setattr(game, "reason", lambda *_: Reason("It was <high>", "TO-7"), raising=False)
    monkeypatch.setattr(game, "clause_words", lambda clause: f"Rule {clause[3:]}", raising=False)
    pub.live_session.changed()
    for page in (pub.stranger().get("/"), pub.player(0).get("/seat")):
        assert "<summary>Why?</summary><p>It was &lt;high&gt;.</p>" in page.text
        assert '<p class="rule">Rule 7</p>' in page.text
    assert "Why?" in pub.host().get("/desk").text


def test_a_rounds_end_says_who_won_and_why(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each player's points, what they are made of, and the sum."""
    ended = RoundEnd(
        2, "Bob’s stock is empty", "TO-8", (1, -2, 30), (5, 6, 77), (2,),
        (("a row",), (), ("two rows", "a stack")), (), {},
    )  # fmt: skip
    monkeypatch.setattr(pub.live_session.game, "round_end", lambda *_: ended, raising=False)
    pub.live_session.changed()
    page = " ".join(re.sub(r"<[^>]+>", " ", pub.stranger().get("/").text).split())
    assert "Cem wins round 2 Bob’s stock is empty." in page
    assert "Ann a row +1 5 Bob -2 6 Cem two rows a stack +30 77" in page


@pytest.mark.parametrize("game", GAMES)
def test_every_game_tells_how_it_is_played(game: str) -> None:
    """From every page one tap leads there; a game that is not here is refused in a sentence."""
    pub = open_pub(sit_down())
    page = pub.stranger().get(f"/rules/{game}")
    assert page.status_code == 200
    assert f"How to play {game_of(game).title}" in page.text
    assert 'href="/rules"' in pub.stranger().get("/").text
    assert pub.stranger().get("/rules/chess").status_code == 404


def test_a_language_is_chosen_for_one_browser() -> None:
    """It is kept in a cookie; the page that was open is shown again."""
    pub = open_pub(sit_down())
    visitor = pub.stranger()
    answer = visitor.post("/language", language="de", back="/rules")
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules")
    assert '<html lang="de">' in visitor.get("/").text
    assert '<html lang="en">' in pub.stranger().get("/").text
    assert pub.stranger().post("/language", language="xx").status_code == 400
    for elsewhere in ("//evil.example", "https://evil.example/", "/seat?x", "/\\evil"):
        gone = pub.stranger().post("/language", language="es", back=elsewhere)
        assert gone.headers["location"] == "/"


def test_a_browsers_own_language_is_spoken_unless_another_was_chosen() -> None:
    """Accept-Language decides at first."""
    pub = open_pub(sit_down())
    visitor = pub.stranger()
    german = {"headers": {"accept-language": "de-CH,de;q=0.9"}}
    answer = visitor.ask("GET", "/", **german)
    assert '<html lang="de">' in answer.text
    assert answer.headers["content-language"] == "de"
    visitor.post("/language", language="en")
    assert '<html lang="en">' in visitor.ask("GET", "/", **german).text


def test_marks_of_forms_are_each_seats_own(pub: Pub) -> None:
    """The shell leaves the games' own forms as they were."""
    bob = pub.player(1)
    assert hidden_field(bob.get("/seat"), "mark") == str(pub.live_session.session.next_seq)
