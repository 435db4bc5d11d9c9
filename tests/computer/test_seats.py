"""What the companion means to do for its own seat, and what people make of it."""

from dataclasses import replace
from itertools import pairwise

import pytest

from companion.apps.computer.engine import EngineLost, Task
from companion.apps.computer.hands import hands_of
from companion.apps.computer.seats import ComputerSeats
from companion.apps.computer.tasks import task_of
from companion.referee.game import EMPTY
from companion.rules.tiki_topple import TIKIS, move
from companion.session.session import Header
from tests.computer.seats import meant_at, meanwhile, only, played, settle, with_computers
from tests.referee.entering import acts, said, sit, tell
from tests.tables import moves, see, see_table, sit_down
from tests.web.tactiki_tables import ANNS, BOBS
from vision.observation import Evidence, Tilted

pytestmark = pytest.mark.anyio

RED = Evidence({"red-9": 0.99, "something else": 0.01})
UP = "Tiki Up 1 on Huhu"


async def test_it_says_what_it_means_and_waits_until_the_camera_has_seen_it() -> None:
    """Nothing counts before a hand has moved the tiki."""
    live = with_computers(sit_down(2), "fair")
    async with played(live, only("up1 huhu")):
        meant = live.intention
        assert meant is not None
        assert (meant.seat, meant.action) == (0, "up1 huhu")
        assert (meant.words, meant.told) == (f"Move for Ann: {UP}", UP)
        assert meant.places == (TIKIS.index("huhu"), TIKIS.index("huhu") - 1)
        assert moves(live) == []
        live.observe(see("1", move(TIKIS, "up1", "huhu")))
        await settle()
        assert moves(live) == [(0, "up1 huhu")]
        assert meant_at(live) is None
        assert live.transient_notice is None


async def test_another_move_is_taken_as_it_was_made() -> None:
    """That is what lies there; what it had meant is said, and it goes on."""
    live = with_computers(sit_down(2), "fair")
    async with played(live, only("up1 huhu")):
        live.observe(see("1", move(TIKIS, "up1", "nani")))
        await settle()
        assert moves(live) == [(0, "up1 nani")]
        assert live.transient_notice is not None
        assert live.transient_notice.words == f"That was “Tiki Up 1 on Nani”; Ann had meant “{UP}”"
        assert meant_at(live) is None


async def test_a_piece_that_comes_back_is_the_one_that_was_meant_whatever_its_rank() -> None:
    """Its rank is told to nobody; who entered the ranks has left the seat to the companion."""
    live = sit("tactiki", seats=2)
    live.referee.enter_secret(0, f"ranks 0 {ANNS}")
    live.referee.enter_secret(1, f"ranks 1 {BOBS}")
    for steps in ("42 32 22", "02 12 22", "40 30", "40 41", "02 12 22", "41 42 41"):
        tell(live, *(f"move {one} {other}" for one, other in pairwise(steps.split())))
    live.resume(live.session.number, "the companion plays", computers=("", "fair"))
    async with played(live, only("back 02 1")):
        assert live.intention is not None
        assert live.intention.action == "back 02"
        live.referee.enter(live.intention.action)
        live.changed()
        await settle()
        assert acts(live)[-1].startswith("back 02")
        assert "had meant" not in said(live)


async def test_after_three_other_moves_in_a_row_people_learn_of_taking_over() -> None:
    """A table that wants to play the seat itself can."""
    live = with_computers(sit_down(2), "fair", "fair")
    said = []
    async with played(live):
        for _ in range(3):
            assert live.intention is not None
            others = live.referee.offers()
            live.referee.enter(next(each for each in others if each != live.intention.action))
            live.changed()
            await settle()
            assert live.transient_notice is not None
            said.append("take over" in live.transient_notice.words)
    assert said == [False, False, True]


async def test_what_a_person_undoes_is_thought_of_anew() -> None:
    """Undone through its move, it is a person's turn; undone once, it is its own."""
    live = with_computers(sit_down(2), "", "fair")
    async with played(live) as scripted:
        assert meant_at(live) is None
        live.referee.enter("up1 huhu")
        live.changed()
        await settle()
        assert live.intention is not None
        live.referee.enter(live.intention.action)
        live.changed()
        await settle()
        assert meant_at(live) is None
        live.referee.undo()
        live.changed()
        await settle()
        assert live.intention is not None
        live.referee.undo()
        live.changed()
        await settle()
        assert meant_at(live) is None
        assert [task.seat for task in scripted.tasks] == [1, 1]


async def test_it_sees_its_own_secret_and_nobody_elses() -> None:
    """It thinks of a card like the printed ones; the seat beside it has entered another."""
    live = with_computers(sit_down(2), "fair")
    live.referee.enter_secret(1, "card 1 nani huhu nui")
    async with played(live) as scripted:
        (task,) = scripted.tasks
        assert task.seen.cards[0] is not None
        assert task.seen.cards[1] is None
        assert len(set(task.seen.cards[0])) == 3


async def test_a_round_ends_without_anybody_entering_for_it() -> None:
    """Its card is shown when cards are due."""
    live = with_computers(sit_down(2, rounds=1, tie="share"), "fair", "fair")
    async with played(live):
        for _ in range(40):
            if live.game.rules.outcome(live.session.state):
                break
            if live.intention is not None:
                live.referee.enter(live.intention.action)
                live.changed()
            await settle()
    assert live.game.rules.outcome(live.session.state)


async def test_while_a_question_stands_it_stays_with_what_it_meant() -> None:
    """A wrong table is put right first; people still see what was to be done."""
    live = with_computers(sit_down(2), "fair")
    async with played(live, only("up1 huhu")) as scripted:
        wrong = (*TIKIS[4:], *TIKIS[:4])
        live.observe(see("1", wrong))
        live.observe(see("2", wrong))
        await settle()
        assert live.referee.question is not None
        assert live.intention is not None
        assert len(scripted.tasks) == 1


async def test_paused_it_begins_nothing() -> None:
    """It thinks once the game goes on."""
    live = with_computers(sit_down(2), "fair")
    live.pause()
    async with played(live) as scripted:
        assert not scripted.tasks
        live.pause()
        await settle()
        assert len(scripted.tasks) == 1


async def test_a_search_that_fails_is_named_and_something_legal_is_played() -> None:
    """The evening goes on."""
    live = with_computers(sit_down(2), "fair")

    async def lost(_: Task) -> None:
        raise EngineLost

    async with meanwhile(ComputerSeats(live, lost).play()):
        assert live.intention is not None
        assert live.intention.action in live.referee.offers()
        assert "its search has failed" in " ".join(live.troubles)


async def test_it_rolls_its_own_die_and_says_where_its_piece_goes() -> None:
    """Nobody rolls for it; a hand places its piece."""
    live = with_computers(sit("topple", seats=2), "fair")
    async with played(live):
        assert live.session.state.phase == "place"
        assert live.intention is not None
        assert live.intention.action.startswith("place ")


async def test_a_table_of_people_alone_is_left_alone() -> None:
    """Nothing is searched for."""
    live = sit_down(2)
    async with played(live) as scripted:
        live.referee.enter("up1 huhu")
        live.changed()
        await settle()
    assert not scripted.tasks


def test_a_header_says_which_seats_the_companion_plays() -> None:
    """Logs of tables without one look as they did."""
    header = Header("topple", ("Ann", "Koa"), {}, computers=("", "fair"))
    assert Header.from_json(header.to_json()) == header
    assert (header.is_computer(0), header.is_computer(1)) == (False, True)
    assert "computers" not in Header("topple", ("Ann", "Koa"), {}).to_json()


async def test_of_moves_that_look_alike_it_says_which_it_meant() -> None:
    """Two Tiki Faces that a picture cannot tell apart are in its hand, and nobody is asked."""
    live = with_computers(sit("uno_tiki", "turn red-9", seats=2), "", "fair")
    cards = ("tiki-draw4", "tiki-goto", "red-1", "red-2", "red-3", "red-4", "red-5")
    async with played(live, only("play tiki-draw4")):
        for card in cards:
            hands_of(live).show(1, card)
        await settle()
        assert live.intention is not None
        face = Evidence({"tiki-draw4": 0.5, "tiki-goto": 0.5})
        for number in range(4):
            live.observe(replace(see_table(f"{number}", ("red-9", EMPTY)), places=(RED, face)))
            await settle()
        assert acts(live)[-1] == "play tiki-draw4"


@pytest.mark.parametrize(
    ("towards_deg", "lean"), [(90.0, (2.0, 0.0)), (180.0, (0.0, 2.0)), (0.0, (0.0, -2.0))]
)
def test_the_search_hears_how_the_board_leans(
    towards_deg: float, lean: tuple[float, float]
) -> None:
    """As the camera saw it last: to the right, towards the near edge; nothing of a fallen one."""
    live = sit("topple", "roll 1", seats=2)
    assert task_of(live, 0, "fair").tilt_deg is None
    live.referee.side_observations.note(Tilted(2.0, towards_deg, has_toppled=False), ())
    assert task_of(live, 0, "fair").tilt_deg == pytest.approx(lean)
    live.referee.side_observations.note(Tilted(9.0, towards_deg, has_toppled=True), ())
    assert task_of(live, 0, "fair").tilt_deg is None
