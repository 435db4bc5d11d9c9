"""Topple through a phone for each player: taps counted, mistakes put right, the end on all."""

import pytest
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.scoreboard import read_scoreboard
from tests.games.topple_seats import seat
from tests.referee.entering import tell
from tests.web.phones import Phone, Table, table_of

FELL, KNOCKED = "#fell-now button", "#knocked button"


def enter(phone: Phone, piece: str) -> int:
    """Touch *piece* once the page has it; return how many taps it took."""
    phone.page.locator(piece).first.wait_for(state="attached")
    return phone.enter(piece)


def turn(phone: Phone, pips: int, spot: str) -> int:
    """Roll and place, and return how many taps that took."""
    return enter(phone, f'button[value="roll {pips}"]') + enter(
        phone, f'button[value="place {spot}"]'
    )


def play_on(table: Table, *actions: str) -> None:
    """Let *actions* happen that are not tapped in."""
    table.house.do(lambda each: tell(each, *actions))
    table.house.do(LiveSession.changed)


def assert_all_read(table: Table, place: str, words: str) -> None:
    """Fail unless *words* come to stand in *place* of every player's phone."""
    for phone in table.seats:
        expect(phone.page.locator(place)).to_contain_text(words)


def test_a_whole_game_is_played_on_three_phones(browser: Browser) -> None:
    """A turn is two taps; a fall is asked once; the end says who has won, and why."""
    with table_of(browser, lambda: seat(3, target=5)) as table:
        ann, bob, cem = table.seats
        assert turn(ann, 1, "22") == 2
        assert ann.page.locator('button[value^="place"]').count() == 0
        assert bob.page.locator('button[value="place 22"]').count() == 0
        play_on(
            table, "roll 2", "place 12 yellow", "roll 2", "place 32 blue", "roll 3", "place 02 pink"
        )
        # Bob taps a wrong number and takes it back; then all but level 3 is out of reach.
        enter(bob, 'button[value="roll 5"]')
        assert enter(bob, "#take-back") == 1
        enter(bob, 'button[value="roll 3"]')
        expect(bob.page.locator('button[value="place 00"]')).to_be_disabled()
        assert enter(bob, 'button[value="place 42"]') == 1
        assert_all_read(
            table,
            "#last-move",
            "Column C is now full: 3 points, and 1 more for a stack in it with yellow on top.",
        )
        assert_all_read(table, ".scores", "4points")
        enter(cem, 'button[value="roll 6"]')
        # What opens is closed by a second thought, and nothing has happened.
        cem.page.locator("#fell-now summary").click()
        cem.page.locator("#fell-now summary").click()
        expect(cem.page.locator(FELL)).to_be_hidden()
        assert enter(cem, FELL) == 2
        for phone in table.seats:
            expect(phone.page.locator("#turn")).to_contain_text("Bob wins")
            assert phone.page.locator("button[name=action]").count() == 0
            expect(phone.page.locator("#round-end")).to_contain_text(
                "The tower fell while Cem was placing. Bob has 7 points and wins the game."
            )
            expect(phone.page.locator("#round-end")).to_contain_text("4 points for rows and stacks")
        expect(bob.page.locator("[data-points]")).to_contain_text("7 points")
        expect(cem.page.locator("#final")).to_contain_text("stood before it fell")
        board = table.house.do(read_scoreboard)
        assert [player.score for player in board.players] == [0, 7, -10]
        table.host.page.goto(table.house.url)
        expect(table.host.page.locator("#final")).to_contain_text("stood before it fell")
        expect(table.host.page.locator('[data-spot="22"]')).to_have_attribute("data-height", "1")


def test_a_fall_that_was_none_is_taken_back_with_its_piece(browser: Browser) -> None:
    """Who taps "it fell" by mistake: the piece before stays, and play goes on."""
    with table_of(browser, lambda: seat(2, two_colours=False)) as table:
        ann, bob = table.seats
        play_on(table, "roll 6", "place 22 pink")
        assert enter(ann, KNOCKED) == 2
        expect(ann.page.locator("#own-pieces")).to_contain_text("12 pink pieces left")
        assert enter(ann, "#take-back") == 1
        expect(ann.page.locator("#own-pieces")).to_contain_text("11 pink pieces left")
        table.house.do(lambda each: each.referee.replace("topple"))
        table.house.do(lambda each: each.changed())
        assert enter(table.host, "#nothing-fell") == 1
        expect(ann.page.locator("#own-pieces")).to_contain_text("11 pink pieces left")
        assert turn(bob, 3, "20") == 2


@pytest.mark.slow
def test_of_two_colours_the_one_used_last_costs_no_tap(browser: Browser) -> None:
    """Another one costs one, and a picked colour outlives what others do meanwhile."""
    with table_of(browser, lambda: seat(2)) as table:
        ann, _ = table.seats
        play_on(table, "roll 6", "place 22 pink", "roll 6", "place 20 green", "roll 6")
        ann.page.locator(".hues .pick").nth(1).wait_for()
        ann.tap(ann.page.locator(".hues .pick").nth(1))
        drawn = "each => getComputedStyle(each, '::before').content"
        chosen = ann.page.locator(".hues .pick:has(:checked) > span")
        assert [each.evaluate(drawn) for each in chosen.all()] == ["none", '"✓ "']
        ann.page.evaluate("document.querySelector('.region.seat').dataset.mark = 'old'")
        table.house.do(lambda live_session: live_session.pause())
        table.house.do(lambda live_session: live_session.pause())
        expect(ann.page.locator(".hues .pick").nth(1).locator("input")).to_be_checked()
        enter(ann, 'button[value="place 00"]')
        assert table.house.do(lambda each: each.session.state.cells[0]) == (2,)
        play_on(table, "roll 6", "place 21 green", "roll 6")
        assert enter(ann, 'button[value="place 00"]') == 1
        assert table.house.do(lambda each: each.session.state.cells[0]) == (2, 2)


@pytest.mark.slow
def test_young_players_play_until_one_is_left(browser: Browser) -> None:
    """Whoever topples is out and may watch; the last one in has won."""
    with table_of(browser, lambda: seat(3, young=True)) as table:
        ann, bob, cem = table.seats
        turn(ann, 6, "22")
        assert enter(bob, KNOCKED) == 2
        expect(bob.page.locator(".region.seat")).to_contain_text("You are out")
        assert bob.page.locator("button[name=action]").count() == 0
        turn(cem, 6, "22")
        enter(ann, 'button[value="roll 6"]')
        enter(ann, FELL)
        expect(cem.page.locator("#turn")).to_contain_text("Cem wins")
        assert_all_read(
            table,
            "#last-move",
            "The tower fell while Ann was placing, so Ann is out."
            " Cem is the last one left and wins.",
        )
