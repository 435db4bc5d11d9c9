"""A game that was lost sight of is found again: with one tap, whatever lies there."""

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.notices import Illegal
from companion.rules.tiki_topple import TIKIS
from companion.scoreboard import read_scoreboard
from companion.session.events import TableAdopted
from companion.session.history import agree
from tests.referee.entering import acts, sit
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import SimulatedGame, watched
from tests.tables import moves, see, see_hand, see_table, sit_down

LATER = (*TIKIS[4:7], *TIKIS[:3], TIKIS[3])
"""A line that no few moves lead to, two tikis of it toasted."""


def hide(live_session: LiveSession, pictures: int) -> None:
    """Let something be in the way for so many pictures."""
    for number in range(pictures):
        live_session.observe(see_hand(f"hidden {number}"))


def asked(live_session: LiveSession) -> Illegal:
    """Return the wrong table that stands."""
    question = live_session.referee.question
    assert isinstance(question, Illegal)
    return question


def test_after_a_long_stretch_one_tap_goes_on_from_what_lies_there() -> None:
    """Whose turn it is cannot be seen; all else can."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    hide(live_session, 10)
    live_session.observe(see("2", LATER))
    question = asked(live_session)
    assert question.why == "Whose turn is it?"
    assert question.frame == "2"
    assert [each.text for each in question.candidates] == [
        "Yes. It is Ann’s turn",
        "Yes. It is Bob’s turn",
        "Yes. It is Cem’s turn",
    ]
    board = read_scoreboard(live_session).question
    assert board is not None
    assert board.kind == "unseen"
    assert live_session.referee.choose(2)
    assert live_session.referee.question is None
    assert live_session.session.state.line == LATER
    assert live_session.session.state.seat == 2
    adopted = live_session.session.entries[-1].event
    assert isinstance(adopted, TableAdopted)
    assert adopted.frame == "2"
    live_session.observe(see("3", (LATER[1], LATER[0], *LATER[2:])))
    assert moves(live_session) == [(2, f"up1 {LATER[1]}")]


def test_after_a_short_one_what_is_wrong_is_named_first() -> None:
    """A hand over a single table that nothing explains: it may be put right."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    hide(live_session, 2)
    live_session.observe(see("2", LATER))
    assert asked(live_session).candidates == ()
    assert asked(live_session).why == "No legal move leads here."


def test_people_who_play_on_from_what_was_called_wrong_are_asked_whose_turn_it_is() -> None:
    """However long they do: every table after the first can be gone on from."""
    live_session = sit_down()
    line = LATER
    live_session.observe(see("1", line))
    for frame in "234":
        line = (line[1], line[0], line[3], line[2], *line[4:]) if frame != "3" else line[::-1]
        hide(live_session, 1)
        live_session.observe(see(frame, line))
        assert asked(live_session).why == "Whose turn is it?"
        assert asked(live_session).seen[: len(line)] == line
    assert live_session.referee.choose(0)
    assert live_session.session.state.line == line


def test_what_a_few_plays_explain_is_offered_as_such_after_a_stretch() -> None:
    """Then nobody has to say whose turn it is."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    hide(live_session, 10)
    live_session.observe(see("2", ("lokahi", "hookipa", *TIKIS[2:5], "kapu", "huhu", *TIKIS[7:])))
    assert asked(live_session).why == "Two moves at once?"


@pytest.mark.parametrize("is_hidden", [True, False])
def test_every_tower_is_found_again(is_hidden: bool) -> None:
    """Ten discs that nobody saw being placed, after a stretch or one table after the other."""
    live_session = sit("topple", "roll 6", "place 22 pink")
    board = ["empty"] * 25
    board[12] = "pink 1"
    live_session.observe(see_table("1", board))
    known = acts(live_session)
    colours = ("yellow", "pink", "pink", "yellow", "yellow", "pink", "yellow", "pink", "pink")
    for number, colour in enumerate(colours):
        board[number + 13 if number > 4 else number] = f"{colour} 1"
        if not is_hidden and number > 3:
            live_session.observe(see_table(f"more {number}", board))
    if is_hidden:
        hide(live_session, 10)
        live_session.observe(see_table("2", board))
    assert acts(live_session) == known
    assert asked(live_session).why == "Whose turn is it?"
    assert live_session.referee.choose(1)
    assert live_session.referee.question is None
    assert live_session.game.shown(live_session.session.state) == tuple(board)


class UnseenGame(SimulatedGame):
    """A game of which the companion misses a dozen plays."""

    def play_unseen(self) -> None:
        """Play on, until the table may be looked at again."""
        for _ in range(12):
            plays = [*self.game.plays(self.true)]
            if not plays or self.game.rules.outcome(self.true):
                break
            for text in self.rng.choice(plays).actions:
                self.true = self._after(self.true, text)


@pytest.mark.parametrize("name", sorted(watched()))
def test_no_game_stays_lost(name: str) -> None:
    """Whatever the first picture shows, one tap goes on from it."""
    game = UnseenGame(name, 2, Faults(entered=0.0))
    live_session = game.live_session
    while not live_session.session.history.acts or None in game.game.shown(game.true):
        assert game._step()
    game.play_unseen()
    hide(live_session, 10)
    table = game.game.shown(game.true)
    live_session.observe(see_table("found", table))
    if live_session.referee.question:  # a pile's top may be explained by two plays, or by one
        assert live_session.referee.choose(0)
    assert live_session.referee.question is None
    assert agree(live_session.game.shown(live_session.session.state), table)
    game.log.close()
