"""What sensors and buttons find out, as far as the rules allow it."""

from dataclasses import replace

import pytest

from companion.apps.statistics.idol_page import logged_spins
from companion.devices.sensor_adapter import SensorAdapter
from companion.referee.notices import Ask
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from companion.rules import topple
from companion.rules.tiki_topple import TIKIS
from companion.session.events import SpinObserved
from hardware.facts import Fact, Spun, Troubled
from tests.referee.entering import SPUN, TO_SPIN, acts, handle, press, said, sit, tell, tower
from tests.tables import NAMES, see, sit_down, told


def test_a_fall_while_placing_is_that_seats_topple() -> None:
    """TO-9: the sensor's word costs the placer ten points and ends the round."""
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6")
    handle(live_session, tower("topple"))
    assert acts(live_session)[-1] == "topple"
    assert topple.totals(live_session.session.state) == (3, -10, 0)
    assert said(live_session) == "The tower fell while Bob was placing"
    (move,) = told(live_session, "move")[-1:]
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
        (press("done", 7), "Button done was pressed, but no player sits there"),
    ],
)
def test_what_is_no_event_of_the_game_is_only_said(fact: Fact, words: str) -> None:
    """Wobbles, knocks and idle buttons change nothing and are told in plain words."""
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6")
    before = live_session.session.next_seq
    handle(live_session, fact)
    assert (said(live_session), live_session.session.next_seq) == (words, before)


def test_a_fall_between_turns_is_asked_about_and_the_button_answers() -> None:
    """TO-10: nobody is blamed unasked; whoever presses "it was me" settles it."""
    live_session = sit("topple", "roll 3", "place 20 pink")
    handle(live_session, tower("topple"))
    asked = live_session.referee.question
    assert isinstance(asked, Ask)
    assert [candidate.text for candidate in asked.candidates] == [
        "It fell while Ann was placing",
        "Ann did it",
        "Bob did it",
        "Cem did it",
        "Nothing fell",
    ]
    handle(live_session, press("me", 2))
    assert acts(live_session)[-1] == "knock 2"
    assert told(live_session, "move")[-1]["by"] == "sensor"
    assert live_session.referee.question is None
    assert topple.totals(live_session.session.state) == (0, 0, -10)


@pytest.mark.parametrize(
    ("choice", "last", "scores"),
    [(0, "topple", (-10, 0, 0)), (2, "knock 1", (0, -10, 0)), (4, "place 20 pink", (0, 0, 0))],
)
def test_the_question_is_answered_by_a_tap(choice: int, last: str, scores: tuple[int, ...]) -> None:
    """The last to place may have been at it still, somebody knocked it, or nothing fell."""
    live_session = sit("topple", "roll 3", "place 20 pink")
    handle(live_session, tower("topple"))
    assert live_session.referee.choose(choice)
    assert (acts(live_session)[-1], topple.totals(live_session.session.state)) == (last, scores)
    assert not live_session.referee.choose(choice)


def test_whoever_owns_up_takes_the_blame_of_a_fall_just_now() -> None:
    """The button turns a topple into that seat's knock: no bonus, no fine for the placer."""
    live_session = sit("topple", "roll 3", "place 20 pink", "roll 6")
    handle(live_session, tower("topple"), press("me", 2))
    assert topple.totals(live_session.session.state) == (0, 0, -10)
    assert acts(live_session)[-1] == "knock 2"


def test_no_piece_on_the_board_no_fall() -> None:
    """A cleared board that is moved is no topple, and nobody is asked."""
    live_session = sit("topple", "roll 3")
    live_session.referee.undo()
    handle(live_session, tower("topple"))
    assert (acts(live_session), live_session.referee.question) == ([], None)
    assert said(live_session) == "The tower moved, but there are no pieces on it"


def test_a_pause_holds_what_sensors_say() -> None:
    """While paused nothing heard counts and no spin is logged; then all goes on."""
    live_session = sit("uno_tiki", *TO_SPIN)
    entries = live_session.session.next_seq
    handle(live_session, press("pause"), SPUN, tower("topple"), press("undo"), press("uno", 1))
    assert (live_session.session.next_seq, live_session.paused) == (entries, True)
    assert said(live_session).startswith("Paused")
    handle(live_session, press("pause"), SPUN)
    assert acts(live_session)[-1] == "spin 1"
    assert not live_session.paused


def test_a_spin_goes_where_it_points() -> None:
    """UT-11: the seat that the idol names must act."""
    live_session = sit("uno_tiki", *TO_SPIN)
    handle(live_session, SPUN)
    assert acts(live_session)[-1] == "spin 1"
    assert [len(hand) for hand in live_session.session.state.hands] == [7, 10, 7]
    assert said(live_session) == "Bob! Draw 4"
    assert live_session.transient_notice is not None
    assert (live_session.transient_notice.kind, live_session.transient_notice.angle_deg) == (
        "spin",
        100.0,
    )


WITHDRAWN = replace(SPUN, trusted=False, seats=(), reason="The idol's zero was off by 90 degrees.")


def test_a_spin_that_is_withdrawn_is_taken_back() -> None:
    """Told again as not trusted, the spin counts no more, and whoever spun spins again."""
    live_session = sit("uno_tiki", *TO_SPIN)
    handle(live_session, SPUN, WITHDRAWN)
    assert acts(live_session)[-1] == TO_SPIN[-1]
    assert said(live_session).startswith(
        "That spin was not measured reliably (The idol's zero was off"
    )
    handle(live_session, WITHDRAWN)
    assert acts(live_session)[-1] == TO_SPIN[-1]


def test_a_spin_that_was_played_on_is_left_to_people() -> None:
    """What came after it stays; the log says that it is not trusted, and the host is asked."""
    live_session = sit("uno_tiki", *TO_SPIN)
    sensor_adapter = SensorAdapter(live_session)
    sensor_adapter.handle(SPUN)
    before = acts(live_session)
    referee = live_session.referee
    referee.enter(next(text for text in referee.offers() if text.startswith("draw")))
    sensor_adapter.handle(WITHDRAWN)
    assert acts(live_session)[: len(before)] == before
    assert "correct it on the host’s desk" in said(live_session)
    assert [spun.trusted for spun in logged_spins(live_session)] == [True, False]
    assert len({spun.at_s for spun in logged_spins(live_session)}) == 1


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
            "The idol cannot tell where it points: enter it yourselves",
        ),
        (replace(SPUN, seats=(7,)), TO_SPIN[-1], "The idol reports two seats that are not"),
    ],
)
def test_a_spin_that_names_no_single_seat(spun: Spun, last: str, words: str) -> None:
    """Void: again.  Between: the spinner chooses.  Not to be trusted, or nobody: said plainly."""
    live_session = sit("uno_tiki", *TO_SPIN)
    handle(live_session, spun)
    assert acts(live_session)[-1] == last
    assert said(live_session).startswith(words)
    assert [
        entry.event for entry in live_session.session.entries if entry.event.type == "spin"
    ] == [SpinObserved(100.0, spun.turns, True, spun.seats, spun.trusted, spun.void, spinner=1)]


def test_a_spin_that_nobody_asked_for_changes_nothing() -> None:
    """It is logged for the statistics and shown, and that is all; also while somebody chooses."""
    live_session = sit("uno_tiki", "turn red-7")
    handle(live_session, replace(SPUN, seats=(), turns=0.5, void=True))
    assert (acts(live_session), said(live_session)) == (
        ["turn red-7"],
        "Nobody has to spin now, so this spin does not count",
    )
    choosing = sit("uno_tiki", *TO_SPIN, "spin between 1 2")
    handle(choosing, SPUN)
    assert said(choosing) == "The idol has already been spun: now Bob chooses"
    spins = [entry.event for entry in live_session.session.entries if entry.event.type == "spin"]
    assert [spin.spinner for spin in spins if isinstance(spin, SpinObserved)] == [None]


def test_uno_is_called_by_the_button() -> None:
    """UT-15: by whoever has one card left; anybody else is told gently."""
    live_session = sit("uno_tiki", "turn red-7")
    handle(live_session, press("uno", 1))
    assert said(live_session) == "Bob, call UNO when you have one card left"
    tell(live_session, *("play red-1", "draw", "pass", "draw", "pass") * 5, "play red-1")
    handle(live_session, press("uno", 1))
    assert acts(live_session)[-1] == "uno 1"
    assert said(live_session) == "Bob calls UNO!"


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
    live_session = sit("uno_tiki", *actions)
    handle(live_session, press("done", seat))
    assert acts(live_session)[-1] == last


def test_a_trouble_is_kept_until_all_is_well() -> None:
    """A device that fails is named with its remedy, and the game goes on."""
    live_session = sit("topple", "roll 3")
    handle(live_session, Troubled("idol", "unplugged; plug it in again", 0.0))
    assert [*live_session.troubles] == ["idol: unplugged; plug it in again"]
    handle(live_session, Troubled("idol", "", 0.0))
    assert [*live_session.troubles] == []
    handle(live_session, Troubled("lights", "lights: no permission; log in again", 0.0))
    assert [*live_session.troubles] == ["lights: no permission; log in again"]


@pytest.mark.parametrize("game", [game for game in GAMES if game != "topple"])
def test_a_tower_is_spoken_of_where_there_is_one(game: str) -> None:
    """Its switches may stay wired: what they report is kept until a game with a tower is on."""
    live_session = sit(game, seats=2)
    sensor_adapter = SensorAdapter(live_session)
    sensor_adapter.handle(Troubled("tilt_0", "reports that the tower has fallen", 0.0))
    sensor_adapter.handle(tower("topple"))
    assert ([*live_session.troubles], live_session.transient_notice) == ([], None)
    live_session.renew(open_header(game_of("topple"), NAMES[:2], {}, 0), "another game")
    assert [*live_session.troubles] == ["tilt_0: reports that the tower has fallen"]
    live_session.renew(open_header(game_of(game), NAMES[:2], {}, 0), "another game")
    assert [*live_session.troubles] == []


def test_a_watched_game_has_its_buttons_too() -> None:
    """Undo and pause work before a camera; a paused game is not looked at; it has no tower."""
    live_session = sit_down()
    handle(live_session, tower("topple"))
    assert live_session.transient_notice is None
    for seen in ([], ["up1 lokahi"]):
        handle(live_session, press("pause"))
        live_session.observe(see("1", ("lokahi", "hookipa", *TIKIS[2:])))
        assert acts(live_session) == seen
    handle(live_session, press("undo"))
    assert (acts(live_session), said(live_session)) == ([], "Taken back")
