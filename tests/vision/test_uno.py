"""The reader of UNO Tiki's table, and single cards: recorded pictures, and cards drawn here."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rendering.drawn import COLOURS, Design, draw_card, draw_tiki_card
from tests.vision.judging import assert_all_read, assert_never_wrong, assert_unsettled
from tests.vision.tables import (
    CLOSE_DEG,
    UNO,
    Shot,
    busy_shots,
    calibrated_reader,
    new_reader,
    settled_shots,
    shots_of,
)
from training.card_transplants import crop_outlines
from vision.calibration import BadCalibration
from vision.capture.frame import Frame, Picture
from vision.cards.acceptance import MAX_RIVAL_PROBABILITY, MIN_CARD_PROBABILITY, is_accepted
from vision.cards.card_corners import locate_cards
from vision.cards.card_photo import read_card
from vision.cards.colours import chromaticity
from vision.cards.discard_reader import UnoReader
from vision.cards.symbol_fusion import SYMBOLS_OF_COLOURS, fuse_symbols
from vision.cards.symbols import NINE, OTHER, SIX, SYMBOLS, SymbolPatch, classify_symbols
from vision.cards.uno_card import MIN_WOOD_COSINE, WOOD_COLOUR, classify_card, classify_printed
from vision.observation import HIDDEN, Observation, Pointing, Reason, Status

PRINTS: Final = {
    "outlined": Design(style="outlined", symbol=30.0, corner=11.0, corner_inset=10.0),
    "filled": Design(style="filled", symbol=32.0, corner=8.0, arrow_turn_deg=40.0, bold=0.03),
}


@pytest.mark.parametrize("table", UNO)
def test_every_settled_picture_is_read(table: str) -> None:
    """Cards at any angle, glare and hands beside the table do not disturb a reading."""
    for observation in assert_all_read(calibrated_reader(table), settled_shots(table)):
        assert len(observation.places) == 2


@pytest.mark.parametrize("table", UNO)
def test_a_hand_over_the_table_is_never_read(table: str) -> None:
    """A hand over the discard pile or at the idol's arm makes the picture unsettled."""
    assert_unsettled(calibrated_reader(table), busy_shots(table))


def test_a_hand_at_the_idol_is_a_hand() -> None:
    """In this picture nothing is covered but the tip of the idol's arm."""
    shot = busy_shots("uno_tiki_s02")[0]
    observation = calibrated_reader("uno_tiki_s02").read(shot.frame)
    assert observation.reason is Reason.HAND
    assert observation.places[0].best == "green-3"
    assert observation.places[1].best == HIDDEN
    assert observation.doubtful == (1,)


def test_the_judge_notices_a_wrong_card_and_a_wrong_angle() -> None:
    """The judging helper fails on another card, on a missed spiral and beyond 5 degrees."""
    shot, reader = settled_shots(UNO[0])[0], calibrated_reader(UNO[0])
    for key, value in (("color", "blue"), ("symbol", "7"), ("spin", True)):
        truth = copy.deepcopy(shot.truth)
        truth["discard"][key] = value
        with pytest.raises(AssertionError, match="is wrong"):
            assert_never_wrong(reader, [replace(shot, truth=truth)], read_at_least=0)
    turned = {**shot.truth, "idol_deg": shot.truth["idol_deg"] + 9.0}
    with pytest.raises(AssertionError, match="is wrong"):
        assert_never_wrong(reader, [replace(shot, truth=turned)], read_at_least=0)


def test_without_calibration_the_idol_is_not_read() -> None:
    """The arm's colour must have been seen once; the card is evidence nevertheless."""
    shot = settled_shots("uno_tiki_s03")[0]
    observation = new_reader("uno_tiki_s03").read(shot.frame)
    assert observation.status is Status.UNSETTLED
    assert observation.reason is Reason.UNCLEAR
    assert observation.places[0].best == "green-9"
    assert observation.places[1].best == HIDDEN


def apart_deg(shot: Shot, observation: Observation) -> float:
    """Return how far from the truth the idol is said to point; fails if nothing is said."""
    (fact,) = observation.facts
    assert isinstance(fact, Pointing)
    true_deg: float = shot.truth["idol_deg"]
    return abs((fact.deg - true_deg + 180.0) % 360.0 - 180.0)


@pytest.mark.parametrize("table", UNO)
def test_a_spin_teaches_what_the_arm_looks_like(table: str) -> None:
    """Nobody said where it points: of all that lies around the idol, its arm alone has moved."""
    reader, (first, *others) = new_reader(table), settled_shots(table)
    assert reader.read(first.frame).facts == ()
    taught = [shot for shot in others if reader.read(shot.frame).facts]
    assert len(taught) >= len(others) - 2
    for shot in settled_shots(table):
        observation = reader.read(shot.frame)
        assert observation.status is Status.OK
        assert apart_deg(shot, observation) <= CLOSE_DEG


def test_nothing_is_learned_of_an_arm_that_has_not_turned() -> None:
    """Nor from dimmer light."""
    reader, first = new_reader("uno_tiki_s01"), settled_shots("uno_tiki_s01")[0]
    dim = np.asarray(first.frame.picture * 0.7, np.uint8)
    for number, picture in enumerate((first.frame.picture, first.frame.picture, dim)):
        frame = replace(first.frame, name=f"{number}.jpg", picture=picture)
        assert reader.read(frame).facts == ()


def photograph_on_mat(card: Picture, turn_deg: float, lean: float, dim: float) -> Picture:
    """Return a photograph of *card* on a dark mat, turned, seen from the side, in dim light."""
    height, width = card.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = np.radians(turn_deg)
    turned = (corners - (width / 2, height / 2)) @ np.array(
        [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    )
    seen = turned / (1.0 + lean * turned[:, 1:] / height) + 300.0
    move = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    photo = np.full((600, 600, 3), (40, 46, 52), np.uint8)
    laid = cv2.warpPerspective(card, move, (600, 600), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), move, (600, 600))
    photo = np.where(mask[..., None] > 127, laid, photo)
    grain = np.random.default_rng(5).normal(0.0, 4.0, photo.shape)
    return np.clip(photo * dim + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("style", PRINTS)
def test_both_prints_are_named(style: str) -> None:
    """Outlined ovals with white symbols and filled ovals with coloured ones, in all colours."""
    random = np.random.default_rng(3)
    for number, symbol in enumerate([*"0123456789", "skip", "reverse"]):
        name, colour = list(COLOURS.items())[number % len(COLOURS)]
        card = draw_card(symbol, colour, PRINTS[style], random, upside_down=number % 2 == 1)
        reading = read_card(photograph_on_mat(card, 25.0 * number, 0.1, 0.75)).reading
        assert reading is not None, (name, symbol)
        assert (reading.color, reading.symbol) == (name, symbol)


@pytest.mark.parametrize("style", PRINTS)
def test_cards_of_no_game_of_ours_stay_unknown(style: str) -> None:
    """A card that makes draw two, a back and a blank are nothing that UNO Tiki knows."""
    random = np.random.default_rng(4)
    signs = ("draw2", "plus", "letter", "blank")
    for symbol, colour in zip(signs, COLOURS.values(), strict=True):
        card = draw_card(symbol, colour, PRINTS[style], random)
        assert read_card(photograph_on_mat(card, 10.0, 0.1, 0.75)).reading is None, symbol


def test_a_card_that_is_located_a_quarter_turned_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is seen from its short side has no side that is plainly the longer one."""
    card = draw_card("7", COLOURS["blue"], PRINTS["outlined"], np.random.default_rng(3))
    seen = photograph_on_mat(card, 30.0, 0.1, 0.75)
    (quad,) = islice(locate_cards(seen), 1)
    turned = replace(quad, corners=np.roll(quad.corners, 1, axis=0))
    monkeypatch.setattr("vision.cards.card_photo.locate_cards", lambda _: iter([turned]))
    reading = read_card(seen).reading
    assert reading is not None
    assert (reading.color, reading.symbol) == ("blue", "7")


@pytest.mark.parametrize(
    ("corners", "believed"), [((0.99, 0.97), False), ((0.99, 0.5), True), ((0.5, 0.5), True)]
)
def test_a_sign_that_neither_corner_knows_is_not_believed(
    corners: tuple[float, float], believed: bool
) -> None:
    """A big T may look like a 1; one worn corner does not make a card foreign, though."""
    named = np.zeros((3, len(SYMBOLS)))
    named[:, SYMBOLS.index(OTHER)] = (0.2, *corners)
    named[:, SYMBOLS.index("1")] = 1.0 - named[:, SYMBOLS.index(OTHER)]
    assert (fuse_symbols(named)["1"] > MIN_CARD_PROBABILITY) is believed


@pytest.mark.parametrize(("sign", "named"), [("6", True), ("letter", False)])
def test_all_of_the_card_tells_what_is_not_plain_in_its_places(
    monkeypatch: pytest.MonkeyPatch, sign: str, named: bool
) -> None:
    """A 6 without its line may be a 9; a sign of another game stays one."""
    card = draw_card(sign, COLOURS["red"], PRINTS["outlined"], np.random.default_rng(3))
    (crop,) = islice(crop_outlines(photograph_on_mat(card, 0.0, 0.0, 0.75)), 1)
    monkeypatch.setattr(
        "vision.cards.uno_card.classify_printed",
        lambda _: {**dict.fromkeys(SYMBOLS_OF_COLOURS, 0.0), "6": 0.7, "9": 0.24},
    )
    assert is_accepted(classify_card(crop)) is named


@pytest.mark.parametrize(("symbol", "looks"), [("7", 1), ("6", 2)])
def test_corners_are_looked_at_where_the_centre_may_be_upside_down(
    monkeypatch: pytest.MonkeyPatch, symbol: str, looks: int
) -> None:
    """What is the same upside down, or no other sign, needs no second look."""
    card = draw_card(symbol, COLOURS["blue"], PRINTS["outlined"], np.random.default_rng(3))
    (crop,) = islice(crop_outlines(photograph_on_mat(card, 0.0, 0.0, 0.75)), 1)
    seen: list[int] = []

    def classify(patches: Sequence[SymbolPatch]) -> NDArray[np.float64]:
        seen.append(len(patches))
        return classify_symbols(patches)

    monkeypatch.setattr("vision.cards.uno_card.classify_symbols", classify)
    symbols = classify_printed(crop)
    assert max(symbols, key=symbols.__getitem__) == symbol
    assert len(seen) == looks


@pytest.mark.parametrize("colour", [(20, 105, 110), (140, 30, 45), (235, 190, 40)])
def test_a_tiki_face_is_named(colour: tuple[int, int, int]) -> None:
    """On whatever ground the wooden face is printed."""
    reading = read_card(photograph_on_mat(draw_tiki_card(colour), -20.0, 0.1, 0.75)).reading
    assert reading is not None
    assert (reading.color, reading.symbol) == ("wild", "tiki")


@pytest.mark.parametrize("ground", [(55, 70, 60), (190, 165, 40)])
def test_a_face_of_dark_wood_or_on_a_dark_ground_is_named_on_the_pile(
    ground: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of the card tells it, where the usual wood or a coloured ground does not."""
    card = draw_tiki_card(ground)
    card[(card == (55, 125, 205)).all(axis=2)] = (38, 55, 95)
    seen = photograph_on_mat(card, -20.0, 0.1, 0.75)
    assert classify_outlined(seen) == "wild tiki"
    monkeypatch.setattr("vision.cards.uno_card.MIN_FACE_PROBABILITY", 1.1)
    assert classify_outlined(seen) != "wild tiki"


def classify_outlined(picture: Picture) -> str:
    """Return what the card with a white border in *picture* is most likely."""
    (evidence,) = (classify_card(crop) for crop in islice(crop_outlines(picture), 1))
    return evidence.best


def test_a_tiki_face_is_named_on_overexposed_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then wood looks yellower than it is, by as much as paper is brighter than it seems."""
    monkeypatch.setattr("vision.cards.uno_card.MIN_FACE_PROBABILITY", 1.1)  # by its wood alone
    seen = photograph_on_mat(draw_tiki_card((80, 200, 60)), -20.0, 0.1, 1.35)
    assert classify_outlined(seen) == "wild tiki"
    monkeypatch.setattr("vision.cards.uno_card.LOG_OVEREXPOSURES", (0.0,))
    assert classify_outlined(seen) == HIDDEN


def test_a_fat_sign_in_the_panels_colour_is_no_face_of_wood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lamp that overexposes paper and yellow makes both brownish; a face is browner than that."""
    card = np.full((348, 224, 3), 250, np.uint8)
    yellow = (50, 185, 225)
    card[13:-13, 13:-13] = yellow
    cv2.ellipse(card, (112, 174), (66, 122), 20, 0, 360, (250, 250, 250), -1)
    for left in (84, 140):
        cv2.circle(card, (left, 174), 46, yellow, -1)
        cv2.circle(card, (left, 174), 10, (250, 250, 250), -1)
    seen = photograph_on_mat(card, -20.0, 0.1, 1.35)
    assert classify_outlined(seen) == HIDDEN
    monkeypatch.setattr(
        "vision.cards.uno_card._is_wood",
        lambda seen, _: chromaticity(seen) @ chromaticity(WOOD_COLOUR) > MIN_WOOD_COSINE,
    )
    assert classify_outlined(seen) == "wild tiki"


def draw_wild_card(black: tuple[int, int, int]) -> Picture:
    """Return a card of a wild, whose black looks so, blue green red."""
    card = np.full((348, 224, 3), 250, np.uint8)
    card[13:-13, 13:-13] = black
    for quarter, colour in enumerate(
        ((40, 50, 215), (50, 190, 240), (60, 165, 70), (190, 110, 30))
    ):
        begin, end = 90 * quarter, 90 * quarter + 90
        for middle, axes in (((112, 174), (66, 122)), ((33, 41), (12, 20)), ((191, 307), (12, 20))):
            cv2.ellipse(card, middle, axes, 20, begin, end, colour, -1)
    return card


@pytest.mark.parametrize("black", [(20, 20, 22), (88, 109, 133)])
def test_a_wild_is_named_however_dim_lamps_tinge_its_black(black: tuple[int, int, int]) -> None:
    """Black ink in a warm, dim lamp is brown; with the four colours on it, it is a wild still."""
    reading = read_card(photograph_on_mat(draw_wild_card(black), 15.0, 0.1, 0.75)).reading
    assert reading is not None
    assert (reading.color, reading.symbol) == ("wild", "wild")


@pytest.mark.parametrize("style", PRINTS)
def test_a_covered_symbol_is_never_misread(style: str) -> None:
    """A finger over the middle of the card makes it unknown, or it is read rightly."""
    random = np.random.default_rng(6)
    for number, symbol in enumerate("02468" if style == "filled" else "13579"):
        name = list(COLOURS)[number % 4]
        card = draw_card(symbol, COLOURS[name], PRINTS[style], random)
        tip = (112 + int(random.integers(-25, 25)), 174 + int(random.integers(-30, 30)))
        cv2.line(card, (224, 348), tip, (90, 120, 170), 60)
        reading = read_card(photograph_on_mat(card, 5.0, 0.0, 0.9)).reading
        assert reading is None or (reading.color, reading.symbol) == (name, symbol)


@pytest.mark.parametrize("deg", [None, "north", True])
def test_no_calibration_without_an_angle(deg: Any) -> None:
    """Only an angle tells where the arm is."""
    with pytest.raises(BadCalibration, match="it must be an angle"):
        UnoReader().calibrate(shots_of(UNO[0])[0].frame, {"idol_deg": deg})


def test_no_calibration_where_the_arm_is_not() -> None:
    """A wrong angle is noticed, and so are a missing mat and a covered card."""
    first = shots_of("uno_tiki_s01")[0]
    reader = new_reader("uno_tiki_s01")
    with pytest.raises(BadCalibration, match="turn the idol"):
        reader.calibrate(first.frame, {**first.truth, "idol_deg": 90.0})
    blank = Frame("blank.jpg", np.zeros((90, 160, 3), np.uint8), 0.0)
    with pytest.raises(BadCalibration, match="uncover all four"):
        reader.calibrate(blank, first.truth)
    with pytest.raises(BadCalibration, match="uncover it"):
        reader.calibrate(busy_shots("uno_tiki_s01")[0].frame, first.truth)


def test_a_stretched_picture_tells_no_angle() -> None:
    """Made narrower, the picture shows the arm, which stands high, where it does not point."""
    for table in UNO:
        for shot in settled_shots(table):
            stretched = cv2.resize(shot.frame.picture, None, fx=1.0, fy=1.09)
            reader = calibrated_reader(table)
            altered = shot.altered(np.asarray(stretched, np.uint8))
            assert_never_wrong(reader, [altered], read_at_least=0)


def test_a_certain_middle_needs_no_corner() -> None:
    """Small arrows, out of focus, are nothing that could be named."""
    named = np.full((3, len(SYMBOLS)), 0.001)
    named[0, SYMBOLS.index("reverse")] = 0.986
    named[1:, SYMBOLS.index(OTHER)] = 0.986
    assert fuse_symbols(named)["reverse"] > MIN_CARD_PROBABILITY
    named[0, [SYMBOLS.index("reverse"), SYMBOLS.index(OTHER)]] = 0.95, 0.04
    assert max(fuse_symbols(named).values()) == 0.0


def test_what_may_be_a_hint_in_a_corner_settles_no_middle() -> None:
    """A 7 that looks a little like a 1 leaves a stroke in a dim corner that looks like one too."""
    named = np.full((3, len(SYMBOLS)), 0.002)
    one, seven = SYMBOLS.index("1"), SYMBOLS.index("7")
    named[0, [one, seven]] = 0.884, 0.088
    named[1, [SYMBOLS.index("reverse"), one]] = 0.82, 0.01
    named[2, [one, SYMBOLS.index(OTHER)]] = 0.66, 0.08
    assert fuse_symbols(named)["7"] > MAX_RIVAL_PROBABILITY
    named[1:, one] = 0.95
    assert fuse_symbols(named)["7"] < MAX_RIVAL_PROBABILITY


@pytest.mark.parametrize(("middle", "told"), [("9", True), (NINE, False)])
def test_a_line_tells_a_nine_where_both_corners_are_unreadable(middle: str, told: bool) -> None:
    """Without line and corners, it stays open whether it is a 6 that lies upside down."""
    named = np.full((3, len(SYMBOLS)), 0.001)
    named[0, SYMBOLS.index(middle)] = 0.98
    named[1:, SYMBOLS.index(OTHER)] = 0.85
    likely = fuse_symbols(named)
    assert (likely["9"] > MIN_CARD_PROBABILITY and likely["6"] < MAX_RIVAL_PROBABILITY) is told


def test_a_digit_without_its_line_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heavy 5, upside down, may pass for a 9 that lacks its line; hardly any deck prints such."""
    named = np.zeros((3, len(SYMBOLS)))
    five, six, nine = (SYMBOLS.index(name) for name in ("5", SIX, NINE))
    named[0, [nine, five]] = 0.955, 0.045
    named[1:, [six, five]] = 0.65, 0.35
    doubted = fuse_symbols(named)["5"]
    monkeypatch.setattr("vision.cards.symbol_fusion.UNLINED_PRIOR", 1.0)
    assert doubted > 0.05 > fuse_symbols(named)["5"]
