"""TacTiki through its players' phones: taps counted, mistakes made and mended, secrets kept."""

import pytest
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.scoreboard import read_scoreboard
from tests.referee.entering import acts, tell
from tests.tables import open_log
from tests.web.phones import Phone, Table, table_of
from tests.web.tactiki_tables import ANNS, BOBS, sit_two, statue

RANKS_TAPS = 11  # ten pieces and "Save"
MISTAKES = 3  # saved too early, a wrong rank, saved with it
CHOSEN = "#ranks :checked"


def sit_for_a_draw() -> LiveSession:
    """Return a game in which the second of two equal positions may be claimed as a draw."""
    header = open_header(game_of("tactiki"), ("Ann", "Bob"), {"repetition": 2}, 0)
    return LiveSession(open_log(), header)


def rank(piece: int, rank: str) -> str:
    """Return where *rank* is tapped for *piece*."""
    return f"label[for=piece{piece}-{rank}]"


def step(phone: Phone, *ways: str) -> None:
    """Move as in "42 32", each in two taps."""
    for way in ways:
        begun = phone.taps
        phone.tap(f"label[for=seat-from-{way[:2]}]")
        phone.enter(f'button[value="move {way}"]')
        assert phone.taps - begun == 2


def play_on(table: Table, *ways: str) -> None:
    """Let moves happen that are not tapped in."""
    table.house.do(lambda each: tell(each, *(f"move {way}" for way in ways)))
    table.house.do(LiveSession.changed)


def expect_why(table: Table, reason: str) -> None:
    """Look for *reason* as the newest thing's why, on every phone."""
    newest = table.house.do(lambda live_session: read_scoreboard(live_session).history[0])
    assert newest.reason.endswith(reason)
    assert newest.rule
    for phone in table.seats:
        why = phone.page.locator(f'.history [data-seq="{newest.seq}"] .why')
        expect(why).to_contain_text(newest.reason)
        expect(why).to_contain_text(newest.rule)
        expect(why.locator("p").first).to_be_hidden()  # behind one tap


def test_ranks_returns_and_a_draw(browser: Browser) -> None:
    """Both enter their ranks, one with slips; an attack, a return, a draw that is asked once."""
    with table_of(browser, sit_for_a_draw) as table:
        ann, bob = table.seats
        slip_and_mend(ann, bob)
        mend_later(bob)
        step(ann, "44 34")
        assert ann.enter("#take-back") == 1
        step(ann, "42 32", "32 22")
        expect(bob.page.locator("#ranks")).to_have_count(0)
        step(bob, "02 12", "12 22")
        told = "Ann’s piece is stronger: Bob’s attacker leaves the board"
        expect_why(table, told)
        play_on(table, "40 30", "40 41", "02 12", "12 22", "41 42", "42 41")
        return_a_piece(bob)
        assert 'data-own="tac' not in ann.page.content()
        assert 'data-own="tiki' not in bob.page.content()
        claim_a_draw(table)


def slip_and_mend(ann: Phone, bob: Phone) -> None:
    """Ann saves too early and with three of a rank: all that she tapped stays, one tap mends it."""
    *nine, last = ANNS.split()
    for piece, each in enumerate(nine):
        ann.tap(rank(piece, each))
    ann.tap("#ranks button")  # the tenth is missing: nothing is sent
    expect(ann.page.locator(CHOSEN)).to_have_count(9)
    expect(ann.page.locator(".too-many:visible")).to_have_count(0)
    ann.tap(rank(9, "3"))
    expect(ann.page.locator(".too-many:visible")).to_have_text(
        "Rank 3 is chosen more than twice. Tap another rank in one of the marked rows."
    )
    ann.tap("#ranks button")
    expect(ann.page.locator("#alert")).to_contain_text("two of each rank from 1 to 5")
    expect(ann.page.locator(CHOSEN)).to_have_count(10)
    sent: dict[str, str | float | bool] = {
        f"piece{piece}": each for piece, each in enumerate(BOBS.split())
    }
    bob.page.context.request.post(f"{bob.house.url}seat", form=sent)  # while Ann's page follows
    bob.page.reload()
    expect(ann.page.locator("#ranks")).to_have_attribute("open", "")
    expect(ann.page.locator(CHOSEN)).to_have_count(10)
    ann.tap(rank(9, last))
    expect(ann.page.locator(".too-many:visible")).to_have_count(0)
    ann.enter("#ranks button")
    assert ann.taps == RANKS_TAPS + MISTAKES
    expect(ann.page.locator("#ranks summary")).to_have_text("Change my ranks")
    assert ann.house.do(acts)[-1] == f"ranks 0 {ANNS}"


def mend_later(bob: Phone) -> None:
    """Bob changes two pieces that he has saved: open, two taps, save; nothing else is changed."""
    begun, changed = bob.taps, BOBS.replace("5 4", "4 5", 1)
    bob.reach(rank(0, changed[0]))
    bob.tap(rank(1, changed[2]))
    bob.enter("#ranks button")
    assert bob.taps - begun == 4
    assert bob.house.do(acts)[-1] == f"ranks 1 {changed}"
    assert bob.page.locator("#peek").get_attribute("open") is None


def return_a_piece(bob: Phone) -> None:
    """Bob taps the empty field, then which of his defeated pieces it is: two taps."""
    begun = bob.taps
    expect(bob.page.locator(".returning:visible")).to_have_count(0)
    bob.tap("label[for=seat-from-02]")
    bob.enter('button[value="back 02 2"]')
    assert bob.taps - begun == 2


def claim_a_draw(table: Table) -> None:
    """Let the board look the same again, and Ann end the game: two taps, as she is asked once."""
    ann, bob = table.seats
    play_on(table, "44 43", "43 44", "04 03", "03 04")
    told = "The board has looked like this 2 times: Ann may claim a draw"
    expect_why(table, told)
    assert ann.enter('button[value="draw"]') == 2
    for phone in (ann, bob):
        expect(phone.page.locator("#turn")).to_have_text("Nobody has won")
        expect(phone.page.locator("body")).to_contain_text("The game is over.")
    told = "Ann has claimed a draw: the board has looked like this 2 times"
    expect_why(table, told)


def nearly_won() -> LiveSession:
    """Return a game without ranks: Ann may attack on E4, then build the statue on C1."""
    moves = statue()[:-1]
    moves[6:8], moves[10:12] = ["move 04 14", "move 14 24"], ["move 24 34", "move 04 03"]
    for at in range(14, len(moves), 4):
        moves[at : at + 2] = ["move 03 04", "move 04 03"]
    return sit_two(*moves)


@pytest.mark.slow
def test_a_result_and_the_statue(browser: Browser) -> None:
    """Without ranks: either phone settles an attack by one tap; the statue wins, and all see it."""
    with table_of(browser, nearly_won) as table:
        ann, bob = table.seats
        step(ann, "44 34")
        expect(ann.page.locator('button[value="clash tie"]')).to_be_visible()
        assert bob.enter('button[value="clash lose"]') == 1
        told = "Bob’s piece is stronger: Ann’s attacker leaves the board"
        expect_why(table, told)
        step(ann, statue()[-1].removeprefix("move "))
        for phone in (ann, bob, table.host):
            expect(phone.page.locator("#turn")).to_have_text("Ann wins!")
            expect(phone.page.locator("#round-end h2")).to_have_text("Ann wins")
        told = "Five of Ann’s pieces stand on C1: the statue is built, and Ann wins"
        expect_why(table, told)
        ended = table.house.do(lambda live_session: read_scoreboard(live_session).round_end)
        assert ended is not None
        assert ended.winners == (0,)
