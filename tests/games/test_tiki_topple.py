"""Secret cards of Tiki Topple that cannot both be right: nobody learns of it before both are shown.

TT-3: no two of the 27 are alike.
"""

import json
import random

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.scoreboard import read_scoreboard
from companion.session.session import Header
from tests.onlookers import open_timeless_log
from tests.tables import NAMES, open_log, random_round, sit_down, told

CARD, OTHER = "kapu nui nani", "eepo huhu lokahi"
ROUND = random_round(random.Random(2), 2, TIKIS)


def play(live_session: LiveSession, start: int = 0) -> None:
    """Enter the cards of the round, from number *start* on."""
    for _, action, _ in ROUND[start:]:
        live_session.referee.enter(action)


def notes(live_session: LiveSession) -> tuple[str, ...]:
    """Return what the pages note about secret cards."""
    warnings = read_scoreboard(live_session).warnings
    return tuple(warning for warning in warnings if "secret card" in warning)


def public(live_session: LiveSession) -> str:
    """Return all that anyone but the owners may know, whatever they ask for."""
    return json.dumps(
        [
            read_scoreboard(live_session).to_json(),
            told(live_session),
            live_session.referee.offers(),
            str(live_session.referee.waiting),
            str(live_session.transient_notice),
        ]
    )


def test_a_card_that_another_has_is_taken_like_any_other() -> None:
    """A refusal, a note or a word about it would tell one player the card of another."""
    seen = []
    for card in (CARD, OTHER):
        live_session = sit_down(2, rounds=1, log=open_timeless_log())
        live_session.referee.enter_secret(0, f"card 0 {card}")
        live_session.referee.enter_secret(1, f"card 1 {CARD}")
        entered = public(live_session)
        for _, action, _ in ROUND[:-1]:
            live_session.referee.enter(action)
        seen.append((entered, public(live_session)))
    assert seen[0] == seen[1]


def test_like_cards_are_named_as_soon_as_both_are_shown() -> None:
    """With what to do: take back the last move, enter the wrong card again, play on."""
    live_session = sit_down(2, rounds=1)
    live_session.referee.enter_secret(0, f"card 0 {CARD}")
    live_session.referee.enter_secret(1, f"card 1 {CARD}")
    play(live_session)
    (note,) = notes(live_session)
    assert note.startswith("two players have the secret card Kapu, Nui, Nani in round 1")
    assert live_session.transient_notice
    assert "Ann and Bob show the same secret card" in live_session.transient_notice.words
    assert live_session.transient_notice.seats == (0, 1)
    live_session.referee.undo()
    assert notes(live_session) == ()
    live_session.referee.enter_secret(1, f"card 1 {OTHER}")
    play(live_session, len(ROUND) - 1)
    assert notes(live_session) == ()
    assert live_session.session.state.rounds[0].cards[1] == tuple(OTHER.split())


def test_like_cards_entered_at_the_desk_are_named_too() -> None:
    """They lie open on the table then; the last one of the round brings it up."""
    live_session = sit_down(3, rounds=1)
    for _, action, _ in random_round(random.Random(2), 3, TIKIS):
        live_session.referee.enter(action)
    for seat in (2, 0):
        live_session.referee.enter(f"card {seat} {CARD}")
        assert live_session.transient_notice is None
    live_session.referee.enter(f"card 1 {OTHER}")
    assert live_session.transient_notice
    assert "Ann and Cem show" in live_session.transient_notice.words
    assert len(notes(live_session)) == 1
    live_session.referee.undo()
    live_session.referee.undo()
    live_session.referee.enter(f"card 0 {OTHER}")
    live_session.referee.enter("card 1 nani nui eepo")
    assert notes(live_session) == ()


def test_a_card_known_from_the_set_up_stays_hidden_while_others_are_shown() -> None:
    """The third player's card is missing yet, so the second one's has not been shown."""
    header = Header(
        game="tiki_topple",
        players=NAMES[:3],
        options={"rounds": 1},
        setup={"line": list(TIKIS), "cards": [None, CARD.split(), None]},
    )
    live_session = LiveSession(open_log(), header)
    for _, action, _ in random_round(random.Random(2), 3, TIKIS):
        live_session.referee.enter(action)
    live_session.referee.enter(f"card 0 {CARD}")
    assert live_session.transient_notice is None
    assert notes(live_session) == ()
