"""The cards that the companion holds face down, and the page on which it is shown them."""

import re
from pathlib import Path

import pytest

from companion.apps.computer.hands import Hands, NotThatCard, hands_of
from companion.referee.game import EMPTY
from companion.referee.intention import Intention
from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.referee.own_play import hand_text
from companion.rules.uno_tiki import KINDS
from tests.computer.seats import meant_at, only, played, settle, with_computers
from tests.referee.entering import acts, sit, tell
from tests.tables import see_table, told
from tests.web.visitors import Visitor, alert, open_pub

CARDS = ("red-7", "blue-2", "wild", "red-7", "green-skip", "tiki-draw4", "yellow-1")


def table(*levels: str) -> LiveSession:
    """Return UNO Tiki, dealt; the companion plays the seats that have *levels*."""
    return with_computers(sit("uno_tiki", "turn red-9", seats=2), *(levels or ("", "fair")))


def deal(live: LiveSession, seat: int = 1, cards: tuple[str, ...] = CARDS) -> Hands:
    """Show the companion *cards*, one by one."""
    hands = hands_of(live)
    for card in cards:
        hands.show(seat, card)
    return hands


def test_it_knows_its_hand_by_its_places() -> None:
    """The same card twice is the one further left; no page and no feed names any."""
    live = table()
    assert hands_of(live).missing(1) == 7
    hands = deal(live)
    assert hands.missing(1) == 0
    assert (hands.place_of(1, "red-7"), hands.place_of(1, "wild"), hands.place_of(1, "red-1")) == (
        1,
        3,
        0,
    )
    assert sorted(live.session.state.hands[1]) == sorted(CARDS)
    assert "green-skip" not in str(told(live))


def test_cards_close_up_and_what_is_drawn_lies_at_the_right() -> None:
    """As people push them together."""
    live = table()
    hands = deal(live)
    tell(live, "play red-7", "draw", "pass")
    assert hands.row(1) == ("blue-2", "wild", "red-7", "green-skip", "tiki-draw4", "yellow-1")
    tell(live, "draw")
    assert hands.missing(1) == 1
    assert hands.show(1, "blue-9") == 7
    assert acts(live)[-1] == "drew blue-9"
    assert hands.place_of(1, "blue-9") == 7


def test_the_places_outlast_all_that_may_happen_to_a_table() -> None:
    """What is taken back, another game in between, a person at its seat for a while."""
    live = table()
    hands = deal(live)
    tell(live, "play red-7")
    live.referee.undo()
    assert hands.row(1) == CARDS
    number = live.session.number
    live.renew(sit("tactiki", seats=2).header, "another game")
    assert hands.row(1) == ()
    live.resume(number, "the first one goes on")
    assert hands.row(1) == CARDS
    for levels in (("", ""), ("", "fair")):
        live.resume(live.session.number, "another player", computers=levels)
    assert hands.row(1) == CARDS


def test_a_card_that_cannot_be_there_is_refused() -> None:
    """More of a kind than there are, and any when none is due."""
    live = table()
    hands = hands_of(live)
    copies = dict(live.session.state.options.deck)["tiki-goto"]
    for _ in range(copies):
        hands.show(1, "tiki-goto")
    with pytest.raises(NotThatCard):
        hands.show(1, "tiki-goto")
    assert len(hands.row(1)) == copies
    with pytest.raises(NotThatCard):
        hands.show(0, "red-1")


def test_what_was_shown_is_kept_over_a_restart(tmp_path: Path) -> None:
    """Also in the middle of the deal."""
    live = table()
    file = tmp_path / "games.computer.json"
    hands = Hands(live, file)
    hands.show(1, "red-7")
    hands.show(1, "wild")
    hands.take_back(1)
    assert file.stat().st_mode & 0o077 == 0
    again = Hands(live, file)
    assert (again.row(1), again.missing(1)) == (("red-7",), 6)
    file.write_text("{nothing")
    assert Hands(live, file).row(1) == ()


@pytest.mark.anyio
async def test_it_asks_for_its_cards_then_names_the_place_of_the_one_it_plays() -> None:
    """And says which it is."""
    live = table("fair", "")
    async with played(live, only("play red-7")):
        assert live.intention is not None
        assert live.session.state.seat == 1  # the dealer's neighbour begins meanwhile
        assert live.intention.words == "Show the companion the cards of Ann, one by one"
        assert live.intention.page == "/computer/cards"
        deal(live, 0)
        await settle()
        assert meant_at(live) is None
        tell(live, "draw", "pass")
        live.changed()
        await settle()
        assert live.intention is not None
        assert live.intention.words == "Move for Ann: red 7, card 1 from the left"


@pytest.mark.anyio
async def test_it_calls_uno_at_once() -> None:
    """Whoever's turn it is by then."""
    live = table()
    deal(live, 1, ("red-1", "red-3", "red-4", "red-6", "red-7", "red-8", "blue-1"))
    async with played(live, only("pass")):
        for card in ("red-1", "red-3", "red-4", "red-6", "red-7"):
            tell(live, f"play {card}", "draw", "pass")
        tell(live, "play red-8")
        live.changed()
        await settle()
        assert acts(live)[-2:] == ["play red-8", "uno 1"]


@pytest.mark.anyio
async def test_what_is_only_said_is_done_at_once() -> None:
    """It draws, and asks for the card; nobody has to press anything."""
    live = table("fair", "")
    deal(live, 0)
    async with played(live, only("draw")):
        tell(live, "draw", "pass")
        live.changed()
        await settle()
        assert live.session.state.phase == "draw"
        assert live.intention is not None
        assert live.intention.words == "Draw a card for Ann and show it to the companion"


def test_the_page_takes_cards_and_shows_none() -> None:
    """Neither to whoever deals, nor to strangers."""
    pub = open_pub(table())
    host = pub.host()
    page = host.get("/computer/cards").text
    assert "card 1 of 7" in page
    for place, card in enumerate(CARDS, 1):
        answer = host.post("/computer/cards", seat=1, card=card, place=place)
        assert answer.status_code == 303
    page = host.get("/computer/cards").text
    assert "needs to be shown no card" in page
    assert "red 7" not in page
    assert pub.stranger().get("/computer/cards").status_code == 403


def test_the_card_before_is_taken_back_once() -> None:
    """Not twice by a second tap, and not from a hand that is complete."""
    pub = open_pub(table())
    host, hands = pub.host(), hands_of(pub.live_session)
    deal(pub.live_session, 1, CARDS[:3])
    assert host.post("/computer/cards", seat=1, card="back", place=4).status_code == 303
    assert host.post("/computer/cards", seat=1, card="back", place=4).status_code == 409
    assert hands.row(1) == CARDS[:2]
    deal(pub.live_session, 1, CARDS[2:])
    tell(pub.live_session, "draw")
    assert "take it back" not in host.get("/computer/cards").text
    assert host.post("/computer/cards", seat=1, card="back", place=8).status_code == 409
    assert hands.row(1) == CARDS


def test_the_page_asks_for_the_cards_that_the_companion_asks_for() -> None:
    """Of two seats that it plays, those of the one that is in turn."""
    live = table("fair", "fair")
    host = open_pub(live).host()
    assert "Ann: card 1 of 7" in host.get("/computer/cards").text
    live.mean(Intention(1, "", "Show the cards", "Show the cards", page="/computer/cards"))
    assert "Bob: card 1 of 7" in host.get("/computer/cards").text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"seat": 1, "card": "red-77", "place": 1}, 400),
        ({"seat": 1, "card": "red-7", "place": 2}, 409),
        ({"seat": 0, "card": "red-7", "place": 1}, 409),
        ({"seat": 9, "card": "red-7", "place": 1}, 400),
        ({"card": "red-7", "place": 1}, 400),
    ],
)
def test_the_page_refuses_what_is_no_card_for_that_place(
    fields: dict[str, object], status: int
) -> None:
    """In a sentence, and nothing has been taken."""
    pub = open_pub(table())
    answer = pub.host().post("/computer/cards", **fields)
    assert answer.status_code == status
    assert alert(answer)
    assert hands_of(pub.live_session).row(1) == ()


def test_a_photograph_takes_a_card_without_naming_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the reader cannot tell two apart, they are asked for."""
    pub = open_pub(table())
    host = pub.host()
    said = _photographed(monkeypatch, host, ("wild", "wild"))
    assert ("red" in said, hands_of(pub.live_session).row(1)) == (False, ("wild",))
    assert "face down as card 1 from the left" in said
    said = _photographed(monkeypatch, host, ("red", "2"))
    assert said.count('name="card"') == 2
    assert len(hands_of(pub.live_session).row(1)) == 1


def _photographed(monkeypatch: pytest.MonkeyPatch, who: Visitor, card: tuple[str, str]) -> str:
    """Send a photograph in which a reader sees *card*; return the answer."""

    class Seen:
        problem = None

        def __init__(self) -> None:
            self.card = card

    monkeypatch.setattr("companion.apps.computer.card_pages.name_card", lambda _: Seen())
    answer = who.ask(
        "POST",
        "/computer/photo",
        content=b"\xff\xd8\xff" + bytes(20),
        headers={"content-type": "image/jpeg"},
    )
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_every_card_is_offered_under_a_title() -> None:
    """By taps, whatever it is."""
    live = table()
    choices = live.game.hand_choices(live.session.state, 1)
    offered = {name for _, cards in choices for name, _, _ in cards}
    assert offered == {card for card in KINDS if dict(live.session.state.options.deck).get(card)}


ONES = ("red-0", "red-2", "red-5", "red-8", "blue-0", "blue-2", "blue-5")
"""Cards of which UNO Tiki has one each."""


def test_the_page_gives_away_no_card_of_any_hand() -> None:
    """What it offers is what has not been laid, whoever holds which: the companion or a person."""
    live = with_computers(sit("uno_tiki", "turn red-9", seats=3), "", "fair", "fair")
    page = open_pub(live).player(0)
    everything = _offered(page)
    live.referee.enter_secret(0, hand_text(0, ONES))
    deal(live, 1, ("green-0", *CARDS[2:6], "yellow-2", "yellow-5"))
    assert _offered(page) == everything
    deal(live, 2, ("green-2", "green-5", "green-8", "yellow-8", "wild", "red-1", "red-3"))
    tell(live, "draw")
    assert live.session.state.phase == "draw"
    assert _offered(page) == everything


def _offered(page: Visitor) -> set[str]:
    """Return the cards that *page* offers to be tapped."""
    found = re.findall('name="card" value="([^"]+)"', page.get("/computer/cards").text)
    return set(found) - {"back"}


def test_the_page_of_tippi_toppi_gives_none_away_either() -> None:
    """All copies of a card in a hand that is known leave it on the page."""
    live = with_computers(sit("tippi_toppi", seats=3), "", "fair", "fair")
    tell(live, "lay green1", "lay green2", "lay pink3", "lay pink4")
    while live.session.state.phase == "goal":
        tell(live, live.referee.offers()[-1])
    page = open_pub(live).player(0)
    everything = _offered(page)
    assert "green7" in everything
    live.referee.enter_secret(0, hand_text(0, ("green7", "green7", "pink7", "pink7")))
    assert _offered(page) == everything


def test_cards_of_tippi_toppi_are_shown_likewise() -> None:
    """Four to each seat, and one is drawn after each play."""
    live = with_computers(sit("tippi_toppi", seats=2), "fair")
    hands = hands_of(live)
    tell(live, "lay green1", "lay green2", "lay pink3", "lay pink4")
    assert hands.missing(0) == 4
    deal(live, 0, ("green3", "pink5", "orange1", "orange2"))
    assert hands.missing(0) == 0


def test_a_card_that_the_companion_does_not_hold_is_no_move_of_its() -> None:
    """Whoever laid it took another; the one that it holds is taken."""
    live = table()
    deal(live)
    live.observe(see_table("1", ("red-9", EMPTY)))
    for number in range(3):
        live.observe(see_table(f"wrong {number}", ("red-1", EMPTY)))
    assert isinstance(live.referee.question, Illegal)
    assert not live.referee.question.candidates
    assert live.referee.question.why.startswith("This looks like red 1, but red 1 is not in")
    for number in range(3):
        live.observe(see_table(f"right {number}", ("red-7", EMPTY)))
    assert acts(live)[-1] == "play red-7"
    assert live.referee.question is None


def test_what_was_dealt_to_a_person_meanwhile_is_dealt_anew() -> None:
    """A person at its seat takes up the cards that lay there; its neighbour's stay."""
    live = table("fair", "fair")
    deal(live, 0, CARDS[:3])
    hands = deal(live, 1, CARDS[:2])
    for levels in (("fair", ""), ("fair", "fair")):
        live.resume(live.session.number, "another player", computers=levels)
        assert hands.row(0) == CARDS[:3]
    assert hands.row(1) == ()


def test_a_hand_that_was_shown_wrong_is_shown_again() -> None:
    """The card that lies there was taken for another: the table is right, and its cards unknown."""
    live = table()
    deal(live)
    live.observe(see_table("1", ("red-9", EMPTY)))
    for number in range(3):
        live.observe(see_table(f"wrong {number}", ("red-1", EMPTY)))
    live.referee.dispute.adopt_at_once(0, "")
    assert live.session.state.discard[-1] == "red-1"
    assert hands_of(live).row(1) == ()
    assert hands_of(live).missing(1) == 6


def test_nobody_tries_out_by_taps_which_cards_it_holds() -> None:
    """What it means to play is done by "Done"; the result of a spin may be entered."""
    live = table()
    deal(live)
    assert live.session.state.seat == 1
    assert not live.referee.may_enter(0, "play red-7")
    assert live.referee.may_enter(1, "play red-7")
    assert live.referee.may_enter(0, "draw")
