"""Tables whose sets, lamps and cards no reader was made for, rendered from our own descriptions.

Prints lie right beside the groove, Tikis have other faces, shadows are black; the ovals of cards
touch the border and end near the spirals, as on cards that are sold.
"""

import pytest

from tests.vision import sessions, tables
from tests.vision.judging import assert_all_read, assert_never_wrong
from tests.vision.stress import apply, gain
from vision.line.reader import LineReader
from vision.observation import Status

BLACK_BELOW, TINGED_SHADE = "strange_line_c", "strange_line_d"
HALF_SHADED = "strange_line_e"
LINES = ("strange_line_a", "strange_line_b", BLACK_BELOW, TINGED_SHADE)
CARDS = ("strange_piles", "strange_uno_a", "strange_uno_b")
BLACK_SHADOWS, SHADED_ARM = "strange_uno_c", "strange_uno_d"


@pytest.mark.parametrize("session", LINES)
def test_other_tikis_are_read(session: str) -> None:
    """Two of them are nearly of one colour in this light; their faces differ."""
    assert_all_read(sessions.calibrated_reader(session), sessions.settled_shots(session))


@pytest.mark.parametrize("session", LINES)
def test_a_hand_over_another_board_is_seen(session: str) -> None:
    """What is forgiven to nudged boards and black shadows is not forgiven to an arm."""
    shots = sessions.covered_shots(session)
    assert shots
    for observation in assert_never_wrong(
        sessions.calibrated_reader(session), shots, read_at_least=0
    ):
        assert observation.status is Status.UNSETTLED


@pytest.mark.parametrize("table", CARDS)
def test_cards_parted_by_ovals_are_read(table: str) -> None:
    """Filled or outlined, with and without spirals."""
    assert_all_read(tables.calibrated_reader(table), tables.settled_shots(table))


@pytest.mark.parametrize("table", [*CARDS, BLACK_SHADOWS, SHADED_ARM])
def test_a_hand_over_such_cards_is_seen(table: str) -> None:
    """An arm parts a panel too, but not alike on both sides."""
    shots = tables.busy_shots(table)
    assert shots
    for observation in assert_never_wrong(tables.calibrated_reader(table), shots, read_at_least=0):
        assert observation.status is Status.UNSETTLED


@pytest.mark.parametrize("session", LINES)
def test_other_tikis_are_not_guessed_before_they_were_learned(session: str) -> None:
    """Their paints are the usual ones, but not their faces: the usual line would be a guess."""
    reader = LineReader(sessions.layout_of(session))
    for shot in sessions.shots_of(session):
        assert reader.read(shot.frame).status is Status.UNSETTLED


def test_a_black_shadow_below_the_last_tiki_is_nothing_that_lies_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No wood is as dark, and black has no colour to speak of; but it lies beside its piece."""
    reader, shots = sessions.calibrated_reader(BLACK_BELOW), sessions.settled_shots(BLACK_BELOW)
    assert_all_read(reader, shots)
    monkeypatch.setattr("vision.line.empty_slots.MAX_SHADOW_MM", 0.0)
    assert not any(reader.read(shot.frame).reading for shot in shots)


def test_a_shadow_over_half_an_empty_slot_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of the slot is wood like that below it."""
    reader, shots = sessions.calibrated_reader(HALF_SHADED), sessions.settled_shots(HALF_SHADED)
    assert_all_read(reader, shots)
    monkeypatch.setattr("vision.line.empty_slots.SAME_WOOD_CHROMA", 0.0)
    assert not any(reader.read(shot.frame).reading for shot in shots)


def test_a_shade_of_another_colour_that_has_gone_is_no_arm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window fills the shadows of a warm lamp with blue: without its Tiki a board is yellower."""
    reader, shots = sessions.calibrated_reader(TINGED_SHADE), sessions.settled_shots(TINGED_SHADE)
    assert_all_read(reader, shots)
    monkeypatch.setattr("vision.occlusion.board_background.MAX_SHADOW_TINT", 0.0)
    assert not any(reader.read(shot.frame).reading for shot in shots)


def test_an_idol_that_turns_its_black_shadow_is_no_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """One lamp, and nothing lights what it leaves out: shadows are as black as any sleeve."""
    shots = tables.settled_shots(BLACK_SHADOWS)
    assert_all_read(tables.calibrated_reader(BLACK_SHADOWS), shots)
    monkeypatch.setattr("vision.occlusion.background.SHADOW_LEVEL_FACTOR", 0.0)
    monkeypatch.setattr("vision.occlusion.background.SHADOW_LEVEL_OFFSET", -1.0)
    monkeypatch.setattr("vision.occlusion.background._render_shadows", lambda then, *_: then)
    first, again = tables.shots_of(BLACK_SHADOWS)[0], tables.new_reader(BLACK_SHADOWS)
    again.calibrate(first.frame, first.truth)
    assert not any(again.read(shot.frame).reading for shot in shots)


def test_an_arm_learned_in_the_shade_is_found_in_the_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """The idol's head shaded it when it pointed to the top of the mat."""
    shots, reader = tables.settled_shots(SHADED_ARM), tables.calibrated_reader(SHADED_ARM)
    assert_all_read(reader, shots)
    monkeypatch.setattr("vision.cards.pointer.ILLUMINATION_GAINS", ())
    assert not any(reader.read(shot.frame).reading for shot in shots)


def unknown(*_: object) -> None:
    """Tell nothing of how bright paper is that is overexposed."""


def overexpose(shot: tables.Shot) -> tables.Shot:
    """Return the shot under a lamp whose red is too strong for the camera, and whose blue weak."""
    return shot.altered(apply(gain(0.7, 1.2, 3.0), shot.frame.picture))


def test_a_lamp_that_overexposes_one_colour_is_no_matter_if_cards_were_learned_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As long as it is the same lamp; under another one nobody knows what is pink."""
    first, *others = (overexpose(shot) for shot in tables.shots_of(CARDS[0]))
    reader = tables.new_reader(CARDS[0])
    reader.calibrate(first.frame, first.truth)
    settled = [shot for shot in others if shot.settled]
    assert_all_read(reader, settled)
    assert_never_wrong(reader, others, read_at_least=len(settled))
    assert_never_wrong(tables.calibrated_reader(CARDS[0]), others, read_at_least=2)
    monkeypatch.setattr("vision.photometry.white_reference.MAX_ILLUMINANT_DIFFERENCE", -1.0)
    monkeypatch.setattr("vision.photometry.saturated_white.SaturatedWhite.estimate", unknown)
    again = tables.new_reader(CARDS[0])
    again.calibrate(first.frame, first.truth)
    assert not any(again.read(shot.frame).reading for shot in others)


def test_a_colour_is_named_if_it_is_none_else_however_bright_the_paper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """UNO's colours are not learned; red or blue is told even where the lamp hides how bright."""
    first, *others = (overexpose(shot) for shot in tables.shots_of(CARDS[2]))
    reader = tables.new_reader(CARDS[2])
    reader.calibrate(first.frame, first.truth)
    read = [bool(reader.read(shot.frame).reading) for shot in others]
    assert any(read)
    assert_never_wrong(reader, others, read_at_least=1)
    monkeypatch.setattr("vision.photometry.saturated_white.SaturatedWhite.estimate", unknown)
    assert_never_wrong(reader, others, read_at_least=1)
    monkeypatch.setattr("vision.cards.uno_card.LOG_OVEREXPOSURES", (0.0, 3.0))
    doubted = [bool(reader.read(shot.frame).reading) for shot in others]
    assert sum(doubted) < sum(read)
