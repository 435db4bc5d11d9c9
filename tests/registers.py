"""Registered cards and photographs of them for tests."""

from functools import cache
from typing import Final

import cv2
import numpy as np

from rendering.lookalikes import draw_lookalikes
from rendering.prints import draw_ground
from training.hand_rehearsal import list_judging
from vision.capture.frame import Picture

COUNT: Final = 4


@cache
def draw_cards() -> tuple[Picture, ...]:
    """Return a few cards of one designer."""
    random = np.random.default_rng(8)
    cards = draw_lookalikes(random, "faces", COUNT, list_judging(None))
    return tuple(np.asarray(card.picture[..., :3]) for card in cards)


def photograph(number: int, turn_deg: float = 0.0, scale: float = 1.3) -> Picture:
    """Return the photograph of card *number* on a dark table, turned, in warm light."""
    card = draw_cards()[number]
    ground = draw_ground(np.random.default_rng(3), 700, (0.25, 0.18, 0.12), 0.03)
    move = cv2.getRotationMatrix2D((card.shape[1] / 2, card.shape[0] / 2), turn_deg, scale)
    move[:, 2] += 350 - np.array(card.shape[1::-1]) // 2
    laid = cv2.warpAffine(card, move, (700, 700), flags=cv2.INTER_AREA)
    mask = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), move, (700, 700))
    ground[mask > 127] = laid[mask > 127]
    warm = ground.astype(np.float32) * np.array([0.85, 0.95, 1.0], np.float32)
    return np.asarray(cv2.GaussianBlur(warm, (0, 0), 0.8), np.uint8)


def encode(picture: Picture) -> bytes:
    """Return *picture* as a phone sends it."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
