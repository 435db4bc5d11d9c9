"""A partner in Tippi Toppi that the companion plays: what it says, and what it asks for."""

import re

import pytest

from companion.apps.computer.hands import hands_of
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.referee.transient_notices import remarked
from companion.registry import game_of
from companion.session.events import TableAdopted
from tests.computer.seats import played, settle
from tests.referee.entering import tell
from tests.tables import open_log


def tippi(
    cards: tuple[str, ...] = ("green3", "pink5", "orange1", "orange2"), **options: bool
) -> LiveSession:
    """Return Tippi Toppi, in which it is Ann's turn, and Bob is the companion's."""
    header = open_header(game_of("tippi_toppi"), ("Ann", "Bob"), options, 0, computers=("", "fair"))
    live = LiveSession(open_log(), header)
    tell(live, "lay green1", "lay green2", "lay pink3", "lay pink4")
    while live.session.state.phase == "goal":
        tell(live, live.referee.offers()[-1])
    for card in cards:
        hands_of(live).show(1, card)
    return live


@pytest.mark.anyio
async def test_a_partner_says_where_it_would_like_to_play_and_no_more() -> None:
    """A pile and a goal; no number and no colour of its hand."""
    live = tippi()
    async with played(live):
        assert live.transient_notice is not None
        said = live.transient_notice.words
        assert re.fullmatch(r"Bob would like to play on pile [1-4], for this goal: .+", said)
        live.show(remarked("something else"))
        await settle()
        assert live.transient_notice.words == "something else"  # once is enough


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("cards", "silence"),
    [
        (("green3", "pink5", "orange1", "orange2"), True),
        (("orange5", "orange6", "purple5", "purple6"), False),
    ],
)
async def test_a_partner_keeps_silence_where_it_must_or_has_no_wish(
    cards: tuple[str, ...], silence: bool
) -> None:
    """Where silence is played, and where nothing of its hand fits."""
    live = tippi(cards, silence=silence)
    async with played(live):
        assert live.transient_notice is None


@pytest.mark.anyio
async def test_cards_that_are_known_no_longer_are_asked_for_anew() -> None:
    """After people have adopted a table, it knows none of its cards."""
    live = tippi()
    _, *tops = live.game.shown(live.session.state)
    live.session.append(TableAdopted(("green 5", *tops), seat=1))
    assert "" in live.game.own_hand(live.session.state, 1)
    assert hands_of(live).missing(1) == 4
    async with played(live):
        assert live.intention is not None
        assert live.intention.page == "/computer/cards"
