"""A table that the rules do not explain: the people say that it is right, or that the game is."""

from typing import Any, Final

import pytest

from companion.referee.game import Table
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask, Illegal
from companion.referee.table_dispute import CannotAgree
from companion.registry import with_mats
from companion.rules.tiki_topple import TIKIS
from companion.scenes.light_patterns import light_zones
from companion.scenes.scene import scene_of
from companion.scenes.words import headline
from companion.scoreboard import read_scoreboard
from companion.session.events import TableAdopted
from companion.session.session import Header
from hardware.zones import Zone, Zones
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import MAX_STEPS, SimulatedGame, Tally
from tests.tables import open_log, see, see_hand, see_table, sit_down

SWAPPED = (TIKIS[1], TIKIS[0], *TIKIS[2:7], TIKIS[8], TIKIS[7])
CHEATS: Final = 0.4


class AgreeingGame(SimulatedGame):
    """A game in which people cheat, and then say that the table is right, or that the game is."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed, Faults())
        self.adopted = self.led_back = self.refused = 0

    def _step(self) -> bool:
        plays = list(self.game.plays(self.true))
        if plays and None not in plays[0].table and self.rng.random() < CHEATS:
            self._cheat(plays)
        return self.game.rules.outcome(self.true) is not None or super()._step()

    def _cheat(self, plays: list[Any]) -> None:
        table = self._illegal(plays)
        if table is None:
            return
        acts = list(self.live_session.session.history.acts)
        self._show_arm(None)
        self._look_until_settled(table, plays)
        referee = self.live_session.referee
        if not isinstance(referee.question, Illegal):
            self.true = self.live_session.session.state  # perhaps it was a take-back
            self._acts = list(self.live_session.session.history.acts)
            return
        assert self.live_session.session.history.acts == acts
        if self.rng.random() < 0.5:
            self._lead_back(table)
            return
        try:
            referee.dispute.ask_to_adopt()
        except CannotAgree:
            self.refused += 1
            self._lead_back(table)
            return
        self._adopt()

    def _adopt(self) -> None:
        referee, session = self.live_session.referee, self.live_session.session
        while isinstance(referee.question, Ask):
            last = len(referee.question.candidates) - 1
            is_turn = referee.question.message.startswith("Play on")
            assert referee.choose(self.rng.randrange(last if is_turn else last + 1))
        assert isinstance(session.entries[-1].event, TableAdopted) or session.rules.outcome(
            session.state
        )
        self.adopted += 1
        self.true = session.state
        self._acts = list(session.history.acts)
        if self._acts[-1].adopted and self.game.round_number(self.true) == 1:
            assert not isinstance(referee.question, Illegal)

    def _lead_back(self, table: Table) -> None:
        """Put one place after the other right, as it is named; nothing is taken for a move."""
        referee, wanted = self.live_session.referee, self.game.shown(self.true)
        acts = list(self.live_session.session.history.acts)
        if referee.dispute.can_lead_back:
            referee.dispute.lead_back()
        left = list(table)
        for _ in range(len(table)):
            asked = referee.question
            if not isinstance(asked, Illegal):
                break
            (place,) = asked.slots
            assert left[place] != wanted[place]
            left[place] = wanted[place]
            self._show_arm(None)
            self._look_until_settled(tuple(left), [])
            assert self.live_session.session.history.acts == acts
        assert referee.question is None
        assert tuple(left) == wanted
        self.led_back += 1

    def _illegal(self, plays: list[Any]) -> Table | None:
        if not self.game.shifts:
            return super()._illegal(plays)
        line = [tiki for tiki in self.game.shown(self.true) if tiki in TIKIS]
        self.rng.shuffle(line)
        del line[self.rng.choice((len(line), len(line), len(line) - 1)) :]
        return (*line, *("empty",) * (len(TIKIS) - len(line)))

    def play(self, steps: int = MAX_STEPS) -> Tally:
        """Play, and take the session up again from its log as a restarted companion would."""
        try:
            self._play_on(steps)
            again = LiveSession(self.log, self.live_session.header)
            assert again.session.state == self.live_session.session.state
        finally:
            self.log.close()
        return self.tally


@pytest.mark.parametrize("game", with_mats())
def test_games_go_on_from_tables_that_the_people_adopt(game: str) -> None:
    """Whatever table they adopt, play goes on, and nothing is believed that did not happen."""
    adopted = led_back = 0
    for seed in range(8):
        each = AgreeingGame(game, seed)
        tally = each.play(12)
        assert not tally.wrong, tally.faults
        assert not tally.stuck, tally.faults
        adopted, led_back = adopted + each.adopted, led_back + each.led_back
        if adopted and led_back:
            return
    pytest.fail(f"of 8 games {adopted} tables were adopted, and {led_back} led back from")


def wrong_line() -> LiveSession:
    """Return a session whose line two swaps have left as no card leaves it."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see("3", SWAPPED))
    assert isinstance(live_session.referee.question, Illegal)
    return live_session


def test_the_table_is_right() -> None:
    """The line is shown, the turn and the card that was used are asked for, all is in the log."""
    live_session = wrong_line()
    referee = live_session.referee
    referee.dispute.ask_to_adopt()
    asked = referee.question
    assert isinstance(asked, Ask)
    first, second = SWAPPED[0].capitalize(), SWAPPED[1].capitalize()
    assert f"{first} in place 1, {second} in place 2" in asked.message
    turns = ["Yes. It is Ann’s turn", "Yes. It is Bob’s turn", "Yes. It is Cem’s turn"]
    assert [each.text for each in asked.candidates] == [*turns, "No, put the table back"]
    referee.choose(1)
    asked = referee.question
    assert isinstance(asked, Ask)
    assert asked.message == "What did Ann play?"
    cards = [each.text for each in asked.candidates]
    assert cards == [
        "Tiki Toast", "Tiki Topple", "Tiki Up 1", "Tiki Up 2", "Tiki Up 3", "Nothing",
    ]  # fmt: skip
    referee.choose(3)
    assert referee.question is None
    state = live_session.session.state
    assert (state.line, state.seat) == (SWAPPED, 1)
    assert "up2" not in state.hands[0]
    entry = live_session.session.entries[-1].event
    assert entry == TableAdopted(SWAPPED, 1, "up2", "3")
    assert read_scoreboard(live_session).history[0].words == (
        "You said that the table was right, although no legal move led there."
        " It was Bob’s turn then"
    )


def test_who_adopts_a_table_may_take_that_back() -> None:
    """The game stands as before, and the table is asked about again."""
    live_session = wrong_line()
    referee = live_session.referee
    referee.dispute.ask_to_adopt()
    referee.choose(0)
    referee.undo()
    assert live_session.session.state.line == TIKIS
    assert isinstance(referee.question, Illegal)


def test_no_move_before_an_adopted_table_is_taken_back_by_sight() -> None:
    """What lay there before is nobody's newest move."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    live_session.referee.enter("up1 lokahi") if TIKIS[1] == "lokahi" else None
    played = live_session.session.state.line
    live_session.observe(see("2", played))
    live_session.observe(see_hand("3", "near"))
    live_session.observe(see("4", SWAPPED[::-1]))
    live_session.referee.dispute.ask_to_adopt()
    live_session.referee.choose(1)
    while isinstance(live_session.referee.question, Ask):
        live_session.referee.choose(len(live_session.referee.question.candidates) - 1)
    known = len(live_session.session.entries)
    live_session.observe(see_hand("5", "near"))
    live_session.observe(see("6", TIKIS))
    live_session.observe(see_hand("7", "near"))
    live_session.observe(see("8", TIKIS))
    assert len(live_session.session.entries) == known
    assert isinstance(live_session.referee.question, Illegal)


def test_no_table_is_adopted_that_does_not_stand_against_the_game() -> None:
    """There is nothing to agree on while all is well."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    for say in (
        live_session.referee.dispute.ask_to_adopt,
        live_session.referee.dispute.lead_back,
    ):
        with pytest.raises(CannotAgree, match="agrees with the game"):
            say()


def test_a_line_with_a_tiki_twice_is_refused_in_words() -> None:
    """The people are told what is wrong with it, and the game is as it was."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see("3", (TIKIS[0], TIKIS[0], *TIKIS[2:])))
    with pytest.raises(CannotAgree, match="one of the 9 tikis is in it twice"):
        live_session.referee.dispute.ask_to_adopt()
    assert isinstance(live_session.referee.question, Illegal)


def test_nothing_on_the_way_back_is_taken_for_a_move() -> None:
    """A table that a move would leave is on the way to the one that the game has."""
    live_session = sit_down()
    live_session.observe(see("1", TIKIS))
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see("3", SWAPPED))
    live_session.referee.dispute.lead_back()
    one_up = (TIKIS[1], TIKIS[0], *TIKIS[2:])  # as by Tiki Up 1
    live_session.observe(see_hand("4", "near"))
    live_session.observe(see("5", one_up))
    assert live_session.session.entries == []
    asked = live_session.referee.question
    assert isinstance(asked, Illegal)
    name = TIKIS[0].capitalize()
    assert asked.message == f"Put the table back: {name} in place 1. Then 1 more."
    shown = read_scoreboard(live_session).question
    assert shown is not None
    assert shown.kind == "put_right"
    live_session.observe(see_hand("6", "near"))
    live_session.observe(see("7", TIKIS))
    assert live_session.referee.question is None
    live_session.observe(see_hand("8", "near"))
    live_session.observe(see("9", one_up))
    assert live_session.session.entries != []


def test_lights_and_display_lead_back_one_place_at_a_time() -> None:
    """One light beside the line is bright all the time: that of the place to be corrected first."""
    live_session = wrong_line()
    zones = Zones(slots=Zone(0, 9))
    live_session.referee.dispute.lead_back()
    for place, line in enumerate((SWAPPED, (TIKIS[0], *SWAPPED[1:]))):
        live_session.observe(see_hand(f"hand {place}", "near"))
        live_session.observe(see(f"led {place}", line))
        board = read_scoreboard(live_session)
        assert board.question is not None
        assert board.question.slots == (place,)
        shown = [light_zones(board, zones, beat)["slots"] for beat in range(4)]
        steady = [at for at in range(9) if len({strip[at] for strip in shown}) == 1]
        assert steady == [place]
    assert headline(scene_of(board)) == "repair"


def test_columns_whose_pieces_may_have_changed_places_lose_their_ranks() -> None:
    """A piece that alone was lifted keeps its rank; of two nobody knows which is which."""
    for changes, known in (
        ({20: "tiki 1", 15: "tiki 1"}, True),
        ({20: "tiki 1", 21: "tiki 1", 15: "tiki 1", 16: "tiki 1"}, False),
    ):
        live_session = ranked_game()
        shown = list(live_session.game.shown(live_session.session.state))
        for place, content in changes.items():
            shown[place] = content
        event = TableAdopted(tuple(shown), 1)
        state = live_session.game.adopt(live_session.session.state, event)
        assert any(state.ranks[0]) is known
        assert live_session.game.shown(state) == tuple(shown)


def test_who_has_entered_ranks_is_told_that_they_are_forgotten() -> None:
    """Two pieces of a side have changed places, so that nobody knows which is which."""
    live_session = ranked_game()
    shown = list(live_session.game.shown(live_session.session.state))
    live_session.observe(see_table("1", shown))
    for place in (20, 21, 5, 6):
        shown[place] = "tiki 1"
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see_table("3", shown))
    live_session.referee.dispute.ask_to_adopt()
    live_session.referee.choose(0)
    assert not any(live_session.session.state.ranks[0])
    assert live_session.transient_notice is not None
    assert live_session.transient_notice.words.endswith("enter what you see")


def ranked_game() -> LiveSession:
    """Return a game of TacTiki in which TIKI has entered its ranks."""
    header = Header("tactiki", ("Ann", "Bob"), {"statue": "five"}, sides=("near", "far"))
    live_session = LiveSession(open_log(), header)
    live_session.referee.enter_secret(0, "ranks 0 1 1 2 2 3 3 4 4 5 5")
    return live_session


def test_a_defeated_piece_that_nobody_saw_may_return() -> None:
    """What left the board without a word is defeated, and any of its ranks may come back."""
    live_session = ranked_game()
    shown = list(live_session.game.shown(live_session.session.state))
    shown[20] = "tiki 1"
    shown[21] = "empty"
    live_session.observe(see_table("1", live_session.game.shown(live_session.session.state)))
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see_table("3", shown))
    live_session.referee.dispute.ask_to_adopt()
    live_session.referee.choose(0)
    state = live_session.session.state
    assert len(state.pools[0]) == 3
    assert any(state.ranks[0]), "it is certain which pieces were lifted"
    offers = map(live_session.session.rules.format_action, live_session.game.offers(state))
    assert "back 41" in list(offers)
    live_session.referee.enter("back 41")
    assert len(live_session.session.state.pools[0]) == 2


def test_a_log_with_an_adopted_table_is_taken_up_again() -> None:
    """A restart finds the table that the people have adopted."""
    log = open_log()
    live_session = sit_down(log=log)
    live_session.observe(see("1", TIKIS))
    live_session.observe(see_hand("2", "near"))
    live_session.observe(see("3", SWAPPED))
    live_session.referee.dispute.ask_to_adopt()
    live_session.referee.choose(0)
    again = LiveSession(log, live_session.header)
    assert again.session.state == live_session.session.state
