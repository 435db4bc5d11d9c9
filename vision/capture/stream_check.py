"""Whether a stream gives a picture: `python -m vision.capture.stream_check ADDRESS` prints a line.

`tiki doctor` runs it in a process of its own, since opening a stream may take its time.
"""

import sys
import time

from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.live_camera import LiveCamera
from vision.capture.preview_frame import PreviewFrame


def main() -> int:
    """Return 0 if the stream that the first argument names gives a picture, else 1."""
    began_s = time.monotonic()
    camera = LiveCamera(DeviceSettings("video", sys.argv[1]))
    shots = camera.shots()
    shot = next(shots)
    try:
        if not isinstance(shot, PreviewFrame):
            print(shot)
            return 1
        height, width, _ = shot.fetch().picture.shape
    except CameraLost as error:
        print(error)
        return 1
    finally:
        camera.close()
    print(f"{width} x {height} pixels after {time.monotonic() - began_s:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
