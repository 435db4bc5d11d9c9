"""What sensors and buttons find out, as far as the rules allow it."""

from dataclasses import replace

import pytest

from companion.devices.sensor_adapter import Senses
from companion.referee.notices import Ask
from companion.rules import topple
from companion.rules.tiki_topple import TIKIS
from companion.session.events import SpinObserved
from companion.web.idol import logged_spins
from hardware.facts import Fact, Spun, Troubled
from tests.referee.test_entering import SPUN, TO_SPIN, acts, hear, press, said, sit, tell, tower
from tests.tables import see, sit_down, told


def test_a_fall_while_placing_is_that_seats_topple() -> None:
    """TO-9: the sensor's word costs the placer ten points and ends the round."""
    sitting = sit("topple", "roll 3", "place 20 pink", "roll 6")
    hear(sitting, tower("topple"))
    assert acts(sitting)[-1] == "topple"
    assert topple.totals(sitting.session.state) == (3, -10, 0)
    assert said(sitting) == "The tower fell while Bob was placing"
    (move,) = told(sitting, "move")[-1:]
    assert (move["seat"], move["by"]) == (1, "sensor")


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (tower("wobble", knocked=True), "The table was knocked; nothing fell"),
        (tower("wobble"), "The tower is wobbling!"),
        (tower("lean"), "The tower is leaning!"),
        (SPUN, "This game does not use the idol"),
        (press("done", 1), "Bob, tap the spot where you placed the piece"),
        (press("uno", 2), "Cem, that button does nothing right now"),
        (press("done", 7), "No player sits where the button done was pressed"),
    ],
)
def test_what_is_no_event_of_the_game_is_only_said(fact: Fact, words: str) -> None:
    """Wobbles, knocks and idle buttons change nothing and are told in plain words."""
    sitting = sit("topple", "roll 3", "place 20 pink", "roll 6")
    before = sitting.session.next_seq
    hear(sitting, fact)
    assert (said(sitting), sitting.session.next_seq) == (words, before)


def test_a_fall_between_turns_is_asked_about_and_the_button_answers() -> None:
    """TO-10: nobody is blamed unasked; whoever presses "it was me" settles it."""
    sitting = sit("topple", "roll 3", "place 20 pink")
    hear(sitting, tower("topple"))
    asked = sitting.referee.question
    assert isinstance(asked, Ask)
    assert [candidate.text for candidate in asked.candidates] == [
        "It fell while Ann was placing",
        "Ann knocked it over",
        "Bob knocked it over",
        "Cem knocked it over",
        "Nothing fell",
    ]
    hear(sitting, press("me", 2))
    assert acts(sitting)[-1] == "knock 2"
    assert told(sitting, "move")[-1]["by"] == "sensor"
    assert sitting.referee.question is None
    assert topple.totals(sitting.session.state) == (0, 0, -10)


@pytest.mark.parametrize(
    ("choice", "last", "scores"),
    [(0, "topple", (-10, 0, 0)), (2, "knock 1", (0, -10, 0)), (4, "place 20 pink", (0, 0, 0))],
)
def test_the_question_is_answered_by_a_tap(choice: int, last: str, scores: tuple[int, ...]) -> None:
    """The last to place may have been at it still, somebody knocked it, or nothing fell."""
    sitting = sit("topple", "roll 3", "place 20 pink")
    hear(sitting, tower("topple"))
    assert sitting.referee.choose(choice)
    assert (acts(sitting)[-1], topple.totals(sitting.session.state)) == (last, scores)
    assert not sitting.referee.choose(choice)


def test_whoever_owns_up_takes_the_blame_of_a_fall_just_now() -> None:
    """The button turns a topple into that seat's knock: no bonus, no fine for the placer."""
    sitting = sit("topple", "roll 3", "place 20 pink", "roll 6")
    hear(sitting, tower("topple"), press("me", 2))
    assert topple.totals(sitting.session.state) == (0, 0, -10)
    assert acts(sitting)[-1] == "knock 2"


def test_no_piece_on_the_board_no_fall() -> None:
    """A cleared board that is moved is no topple, and nobody is asked."""
    sitting = sit("topple", "roll 3")
    sitting.referee.undo()
    hear(sitting, tower("topple"))
    assert (acts(sitting), sitting.referee.question) == ([], None)
    assert said(sitting) == "The tower moved, but there are no pieces on it"


def test_a_pause_holds_what_sensors_say() -> None:
    """While paused nothing heard counts and no spin is logged; then all goes on."""
    sitting = sit("uno_tiki", *TO_SPIN)
    entries = sitting.session.next_seq
    hear(sitting, press("pause"), SPUN, tower("topple"), press("undo"), press("uno", 1))
    assert (sitting.session.next_seq, sitting.paused) == (entries, True)
    assert said(sitting).startswith("Paused")
    hear(sitting, press("pause"), SPUN)
    assert acts(sitting)[-1] == "spin 1"
    assert not sitting.paused


def test_a_spin_goes_where_it_points() -> None:
    """UT-11: the seat that the idol names must act."""
    sitting = sit("uno_tiki", *TO_SPIN)
    hear(sitting, SPUN)
    assert acts(sitting)[-1] == "spin 1"
    assert [len(hand) for hand in sitting.session.state.hands] == [7, 10, 7]
    assert said(sitting) == "Bob! Draw 4"
    assert sitting.moment is not None
    assert (sitting.moment.kind, sitting.moment.angle_deg) == ("spin", 100.0)


WITHDRAWN = replace(SPUN, trusted=False, seats=(), reason="The idol's zero was off by 90 degrees.")


def test_a_spin_that_is_withdrawn_is_taken_back() -> None:
    """Told again as not trusted, the spin counts no more, and whoever spun spins again."""
    sitting = sit("uno_tiki", *TO_SPIN)
    hear(sitting, SPUN, WITHDRAWN)
    assert acts(sitting)[-1] == TO_SPIN[-1]
    assert said(sitting).startswith("That spin was not measured reliably (The idol's zero was off")
    hear(sitting, WITHDRAWN)
    assert acts(sitting)[-1] == TO_SPIN[-1]


def test_a_spin_that_was_played_on_is_left_to_people() -> None:
    """What came after it stays; the log says that it is not trusted, and the host is asked."""
    sitting = sit("uno_tiki", *TO_SPIN)
    senses = Senses(sitting)
    senses.hear(SPUN)
    before = acts(sitting)
    referee = sitting.referee
    referee.enter(next(text for text in referee.offers() if text.startswith("draw")))
    senses.hear(WITHDRAWN)
    assert acts(sitting)[: len(before)] == before
    assert "correct it on the host's desk" in said(sitting)
    assert [spun.trusted for spun in logged_spins(sitting)] == [True, False]
    assert len({spun.at_s for spun in logged_spins(sitting)}) == 1


@pytest.mark.parametrize(
    ("spun", "last", "words"),
    [
        (replace(SPUN, seats=(), turns=0.5, void=True), "spin void", "Less than a full turn: Bob"),
        (replace(SPUN, seats=(2, 0)), "spin between 0 2", "Between Ann and Cem: Bob chooses"),
        (
            replace(SPUN, seats=(), trusted=False, reason="3 steps were lost."),
            TO_SPIN[-1],
            "That spin was not measured reliably (3 steps were lost): spin again, or enter",
        ),
        (
            replace(SPUN, seats=()),
            TO_SPIN[-1],
            "The idol does not know its seat: enter where it points",
        ),
        (replace(SPUN, seats=(7,)), TO_SPIN[-1], "The idol reports two seats that are not"),
    ],
)
def test_a_spin_that_names_no_single_seat(spun: Spun, last: str, words: str) -> None:
    """Void: again.  Between: the spinner chooses.  Not to be trusted, or nobody: said plainly."""
    sitting = sit("uno_tiki", *TO_SPIN)
    hear(sitting, spun)
    assert acts(sitting)[-1] == last
    assert said(sitting).startswith(words)
    assert [entry.event for entry in sitting.session.entries if entry.event.type == "spin"] == [
        SpinObserved(100.0, spun.turns, True, spun.seats, spun.trusted, spun.void, spinner=1)
    ]


def test_a_spin_that_nobody_asked_for_changes_nothing() -> None:
    """It is logged for the statistics and shown, and that is all; also while somebody chooses."""
    sitting = sit("uno_tiki", "turn red-7")
    hear(sitting, SPUN)
    assert (acts(sitting), said(sitting)) == (
        ["turn red-7"],
        "No spin is due now; this one is ignored",
    )
    choosing = sit("uno_tiki", *TO_SPIN, "spin between 1 2")
    hear(choosing, SPUN)
    assert said(choosing) == "The idol has been spun already: Bob chooses now"
    spins = [entry.event for entry in sitting.session.entries if entry.event.type == "spin"]
    assert [spin.spinner for spin in spins if isinstance(spin, SpinObserved)] == [None]


def test_uno_is_called_by_the_button() -> None:
    """UT-15: by whoever has one card left; anybody else is told gently."""
    sitting = sit("uno_tiki", "turn red-7")
    hear(sitting, press("uno", 1))
    assert said(sitting) == "Bob, call UNO when you have one card left"
    tell(sitting, *("play red-1", "draw", "pass", "draw", "pass") * 5, "play red-1")
    hear(sitting, press("uno", 1))
    assert acts(sitting)[-1] == "uno 1"
    assert said(sitting) == "Bob calls UNO!"


@pytest.mark.parametrize(
    ("actions", "seat", "last"),
    [
        (("turn red-7", "draw"), 1, "pass"),
        (("turn tiki-discard2", "turn red-7", "play red-2-spin", "spin 0"), 0, "keep"),
        (("turn red-7", "draw"), 2, "draw"),
        (("turn red-7",), 1, "turn red-7"),
    ],
)
def test_done_ends_what_can_be_ended(actions: tuple[str, ...], seat: int, last: str) -> None:
    """The button passes after drawing and keeps what need not be discarded; else it says so."""
    sitting = sit("uno_tiki", *actions)
    hear(sitting, press("done", seat))
    assert acts(sitting)[-1] == last


def test_a_trouble_is_kept_until_all_is_well() -> None:
    """A device that fails is named with its remedy, and the game goes on."""
    sitting = sit("topple", "roll 3")
    hear(sitting, Troubled("idol", "unplugged; plug it in again", 0.0))
    assert [*sitting.troubles] == ["idol: unplugged; plug it in again"]
    hear(sitting, Troubled("idol", "", 0.0))
    assert [*sitting.troubles] == []
    hear(sitting, Troubled("lights", "lights: no permission; log in again", 0.0))
    assert [*sitting.troubles] == ["lights: no permission; log in again"]


def test_a_watched_game_has_its_buttons_too() -> None:
    """Undo and pause work before a camera; a paused game is not looked at; it has no tower."""
    sitting = sit_down()
    hear(sitting, tower("topple"))
    assert said(sitting) == "This game does not use the tower"
    for seen in ([], ["up1 lokahi"]):
        hear(sitting, press("pause"))
        sitting.observe(see("1", ("lokahi", "hookipa", *TIKIS[2:])))
        assert acts(sitting) == seen
    hear(sitting, press("undo"))
    assert (acts(sitting), said(sitting)) == ([], "Taken back")
