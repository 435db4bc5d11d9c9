"""Tiki Topple played through three phones: every entry in the fewest taps, and no secret seen."""

import re

from playwright.sync_api import Browser, Page, expect

from companion.games.tiki_topple.reasons import card_lines
from companion.referee.live_session import LiveSession
from companion.rules import tiki_topple
from companion.rules.tiki_topple import Played, State
from tests.referee.entering import tell
from tests.tables import sit_down
from tests.web.phones import Phone, Table, table_of

LINE = ("huhu", "nani", "wikiwiki", "nui", "akamai", "lokahi", "eepo", "kapu", "hookipa")
HAND = ["up1", "up2", "toast", "toast"]
CARDS = (("nani", "lokahi", "kapu"), ("huhu", "nui", "eepo"), ("wikiwiki", "akamai", "hookipa"))
CARD_TAPS, MOVE_TAPS, LINE_TAPS = 4, 2, 11
"""Three tikis and save; a card and a tiki; unfold, nine tikis, save."""
PARTS = ("top9", "middle5", "bottom2")


def state_of(table: Table) -> State:
    """Return the game as it stands."""

    def read(live_session: LiveSession) -> State:
        state: State = live_session.session.state
        return state

    return table.house.do(read)


def enter_line(table: Table) -> int:
    """Let the host tap in LINE; return the taps."""
    begun = table.host.taps
    for place, tiki in enumerate(LINE):
        table.host.reach(f'#line-by-hand input[name="part{place}"][value="{tiki}"]')
    table.host.enter('#line-by-hand button[value="line"]')
    return table.host.taps - begun


def pick(phone: Phone, card: tuple[str, ...], round_number: int = 1) -> None:
    """Tap the three tikis of a secret card."""
    for part, tiki in zip(PARTS, card, strict=True):
        phone.tap(f"#r{round_number}-{part}-{tiki}")


def save(phone: Phone) -> int:
    """Save what was picked; return the taps."""
    return phone.enter("#my-card form button.main")


def play(table: Table, card: str = "", tiki: str = "") -> int:
    """Let the seat whose turn it is play a card, a Toast as soon as it may if none is named."""
    state = state_of(table)
    phone, begun = table.seats[state.seat], table.seats[state.seat].taps
    if not card:
        legal = [each for each in tiki_topple.legal_actions(state) if isinstance(each, Played)]
        play = next((each for each in legal if each.card == "toast"), legal[0])
        card, tiki = play.card, play.tiki
    chosen = phone.page.locator(f"#card-{card}")
    expect(chosen).to_be_attached()
    if not chosen.is_checked():
        phone.tap(f'label[for="card-{card}"]')
    phone.enter(f'button[value="{card} {tiki}"]')
    return phone.taps - begun


def play_out(live_session: LiveSession) -> None:
    """Play until the round is over, a Toast where it may be one."""
    while live_session.session.state.phase == "play":
        offers = live_session.referee.offers()
        tell(live_session, next((each for each in offers if each.startswith("toast")), offers[0]))
    live_session.changed()


def says(page: Page, words: str) -> None:
    """Fail unless *page* says *words* somewhere, soon."""
    expect(page.locator("main")).to_contain_text(words)


def secrets_seen(phone: Phone) -> bool:
    """Return whether a page shows, or holds hidden, a secret card that was entered."""
    html = phone.page.content()
    return "data-own" in html or bool(re.search(r'type="radio"[^>]* checked', html))


def correct_a_mistake(table: Table) -> None:
    """Let Bob take the same tiki twice: it is said, and nothing is lost, nor while others play."""
    ann, bob, cem = table.seats
    begun = bob.taps
    pick(bob, ("huhu", "huhu", "eepo"))
    expect(bob.page.locator(".tt-twice:visible")).to_have_count(1)
    bob.tap("#my-card form button.main")
    expect(bob.page.locator("#alert")).to_have_text(
        "You chose the same tiki for 9 and for 5 points. Choose another one for one of the two."
    )
    assert play(table, "up1", "kapu") == MOVE_TAPS
    expect(bob.page.locator("label.tt-card").first).to_be_visible()  # it is Bob's turn now
    for phone in (ann, cem):
        expect(phone.page.locator("#last-move .said")).to_contain_text("Tiki Up 1 on Kapu")
        phone.tap("#last-move summary")
        says(phone.page, "Kapu climbs from place 8 to place 7, and Eepo moves down.")
    bob.tap("#r1-middle5-nui")
    bob.tap("#my-card form button.main")
    says(bob.page, "Your card for round 1 is saved")
    assert bob.taps - begun == CARD_TAPS + 2
    assert state_of(table).cards == (None, None, None)  # kept in the log, and shown to nobody
    assert not any(map(secrets_seen, (table.host, ann, cem)))
    expect(bob.page.locator("[data-own]").first).to_be_hidden()
    bob.tap("#peek summary")
    assert [each.get_attribute("data-own") for each in bob.page.locator("[data-own]").all()] == [
        *CARDS[1]
    ]


def test_a_round_is_played_by_the_fewest_taps(browser: Browser) -> None:
    """Line, cards, moves and scoring of a whole game of one round, with a mistake corrected."""
    make = lambda: sit_down(3, line=None, rounds=1, hand=HAND)  # noqa: E731
    with table_of(browser, make) as table:
        ann, bob, cem = table.seats
        says(ann.page, "Set up all 9 tikis for round 1")
        assert enter_line(table) == LINE_TAPS
        says(ann.page, "Enter your move")

        correct_a_mistake(table)
        assert play(table) <= MOVE_TAPS
        table.house.do(play_out)
        assert state_of(table).ended_by == "TT-9"
        # Now Ann enters her own card, and the host Cem's.
        says(ann.page, "Waiting for the secret cards of Ann and Cem")
        pick(ann, CARDS[0])
        assert save(ann) == 1
        begun = table.host.taps
        for part, tiki in enumerate(CARDS[2]):
            table.host.tap(f"#r1-s2-part{part}-{tiki}")
        table.host.enter('button[value="card 2"]')
        assert table.host.taps - begun == CARD_TAPS
        state = state_of(table)
        assert state.phase == "over"
        assert state.rounds[0].cards == tuple(map(tiki_topple.parse_secret_card, CARDS))
        for phone in (table.host, ann, bob, cem):
            expect(phone.page.locator("#turn")).to_contain_text("win")
            for seat, card in enumerate(CARDS):
                row = phone.page.locator(f'#round-end tr[data-seat="{seat}"]')
                expect(row.locator("td").last).to_have_text(str(state.scores[seat]))
                expect(row.locator("li")).to_have_text([*card_lines(card, state.line)])
