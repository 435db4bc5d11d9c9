"""The scoreboard as data: what it tells, and what it keeps to itself."""

import random

from companion.games.tiki_topple.pages import shown_cards
from companion.referee.live_session import LiveSession
from companion.rules import tiki_topple
from companion.rules.tiki_topple import TIKIS
from companion.scoreboard import Scoreboard, read_scoreboard
from tests.tables import see, sit_down
from tests.web.visitors import open_pub, sit_down_dealt

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])
CARDS = ("card 0 nani huhu nui", "card 1 kapu eepo akamai", "card 2 nui lokahi hookipa")


def words_of(board: Scoreboard) -> list[str]:
    """Return the history in words, the newest first."""
    return [told.words for told in board.history]


def shown_by(live_session: LiveSession) -> list[tuple[str, ...] | None]:
    """Return the secret card that each seat has shown, as the pages have it."""
    return shown_cards(open_pub(live_session).app.state.site)


def play_out(live_session: LiveSession, seed: int = 3) -> None:
    """Tap in random legal moves until the round ends."""
    rng = random.Random(seed)
    while live_session.session.state.phase == "play":
        action = rng.choice(tiki_topple.legal_actions(live_session.session.state))
        live_session.referee.enter(tiki_topple.format_action(action))


def test_what_was_taken_back_is_not_in_the_history() -> None:
    """Only what still counts is told; the log keeps the rest."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.observe(see("2", ("lokahi", "nani", "hookipa", *TIKIS[3:])))
    live_session.referee.undo()
    board = read_scoreboard(live_session)
    assert words_of(board) == ["Ann: Tiki Up 1 on Lokahi"]
    assert board.last_move == "Ann: Tiki Up 1 on Lokahi"
    assert board.turn == 1
    assert board.question is not None
    assert board.question.kind == "put_right"


def test_nothing_has_to_be_put_right_that_nobody_sees() -> None:
    """Where no camera looks on, what is taken back is a matter between people."""
    live_session = sit_down()
    live_session.referee.enter("up1 lokahi")
    live_session.referee.undo()
    assert read_scoreboard(live_session).question is None


def test_an_open_move_is_told_with_both_its_forms() -> None:
    """Where the table looks the same either way, both are named until it is clear."""
    live_session = sit_down()
    live_session.observe(see("1", (*TIKIS[:7], "nui", "eepo")))
    board = read_scoreboard(live_session)
    assert (board.last_move, board.last_move_open) == (
        "Ann: Tiki Topple on Eepo or Tiki Up 1 on Nui",
        True,
    )


def test_by_hand_and_corrected_moves_are_marked() -> None:
    """Everybody sees what was not simply seen."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.referee.enter("up1 hookipa")
    live_session.referee.correct(1, "up2 nani")
    newest, first = read_scoreboard(live_session).history
    assert (newest.by_hand, newest.corrected) == (True, False)
    assert (first.by_hand, first.corrected) == (False, True)
    assert first.words == "Ann: Tiki Up 2 on Nani"


def test_cards_are_shown_with_the_score_and_points_kept_per_round() -> None:
    """After the reveal the round's points and cards stand beside each name."""
    live_session = sit_down(secrets=CARDS, rounds=2)
    before = read_scoreboard(live_session)
    assert [player.has_secret for player in before.players] == [True] * 3
    assert shown_by(live_session) == [None] * 3
    play_out(live_session)
    board = read_scoreboard(live_session)
    assert shown_by(live_session) == [tuple(card.split()[2:]) for card in CARDS]
    assert [player.score for player in board.players] == [sum(p.points) for p in board.players]
    assert (board.phase, board.round, board.winners) == ("line", 2, ())


def test_winners_and_end_are_told() -> None:
    """The last round's end names who won."""
    live_session = sit_down(secrets=CARDS, rounds=1, tie="share")
    play_out(live_session)
    board = read_scoreboard(live_session)
    best = max(player.score for player in board.players)
    assert board.winners == tuple(p.seat for p in board.players if p.score == best)
    assert [player.is_winner for player in board.players] == [
        p.score == best for p in board.players
    ]
    assert board.turn is None


def test_a_card_known_from_the_set_up_is_not_shown_while_others_are_wanted() -> None:
    """In the middle of a reveal only what lies open is public."""
    live_session = sit_down_dealt(("nani", "huhu", "nui"), None, None)
    play_out(live_session)
    live_session.referee.enter(CARDS[1])
    board = read_scoreboard(live_session)
    assert board.phase == "reveal"
    assert [player.has_secret for player in board.players] == [True, True, False]
    assert shown_by(live_session) == [None, ("kapu", "eepo", "akamai"), None]
    assert board.table["cards"] == board.table["shown"] == [None] * 3
    assert board.waiting == "cards"
