"""Cards that are cut from photographs are whole, alone, and told apart into two halves."""

import json
from pathlib import Path

import cv2
import numpy as np

from rendering.black_cards import SIZE_PX
from rendering.drawn import COLOURS, Design, draw_card
from training.card_transplants import HALVES, cut_card, cut_half
from vision.capture.frame import Picture

GROUND = 30


def photograph(symbol: str, colour: str) -> Picture:
    """Return a card lying askew on a dark mat."""
    card = draw_card(symbol, COLOURS[colour], Design(), np.random.default_rng(2))
    high, wide = card.shape[:2]
    ends = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    quad = np.array([[180, 60], [420, 90], [380, 450], [140, 420]], np.float32)
    move = cv2.getPerspectiveTransform(ends, quad)
    mat = np.full((500, 560, 3), GROUND, np.uint8)
    cv2.warpPerspective(card, move, (560, 500), dst=mat, borderMode=cv2.BORDER_TRANSPARENT)
    return mat


def test_a_card_is_cut_out_upright_and_without_its_ground() -> None:
    """White border, coloured panel; what is beyond its round corners is left out."""
    card = cut_card(photograph("7", "red"))
    assert card is not None
    assert card.shape == (SIZE_PX[1], SIZE_PX[0], 4)
    mask = card[..., 3] > 0
    assert not mask[[0, 0, -1, -1], [0, -1, 0, -1]].any()
    assert mask.mean() > 0.93
    inner = cv2.erode(card[..., 3], np.ones((7, 7), np.uint8)) > 0
    assert (card[mask & ~inner][:, :3].min(axis=1) > 2 * GROUND).mean() > 0.99
    blue, _, red = card[40, SIZE_PX[0] // 2 - 60, :3].astype(int)
    assert red > 2 * blue


def test_nothing_is_cut_from_an_empty_mat() -> None:
    """Nor is a guess made where no outline is a card's."""
    assert cut_card(np.full((300, 400, 3), GROUND, np.uint8)) is None


def test_halves_share_no_card(tmp_path: Path) -> None:
    """What is developed with does not judge; cards that are not of the deck keep that name."""
    cards = [("red", "1"), ("blue", "5"), ("green", "draw2"), ("yellow", "skip"), ("red", "9")]
    lines = []
    for number, (colour, symbol) in enumerate(cards):
        drawn = symbol if symbol != "draw2" else "plus"
        cv2.imwrite(str(tmp_path / f"{number}.png"), photograph(drawn, colour))
        lines.append(json.dumps({"file": f"{number}.png", "color": colour, "symbol": symbol}))
    (tmp_path / "labels.jsonl").write_text("\n".join(lines), "utf-8")
    named = [[(card.colour, card.symbol) for card in cut_half(tmp_path, half)] for half in HALVES]
    assert named[0] == [("red", "1"), ("green", "other"), ("red", "9")]
    assert named[1] == [("blue", "5"), ("yellow", "skip")]
