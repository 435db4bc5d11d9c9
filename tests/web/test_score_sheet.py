"""The score sheet on phones: everyone writes their own points, and the host may write all."""

from playwright.sync_api import Browser, expect

from companion.games import game_of
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from tests.referee.test_entering import acts, tell
from tests.tables import NAMES, open_log
from tests.web.phones import table_of
from tests.web.test_browser import browser, pytestmark
from tests.web.visitors import alert, hidden_field, open_pub

__all__ = ["browser", "pytestmark"]


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
    assert "Points of Topple" in page
    assert "2 earlier rounds" in page
    assert 'data-total="45"' in page
    assert "The game is over" in page
    assert "Ann wins" in page


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
