"""The score sheet on phones: everyone writes their own points, and the host may write all."""

import httpx
import pytest
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.referee.entering import acts, tell
from tests.tables import NAMES, open_log
from tests.web.forms import forms_of
from tests.web.phones import table_of
from tests.web.visitors import Pub, alert, hidden_field, open_pub


def sheet(seats: int = 3, **options: object) -> LiveSession:
    """Return an empty sheet."""
    header = open_header(game_of("score_sheet"), NAMES[:seats], options, None)
    return LiveSession(open_log(), header)


def test_a_seat_writes_its_own_points_only() -> None:
    """Those of others are refused; the host may write any; any text that is no number is named."""
    pub = open_pub(sheet())
    ann, host = pub.player(0), pub.host()

    def write(who: object, text: str) -> int:
        page = who.get("/seat" if who is ann else "/desk")  # type: ignore[attr-defined]
        mark = hidden_field(page, "mark")
        answer = who.post("/enter", mark=mark, action=text, back="seat")  # type: ignore[attr-defined]
        return int(answer.status_code)

    assert write(ann, "points 0 12") == 303
    assert write(ann, "points 1 12") == 403
    assert write(host, "points 1 -4") == 303
    refused = host.post("/enter", mark=hidden_field(host.get("/desk"), "mark"), action="points 2 x")
    assert refused.status_code == 409
    assert "a number from -99 to 999" in alert(refused)
    assert acts(pub.live_session) == ["points 0 12", "points 1 -4"]


def test_rounds_and_sums_stand_on_every_page() -> None:
    """The newest rounds, the total, who won the round, and whose game it is."""
    pub = open_pub(sheet(2, of="topple", target=40))
    for number in range(10):
        tell(pub.live_session, f"points 0 {number}", "points 1 1")
    page = pub.stranger().get("/").text
    assert "Points in Topple" in page
    assert '<td class="older">10</td>' in page, "the sum of what Ann had in the first five rounds"
    assert 'data-total="45"' in page
    assert "The game is over" in page
    assert "Ann wins" in page


def fill(pub: Pub, path: str = "/enter", **fields: str) -> httpx.Response:
    """Return the answer to what the host has typed into a form of the desk."""
    host = pub.host()
    return host.post(path, mark=hidden_field(host.get("/desk"), "mark"), back="desk", **fields)


def test_the_host_writes_for_everybody_at_once() -> None:
    """What is left empty stays as it is, one take-back takes all of it back."""
    pub = open_pub(sheet())
    tell(pub.live_session, "points 1 7")
    answer = fill(pub, action="round", part0="12", part1="", part2="4", minus2="-")
    assert answer.status_code == 303
    assert acts(pub.live_session) == ["points 1 7", "round 12 ? -4"]
    board = pub.stranger().get("/")
    assert "Points: Ann +12, Cem -4" in board.text
    assert "Round 1: Ann +12, Bob +7, Cem -4" in board.text
    pub.live_session.referee.undo()
    assert pub.live_session.session.state.written == (None, 7, None)


@pytest.mark.parametrize(
    ("typed", "right"),
    [("-5", "-5"), ("−5", "-5"), (" 007 ", "7"), ("-0", "0"), ("999", "999")],  # noqa: RUF001
)
def test_numbers_are_taken_as_people_type_them(typed: str, right: str) -> None:
    """With any minus, spaces and zeros in front."""
    pub = open_pub(sheet())
    assert fill(pub, action="round", part0=typed, part1="", part2="").status_code == 303
    assert acts(pub.live_session) == [f"round {right} ? ?"]


@pytest.mark.parametrize("wrong", ["1000", "-100", "1.5", "x", "1 2", "²", "--1", "9" * 500, "<b>"])
def test_a_wrong_field_is_named_and_keeps_all_others(wrong: str) -> None:
    """Whose it is, what would be right, and the form as it was filled in."""
    pub = open_pub(sheet())
    answer = fill(pub, action="round", part0="12", part1=wrong, part2="5", minus2="-")
    assert answer.status_code == 409
    words = "Bob’s points must be a whole number from -99 to 999, not “"
    assert alert(answer).startswith(f"The rules do not allow that: {words}")
    assert len(alert(answer)) < 130
    (form,) = (form for form in forms_of(answer) if form.fields.get("action") == "round")
    assert (form.fields["part0"], form.fields["part2"]) == ("12", "5")
    assert "minus2" in form.fields
    assert "minus0" not in form.fields
    assert acts(pub.live_session) == []


def test_a_form_without_a_number_is_refused() -> None:
    """On the desk and at a seat."""
    pub = open_pub(sheet())
    empty = fill(pub, action="round", part0="", part1=" ", part2="")
    assert "no points have been entered; type them into the fields" in alert(empty)
    ann = pub.player(0)
    mark = hidden_field(ann.get("/seat"), "mark")
    own = ann.post("/enter", mark=mark, action="points 0", part0="", back="seat")
    assert "no points have been entered" in alert(own)
    assert acts(pub.live_session) == []


def test_only_the_host_writes_for_several_and_ends_the_game() -> None:
    """A phone sends its own seat's points."""
    pub = open_pub(sheet(2))
    ann = pub.player(0)
    for action in ("round 1 2", "end"):
        mark = hidden_field(ann.get("/seat"), "mark")
        assert ann.post("/enter", mark=mark, action=action, back="seat").status_code == 403
        tell(pub.live_session, "points 0 1", "points 1 1")
    assert "end" not in acts(pub.live_session)


def test_points_of_an_earlier_round_are_corrected() -> None:
    """A phone's and the host's; of the same seats only, and not so that the game had ended."""
    pub = open_pub(sheet(2, target=50))
    tell(pub.live_session, "points 0 12", "points 1 3", "round 1 2", "points 0 5")
    first, _, both, _ = (str(act.seq) for act in pub.live_session.session.history.acts)
    host = pub.host()
    page = host.get(f"/desk/correct/{first}")
    form = next(form for form in forms_of(page) if form.path == "/correct")
    assert (form.fields["action"], form.fields["part0"]) == ("points 0", "12")
    assert host.post("/correct", **(form.fields | {"part0": "21"})).status_code == 303
    page = host.get(f"/desk/correct/{both}")
    form = next(form for form in forms_of(page) if form.path == "/correct")
    assert [form.fields[f"part{seat}"] for seat in (0, 1)] == ["1", "2"]
    answer = host.post("/correct", **(form.fields | {"part1": "4", "minus1": "-"}))
    assert answer.status_code == 303
    assert pub.live_session.session.state.rounds == ((21, 3), (1, -4))
    for wrong in ({"part0": "50"}, {"action": "points 1"}, {"action": "end"}, {"part0": "x"}):
        mark = hidden_field(host.get("/desk"), "mark")
        sent = {"seq": first, "action": "points 0", "part0": "9", "mark": mark, **wrong}
        assert host.post("/correct", **sent).status_code == 409, wrong
    assert pub.live_session.session.state.rounds == ((21, 3), (1, -4))


def test_three_phones_write_a_round(browser: Browser) -> None:
    """One tap each beside typing; the last of them makes the round count on all."""
    with table_of(browser, sheet) as table:
        for seat, points in enumerate(("12", "-3", "40")):
            phone = table.seats[seat]
            phone.page.fill('[name="part0"]', points)
            assert phone.enter("button.main") == 1
        for phone in table.seats:
            expect(phone.page.locator("#round-end")).to_contain_text("Cem wins round 1")
            expect(phone.page.locator("#sheet")).to_contain_text("12")
        table.host.page.goto(f"{table.house.url}desk")
        assert table.host.enter("#end-game .main") == 2
        expect(table.seats[0].page.locator("#turn")).to_contain_text("Cem wins!")
