"""The host's desk: what may be told to the referee, by whom, and how refusals read."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.scenes.scene import scene_of
from companion.scoreboard import read_scoreboard
from companion.session.log import LogError
from tests.referee.entering import sit
from tests.tables import moves, see, sit_down
from tests.web.desks import enter, play, play_out, wanted_line
from tests.web.visitors import Pub, alert, hidden_field, open_pub
from tests.web.well_formed import read_page

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])
PAGES = ("undo", "instead", "pause", "correct", "invite", "learn", "new", "teach")


@pytest.mark.parametrize("page", PAGES)
def test_a_stranger_may_ask_for_nothing(page: str) -> None:
    """Whoever is not the host is told so in a sentence, and nothing happens."""
    pub = open_pub(sit_down())
    entries = pub.live_session.session.next_seq
    for visitor in (pub.stranger(), pub.player(0)):
        answer = visitor.post(f"/{page}", seq=1, seat=0, players=2)
        assert answer.status_code == 403
        assert "Only the host" in alert(answer)
    assert pub.live_session.session.next_seq == entries


def test_a_move_is_entered_and_taken_back() -> None:
    """Without a camera the game goes on by taps; a take-back is one tap too."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi", "topple hookipa")
    assert moves(pub.live_session) == [(0, "up1 lokahi"), (1, "topple hookipa")]
    desk = host.get("/desk")
    assert "Bob: Tiki Topple on Hookipa" in desk.text
    assert host.post("/undo", seq=hidden_field(desk, "seq")).status_code == 303
    assert moves(pub.live_session) == [(0, "up1 lokahi")]


def test_a_take_back_meets_the_move_it_was_meant_for() -> None:
    """A second tap on an old page takes back nothing more."""
    pub = open_pub(sit_down())
    host = pub.host()
    play(pub, host, "up1 lokahi", "topple hookipa")
    seq = hidden_field(host.get("/desk"), "seq")
    host.post("/undo", seq=seq)
    again = host.post("/undo", seq=seq)
    assert (again.status_code, "has changed" in alert(again)) == (409, True)
    assert moves(pub.live_session) == [(0, "up1 lokahi")]


def test_the_desk_offers_legal_moves_only() -> None:
    """No first card may be Toast, and what is not offered is refused."""
    pub = open_pub(sit_down())
    host = pub.host()
    desk = host.get("/desk").text
    assert 'value="up1 lokahi"' in desk
    assert 'value="toast nui"' not in desk
    for action, why in (
        ("toast nui", "nobody may play a Toast as their first card of a round."),
        ("up3 nani", "Nani is number 3 in the line and cannot go up 3."),
        ("line nani", "the starting line has already been set up."),
        ("", "'' is not an action"),
        ("card 0 nani huhu nui", "that is secret"),
        ("up1 lokahi x", "'up1 lokahi x' is not an action"),
    ):
        answer = enter(pub, host, action)
        assert answer.status_code == 409
        assert alert(answer).startswith(f"The rules do not allow that: {why}")
    assert moves(pub.live_session) == []


def test_a_move_meant_for_an_earlier_moment_is_refused() -> None:
    """When the camera was quicker, the tap is not taken for the next player's move."""
    pub = open_pub(sit_down())
    host = pub.host()
    mark = hidden_field(host.get("/desk"), "mark")
    pub.live_session.observe(see("1", LOKAHI_UP))
    answer = host.post("/enter", action="up2 nani", mark=mark)
    assert (answer.status_code, "has changed" in alert(answer)) == (409, True)


def asked_pub() -> Pub:
    """Return pages with a standing question: two quick moves, or a wrong line."""
    pub = open_pub(sit_down())
    pub.live_session.observe(see("1", ("nani", "lokahi", "hookipa", *TIKIS[3:])))
    assert pub.live_session.referee.question
    assert pub.live_session.referee.question.candidates
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
    assert len(moves(pub.live_session)) == 2
    late = host.post("/choose", mark=mark, choice="0")
    assert (late.status_code, "has changed" in alert(late)) == (409, True)


def test_what_two_legal_moves_explain_is_asked_and_accuses_nobody() -> None:
    """The headline is a question, also for devices; a wrong line that no moves explain is named."""
    pub = asked_pub()
    page = pub.host().get("/").text
    assert "Two moves at once?" in page
    assert "None of these" in page
    assert "Not a legal move" not in page
    assert scene_of(read_scoreboard(pub.live_session)).kind == "ask"
    pub.live_session.observe(see("2", (*TIKIS[4:], *TIKIS[:4])))
    assert "Not a legal move" in pub.host().get("/").text
    assert scene_of(read_scoreboard(pub.live_session)).kind == "illegal"


def test_none_of_these_leads_to_the_other_ways() -> None:
    """Saying no changes nothing and tells what can be done."""
    pub = asked_pub()
    host = pub.host()
    mark = hidden_field(host.get("/"), "mark")
    answer = host.post("/choose", mark=mark, choice="none")
    assert answer.headers["location"] == "/desk?none#by-hand"
    assert "enter the move below" in alert(host.get("/desk?none"))
    assert moves(pub.live_session) == []


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
    assert moves(pub.live_session)[0] == (0, "up1 nani")
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


def test_only_what_has_alternatives_is_offered_for_correction() -> None:
    """A line or a shown card that was entered as a whole is taken back and entered anew."""
    pub = open_pub(sit_down(line=None, rounds=1))
    host = pub.host()
    assert enter(pub, host, "line", *TIKIS).status_code == 303
    assert "Correct an earlier move" not in host.get("/desk").text
    play_out(pub, host)
    assert enter(pub, host, "card 0", "nui", "kapu", "eepo").status_code == 303
    links = re.findall(r"/desk/correct/(\d+)", host.get("/desk").text)
    assert len(links) == len(moves(pub.live_session)) == 9
    assert 'name="action"' in host.get(f"/desk/correct/{links[0]}").text


def test_a_starting_line_is_entered_by_hand() -> None:
    """Nine rows of dots put up the line; one tiki twice is refused, and the others are kept."""
    pub = open_pub(sit_down(line=None))
    host = pub.host()
    assert host.get("/desk").text.count('name="part8"') == len(TIKIS)
    double = enter(pub, host, "line", TIKIS[1], *TIKIS[1:])
    assert (double.status_code, alert(double)) == (
        400,
        "Lokahi is in place 1 and in place 2. Choose another tiki for one of the two.",
    )
    kept = [each["id"] for each in read_page(double.text) if "checked" in each]
    assert kept == [f"line-0-{TIKIS[1]}", *(f"line-{n}-{TIKIS[n]}" for n in range(1, 9))]
    assert "checked" not in host.get("/desk").text
    assert enter(pub, host, "line", *TIKIS).status_code == 303
    assert wanted_line(pub) == TIKIS
    again = enter(pub, host, "line", *TIKIS)
    assert (again.status_code, alert(again)) == (
        409,
        "The rules do not allow that: the starting line has already been set up.",
    )


def test_shown_cards_are_entered_at_the_desk_and_the_round_is_scored() -> None:
    """Where no phone was used, the host enters the cards as they are turned over."""
    pub = open_pub(sit_down(rounds=1))
    host = pub.host()
    early = enter(pub, host, "card 0", "nani", "nui", "huhu")
    assert (early.status_code, "that is secret" in alert(early)) == (409, True)
    play_out(pub, host)
    assert "Waiting for the secret cards of Ann, Bob and Cem" in host.get("/").text
    top = wanted_line(pub)[0]
    for seat in range(3):
        card = (top if seat == 1 else "nui", "kapu", "eepo")
        assert enter(pub, host, f"card {seat}", *card).status_code == 303
    page = host.get("/").text
    assert 'data-winner="1"' in page
    assert 'data-score="9"' in page


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

    monkeypatch.setattr(pub.live_session.log, "append", refuse)
    answer = host.post("/undo", seq=1)
    assert (answer.status_code, alert(answer)) == (
        503,
        "That could not be saved: the disk is full.",
    )
    assert moves(pub.live_session) == [(0, "up1 lokahi")]


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (None, "The camera is calibrated."),
        ("too few corner tiles", "Not calibrated: too few corner"),
    ],
)
def test_the_colours_are_learned_and_a_failure_has_a_reason(
    trouble: str | None, words: str
) -> None:
    """The desk shows the order, passes it on, and says what came of it."""
    calibrations: list[Mapping[str, Any]] = []

    def learn(known: Mapping[str, Any], tell: Callable[[str | None], None]) -> None:
        calibrations.append(known)
        tell(trouble)

    host = open_pub(sit_down(), learn).host()
    assert "Calibrate the colours" in host.get("/desk").text
    assert host.post("/learn", now="now").status_code == 303
    assert calibrations == [{"line": list(TIKIS)}]
    assert words in host.get("/desk").text


def taught_by_desk(live_session: LiveSession) -> Mapping[str, Any]:
    """Return what the desk lets the eyes learn of the game that is on."""
    calibrations: list[Mapping[str, Any]] = []
    host = open_pub(live_session, lambda known, _: calibrations.append(known)).host()
    assert "Calibrate the camera" in host.get("/desk").text
    assert host.post("/learn", now="now").status_code == 303
    (known,) = calibrations
    return known


def test_the_eyes_learn_from_columns_as_they_stand_now() -> None:
    """In the middle of a game too: the camera was set up late, or the lamp is another."""
    tribes = taught_by_desk(sit("tactiki", "move 40 30", seats=2))["cells"]
    assert tribes[3][0] == ["tiki"]
    discs = taught_by_desk(sit("topple", "roll 6", "place 22 pink"))["cells"]
    assert [spot for row in discs for spot in row if spot] == [["pink"]]
    assert discs[2][2] == ["pink"]


def test_the_eyes_learn_the_idols_arm_from_where_people_turn_it() -> None:
    """To the far side of the mat, which is its top."""
    assert taught_by_desk(sit("uno_tiki")) == {"idol_deg": 0.0}


def test_where_nothing_is_to_be_learned_nothing_is_offered() -> None:
    """A recording brings its own known line."""
    host = open_pub(sit_down()).host()
    assert "Calibrate the colours" not in host.get("/desk").text
    assert host.post("/learn", now="now").status_code == 409
