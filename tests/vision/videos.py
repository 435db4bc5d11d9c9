"""Video files of grey pictures."""

from pathlib import Path

import cv2
import numpy as np


def write_video(path: Path, levels: tuple[int, ...] = (40, 200), rate_hz: float = 10) -> str:
    """Write a video of grey pictures, and return where it is."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate_hz, (64, 48))
    for level in levels:
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return str(path)
