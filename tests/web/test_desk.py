"""The host's desk: what may be told to the referee, by whom, and how refusals read."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.rules.tiki_topple import TIKIS
from companion.session.log import LogError
from tests.tables import moves, see, sit_down, told
from tests.web.visitors import Pub, Visitor, alert, hidden_field, open_pub

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])
PAGES = ("choose", "undo", "move", "line", "card", "correct", "invite", "learn", "new")


def play(pub: Pub, host: Visitor, *actions: str) -> None:
    """Tap *actions* in, one after the other."""
    for action in actions:
        answer = host.post("/move", action=action, mark=pub.sitting.session.next_seq)
        assert answer.status_code == 303, alert(answer)


def wanted_line(pub: Pub) -> tuple[str, ...]:
    """Return what the game says stands on the table."""
    line: tuple[str, ...] = pub.sitting.session.state.line
    return line


@pytest.mark.parametrize("page", PAGES)
def test_a_stranger_may_ask_for_nothing(page: str) -> None:
    """Whoever is not the host is told so in a sentence, and nothing happens."""
    pub = open_pub(sit_down())
    entries = pub.sitting.session.next_seq
    for visitor in (pub.stranger(), pub.player(0)):
        answer = visitor.post(f"/{page}", seq=1, seat=0, players=2)
        assert answer.status_code == 403
        assert "Only the host" in alert(answer)
    assert pub.sitting.session.next_seq == entries


def test_a_move_is_tapped_in_and_taken_back() -> None:
    """Without a camera the game goes on by taps; a take-back is one tap too."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi", "topple hookipa")
    assert moves(pub.sitting) == [(0, "up1 lokahi"), (1, "topple hookipa")]
    desk = host.get("/desk")
    assert "Bob: Tiki Topple on Hookipa" in desk.text
    assert host.post("/undo", seq=hidden_field(desk, "seq")).status_code == 303
    assert moves(pub.sitting) == [(0, "up1 lokahi")]


def test_a_take_back_meets_the_move_it_was_meant_for() -> None:
    """A second tap on an old page takes back nothing more."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi", "topple hookipa")
    seq = hidden_field(host.get("/desk"), "seq")
    host.post("/undo", seq=seq)
    again = host.post("/undo", seq=seq)
    assert (again.status_code, "look again" in alert(again)) == (409, True)
    assert moves(pub.sitting) == [(0, "up1 lokahi")]


def test_the_desk_offers_legal_moves_only() -> None:
    """No first card may be Toast, and what is not offered is refused."""
    pub = open_pub(sit_down())
    host = pub.host()
    desk = host.get("/desk").text
    assert 'value="up1 lokahi"' in desk
    assert 'value="toast nui"' not in desk
    for action in (
        "toast nui",
        "up3 nani",
        "line nani",
        "",
        "card 0 nani huhu nui",
        "up1 lokahi x",
    ):
        answer = host.post("/move", action=action, mark=pub.sitting.session.next_seq)
        assert (answer.status_code, "not legal" in alert(answer)) == (409, True)
    assert moves(pub.sitting) == []


def test_a_move_meant_for_an_earlier_moment_is_refused() -> None:
    """When the camera was quicker, the tap is not taken for the next player's move."""
    pub = open_pub(sit_down())
    host = pub.host()
    mark = hidden_field(host.get("/desk"), "mark")
    pub.sitting.observe(see("1", LOKAHI_UP))
    answer = host.post("/move", action="up2 nani", mark=mark)
    assert (answer.status_code, "look again" in alert(answer)) == (409, True)


def asked_pub() -> Pub:
    """Return pages with a standing question: two quick moves, or a wrong line."""
    pub = open_pub(sit_down())
    pub.sitting.observe(see("1", ("nani", "lokahi", "hookipa", *TIKIS[3:])))
    assert pub.sitting.referee.question
    assert pub.sitting.referee.question.candidates
    return pub


def test_a_candidate_is_chosen_by_a_tap() -> None:
    """The host sees the candidates as buttons, everybody else as a list; the tap settles it."""
    pub = asked_pub()
    assert 'name="choice"' not in pub.stranger().get("/").text
    host = pub.host()
    page = host.get("/")
    mark = hidden_field(page, "mark")
    assert 'name="choice" value="0"' in page.text
    answer = host.post("/choose", mark=mark, choice="0", back="board")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert len(moves(pub.sitting)) == 2
    late = host.post("/choose", mark=mark, choice="0")
    assert (late.status_code, "look again" in alert(late)) == (409, True)


def test_none_of_these_leads_to_the_other_ways() -> None:
    """Saying no changes nothing and tells what can be done."""
    pub = asked_pub()
    host = pub.host()
    mark = hidden_field(host.get("/"), "mark")
    answer = host.post("/choose", mark=mark, choice="none")
    assert answer.headers["location"] == "/desk?none#by-hand"
    assert "tap the move in" in alert(host.get("/desk?none"))
    assert moves(pub.sitting) == []


@pytest.mark.parametrize("choice", ["9", "-1", "x", "", "²", "1" * 5000])
def test_a_choice_that_was_not_offered_is_refused(choice: str) -> None:
    """Whatever a form holds, the answer is a sentence."""
    pub = asked_pub()
    host = pub.host()
    answer = host.post("/choose", mark=hidden_field(host.get("/"), "mark"), choice=choice)
    assert answer.status_code == 400
    assert alert(answer).endswith(".")


def test_an_earlier_move_is_corrected_with_what_still_fits() -> None:
    """The page offers what leaves all later moves legal, and the board follows."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi", "topple nani")
    page = host.get("/desk/correct/1")
    assert "Tiki Up 1 on Lokahi" in page.text
    assert 'value="up1 nani"' in page.text
    assert 'value="up1 lokahi"' not in page.text
    answer = host.post("/correct", seq=1, action="up1 nani", mark=hidden_field(page, "mark"))
    assert answer.status_code == 303
    assert moves(pub.sitting)[0] == (0, "up1 nani")
    assert "corrected" in host.get("/").text


def test_a_correction_that_breaks_later_moves_is_refused() -> None:
    """What would make a later move illegal is neither offered nor taken."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi", "up1 nani")
    page = host.get("/desk/correct/1")
    assert 'value="up3 kapu"' in page.text
    mark = hidden_field(page, "mark")
    answer = host.post("/correct", seq=1, action="toast nui", mark=mark)
    assert (answer.status_code, "does not fit" in alert(answer)) == (409, True)
    assert host.get("/desk/correct/99").status_code == 404


def test_a_starting_line_is_entered_by_hand() -> None:
    """Nine pickers put up the line; one tiki twice is refused."""
    pub = open_pub(sit_down(line=None))
    host = pub.host()
    slots: dict[str, Any] = {f"slot{slot}": tiki for slot, tiki in enumerate(TIKIS)}
    mark = hidden_field(host.get("/desk"), "mark")
    double = host.post("/line", **{**slots, "slot0": TIKIS[1]}, mark=mark)
    assert (double.status_code, alert(double)) == (
        400,
        "A starting line has all nine tikis, each once.",
    )
    assert host.post("/line", **slots, mark=mark).status_code == 303
    assert wanted_line(pub) == TIKIS
    answer = host.post("/line", **slots, mark=pub.sitting.session.next_seq)
    assert (answer.status_code, alert(answer)) == (409, "No starting line is wanted now.")


def play_out(pub: Pub, host: Visitor) -> None:
    """Tap in a whole short round: everybody toasts as soon as they may."""
    play(pub, host, "up1 lokahi", "up1 nani", "up1 wikiwiki")
    for _ in range(6):
        play(pub, host, f"toast {wanted_line(pub)[-1]}")


def test_shown_cards_are_entered_at_the_desk_and_the_round_is_scored() -> None:
    """Where no phone was used, the host enters the cards as they are turned over."""
    pub = open_pub(sit_down(rounds=1))
    host = pub.host()
    early = host.post("/card", seat=0, top9="nani", middle5="nui", bottom2="huhu")
    assert (early.status_code, "wanted now" in alert(early)) == (409, True)
    play_out(pub, host)
    assert "Secret cards wanted from: Ann, Bob, Cem" in host.get("/").text
    top = wanted_line(pub)[0]
    for seat in range(3):
        card = {"top9": top if seat == 1 else "nui", "middle5": "kapu", "bottom2": "eepo"}
        assert host.post("/card", seat=seat, **card).status_code == 303
    page = host.get("/").text
    assert 'data-winner="1"' in page
    assert 'data-score="9"' in page


def test_a_new_game_puts_the_old_one_away() -> None:
    """Players, names, sides and rounds are chosen; the seats' old links are void."""
    pub = open_pub(sit_down())
    host, old = pub.host(), pub.keys.invitation(0)
    answer = host.post(
        "/new", players=2, name0=" Eva ", name1="Finn", side0="far", side1="near", rounds="2"
    )
    assert answer.status_code == 303
    header = pub.sitting.header
    assert (header.players, header.sides) == (("Eva", "Finn"), ("far", "near"))
    assert header.options["rounds"] == 2
    assert told(pub.sitting, "closed")
    assert pub.stranger().post(f"/join/{old}").status_code == 410


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"players": "5"}, "'players' must be a number from 2 to 4."),
        ({"players": "two"}, "'players' must be a number from 2 to 4."),
        ({"rounds": "2"}, "The form lacks 'players'; go back and send it again."),
        ({"players": "2", "name0": "x" * 21}, "A player's name has at most 20 letters."),
        (
            {"players": "2", "name0": "a\x1bb"},
            "A player's name has letters, digits and blanks only.",
        ),
        ({"players": "2", "name0": "Ann", "name1": "ANN"}, "Two players have the same name"),
        ({"players": "2", "rounds": "0"}, "'rounds' must be a number from 1 to 12."),
        ({"players": "2", "first": "2"}, "'first' must be a number from 0 to 1."),
        ({"players": "2", "side0": "near", "side1": "near"}, "Two players sit at the same side"),
    ],
)
def test_a_new_game_that_cannot_be_is_refused(form: dict[str, str], sentence: str) -> None:
    """One sentence says what is wrong, and the game goes on."""
    pub = open_pub(sit_down())
    answer = pub.host().post("/new", **form)
    assert answer.status_code == 400
    assert sentence in alert(answer)
    assert not told(pub.sitting, "closed")


def test_too_large_and_foreign_bodies_are_refused() -> None:
    """A body that no form of ours could have made is not even read to its end."""
    host = open_pub(sit_down()).host()
    assert host.post("/undo", seq="1" * 20_000).status_code == 413
    assert host.ask("POST", "/undo", json={"seq": 1}).status_code == 415
    many = host.ask("POST", "/undo", {f"field{place}": "1" for place in range(99)})
    assert many.status_code == 400
    form = {"content-type": "application/x-www-form-urlencoded"}
    broken = host.ask("POST", "/undo", content=b"seq=%ff&\xff", headers=form)
    assert (broken.status_code, "cannot be read" in alert(broken)) == (400, True)


def test_a_full_disk_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept does not happen, and the host reads why."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi")

    def refuse(*_: object) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr(pub.sitting.log, "append", refuse)
    answer = host.post("/undo", seq=1)
    assert (answer.status_code, alert(answer)) == (
        503,
        "That could not be kept: the disk is full.",
    )
    assert moves(pub.sitting) == [(0, "up1 lokahi")]


@pytest.mark.parametrize(
    ("trouble", "words"),
    [(None, "The colours are learned."), ("too few corner tiles", "Not learned: too few corner")],
)
def test_the_colours_are_learned_and_a_failure_has_a_reason(
    trouble: str | None, words: str
) -> None:
    """The desk shows the order, passes it on, and says what came of it."""
    lessons: list[tuple[str, ...]] = []

    def learn(line: Sequence[str], tell: Callable[[str | None], None]) -> None:
        lessons.append(tuple(line))
        tell(trouble)

    host = open_pub(sit_down(), learn).host()
    assert "Learn the colours" in host.get("/desk").text
    assert host.post("/learn", now="now").status_code == 303
    assert lessons == [TIKIS]
    assert words in host.get("/desk").text


def test_where_nothing_is_to_be_learned_nothing_is_offered() -> None:
    """A recording brings its own known line."""
    host = open_pub(sit_down()).host()
    assert "Learn the colours" not in host.get("/desk").text
    assert host.post("/learn", now="now").status_code == 409
