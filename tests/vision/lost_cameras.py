"""A live camera that is lost: how soon that is named, and when it is back."""

from collections.abc import Iterator

from vision.capture.camera import Shot
from vision.capture.device import CameraLost
from vision.capture.live_camera import LiveCamera
from vision.capture.preview_frame import PreviewFrame

STALLED_S = 2.5
"""For cameras that do stall; a busy computer takes that long to start a process."""


def until_back(
    camera: LiveCamera, frames: int = 3, *, after_a_picture: bool = False
) -> Iterator[Shot]:
    """Yield shots up to the one with which *frames* pictures in a row have come after a loss.

    after_a_picture: whether only a loss after a picture counts; a busy computer may be slow to
        open a camera, and that is named, too.
    """
    was_lost, may_count, row = False, not after_a_picture, 0
    for shot in camera.shots():
        yield shot
        was_lost = was_lost or (may_count and isinstance(shot, CameraLost))
        may_count = may_count or isinstance(shot, PreviewFrame)
        row = row + 1 if isinstance(shot, PreviewFrame) else 0
        if was_lost and row == frames:
            camera.close()
