"""Tippi Toppi through a phone at each seat: how many taps it takes, and what everyone is told."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, expect

from companion.games.tippi_toppi.words import goal_words as words_of
from companion.referee.live_session import LiveSession
from tests.referee.entering import tell
from tests.referee.fast_rounds import GOALS, LAYS
from tests.web.phones import Phone, Table, entries, table_of
from tests.web.tippi_toppi_tables import ANNS, WON, sit_at

DECK = ("sum pink 4", "only green pink", "sum all 18", "different colours", "parity odd")


def button(action: str) -> str:
    """Return where *action* is tapped."""
    return f'button[value="{action}"]'


def play(table: Table, *entered: tuple[int, str, int]) -> None:
    """Let phones enter actions: which seat, what, and in how many taps."""
    for seat, action, taps in entered:
        phone, (_, newest) = table.seats[seat], table.house.do(entries)
        expect(phone.page.locator("input[name=mark]").first).to_have_value(str(newest))
        assert phone.enter(button(action)) == taps, action


def everyone_reads(table: Table, where: str, words: str) -> None:
    """Fail unless every phone soon shows *words* in its piece *where*."""
    for phone in table.seats:
        expect(phone.page.locator(where).first).to_contain_text(words)


def all_folded(phones: Sequence[Phone]) -> None:
    """Fail if anything that was opened on a phone still is."""
    for phone in phones:
        assert not phone.page.locator(".cardsheet details[open]").count()


def test_a_game_is_won_by_two_phones(browser: Browser) -> None:
    """TP-11: a first card, a goal and a card on one pile are one tap each, one of several two."""
    lays, goals, plays = WON[:4], WON[4:8], WON[8:]
    with table_of(browser, lambda: sit_at(2, *lays[:-1], goals=5, goal_deck=list(DECK))) as table:
        play(table, (1, lays[-1], 1), (0, goals[0], 1))
        table.house.do(lambda each: tell(each, *goals[1:]))
        table.house.do(LiveSession.changed)
        play(table, (0, plays[0], 2))
        everyone_reads(table, "#stand", "2 of 5 goals met")
        everyone_reads(table, "#last-move", "Ann: pink 1 on pile 3")
        why = "Goal met: pink adds up to 4 (pink on piles 3 and 4: 1 + 3 = 4)"
        everyone_reads(table, "#last-move .why", why)
        play(table, (0, plays[1], 1), (1, plays[2], 2), (0, plays[3], 2))
        all_folded(table.seats)
        play(table, (1, plays[4], 1))  # on one pile alone
        everyone_reads(table, "#round-end", "Won: all goals are met")
        everyone_reads(table, "#round-end .why", "You all win as soon as all goals are met")
        everyone_reads(table, "#stand", "5 of 5 goals met")
        everyone_reads(table, ".piles", "orange")
        assert table.taps == 2 + 2 + 1 + 2 + 2 + 1


@pytest.mark.slow
def test_a_hand_that_lies_open_is_entered_in_five_taps(browser: Browser) -> None:
    """TP-16: a card too few is asked for, and no tick is lost; then each play is one tap."""
    with table_of(browser, lambda: sit_at(2, *LAYS, *GOALS, open_hands=True)) as table:
        ann, bob = table.seats
        for card in ANNS[:3]:
            ann.tap(f'.cardsheet label:has([value="{card}"]) >> nth=0')
        ann.tap(button("hand 0"))
        expect(ann.page.locator("#alert")).to_contain_text("that hand holds 4 cards, not 3")
        assert ann.page.locator(".cardsheet :checked").count() == 3
        ann.tap(f'.cardsheet label:has([value="{ANNS[3]}"]) >> nth=0')
        for card in ("purple1", "pink5"):  # Bob has begun meanwhile
            bob.tap(f'.cardsheet label:has([value="{card}"]) >> nth=0')
        ann.enter(button("hand 0"))
        assert ann.taps == 4 + 1 + 1  # and one for the mistake
        expect(bob.page.locator(".scores")).to_contain_text("purple")
        play(table, (0, "play green1 0", 1), (0, "drew green3", 1))
        everyone_reads(table, "#last-move .why", "It fits: green 1 has the colour of green 7")
        expect(bob.page.locator("#hand-1 :checked")).to_have_count(2)


def test_the_end_is_asked_once(browser: Browser) -> None:
    """TP-12: two taps, and the first does nothing; all phones hear why it is over."""
    with table_of(browser, lambda: sit_at(2, *LAYS, *GOALS)) as table:
        play(table, (0, "play green1 0", 1))
        bob = table.seats[1]
        bob.tap("#stuck > summary")
        everyone_reads(table, "#last-move", "Ann: green 1 on pile 1")
        assert bob.enter(button("stuck")) == 1  # the second tap
        everyone_reads(table, "#round-end", "Lost: Bob cannot play a card")
        everyone_reads(table, "#open-goals", "pink adds up to 4")


def fast() -> LiveSession:
    """Return a game in High Speed with a goal that the players check themselves."""
    deck = [goal.removeprefix("goal ") for goal in ("goal other", *GOALS, "goal parity even")]
    actions = (*LAYS, "goal other", *GOALS[:3])
    return sit_at(3, *actions, high_speed=True, goals=6, goal_deck=deck)


@pytest.mark.slow
def test_high_speed_keeps_its_clock_in_sight(browser: Browser) -> None:
    """TP-14: also at the foot of a page; a goal of their own is met by one tap, time up by two."""
    with table_of(browser, fast) as table:
        cem = table.seats[2]
        cem.page.locator("#time-up").scroll_into_view_if_needed()
        expect(cem.page.locator("#clock")).to_be_in_viewport()
        play(table, (2, "play green1 0", 1), (0, "met", 1))
        everyone_reads(table, "#stand", "1 of 6 goals met")
        play(table, (1, "goal parity even", 1), (1, "time", 2))
        everyone_reads(table, "#round-end", "Lost: the five minutes are up")


MAX_PAGE_PX = 2000
"""Two and a half screens of a phone; with every goal in sight it was 4,679."""


def test_a_goal_of_the_whole_deck_takes_two_taps(browser: Browser) -> None:
    """TP-7: its kind, then its colour or number; and nobody has to scroll far for it."""
    with table_of(browser, lambda: sit_at(2, *LAYS)) as table:
        page = table.seats[0].page
        assert page.evaluate("document.documentElement.scrollHeight") < MAX_PAGE_PX
        for goal, kind in (("apart purple", "not side by side"), ("sum all 15", "All four")):
            page.locator(".goalkinds summary", has_text=kind).click()
            shown = page.locator(".goalkinds button:visible")
            expect(shown).to_have_count(4)
            page.locator(button(f"goal {goal}")).click()
            expect(page.locator("#open-goals")).to_contain_text(words_of(goal))
