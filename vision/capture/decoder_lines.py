"""What the decoders of pictures write to the standard error: counted, and kept from the log.

FFmpeg and libjpeg say a line or more of each picture that arrived broken, hundreds a minute.
"""

import fcntl
import os
import re
import sys
from collections import deque
from typing import Final

OF_A_DECODER: Final = re.compile(
    rb"\[(mjpeg|h264|hevc|mpeg4) @ 0x|\s*Last message repeated|Corrupt JPEG data"
    rb"|Premature end of JPEG|Not a JPEG file|Invalid JPEG file|Unsupported marker type"
)
JUDGED: Final = 50
"""Of so many pictures more than half must be broken for their camera to be named."""


class DecoderLines:
    """Holds the standard error of this process until it is closed.

    name: what people call the camera, which is named once if it gives mostly broken pictures.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_named = False
        self._broken: deque[bool] = deque(maxlen=JUDGED)
        self._held = os.memfd_create("decoder lines")
        fcntl.fcntl(self._held, fcntl.F_SETFL, os.O_APPEND)  # also once it has been emptied
        sys.stderr.flush()
        self._log = os.dup(2)
        os.dup2(self._held, 2)

    def heard(self) -> bool:
        """Return whether a decoder has complained since the last call; pass other lines on."""
        size = os.fstat(self._held).st_size
        if not size:
            return False
        lines = os.pread(self._held, size, 0).splitlines(keepends=True)
        os.ftruncate(self._held, 0)
        others = [line for line in lines if not OF_A_DECODER.match(line)]
        if others:
            os.write(self._log, b"".join(others))
        return len(others) < len(lines)

    def note(self, *, is_broken: bool) -> None:
        """Count a picture, and name the camera if most of its pictures are broken."""
        self._broken.append(is_broken)
        if not self._is_named and len(self._broken) == JUDGED and 2 * sum(self._broken) > JUDGED:
            self._is_named = True
            line = (
                f"tiki: {self._name} gives mostly broken pictures; check its cable or its Wi-Fi\n"
            )
            os.write(self._log, line.encode())

    def close(self) -> None:
        """Give the standard error back."""
        sys.stderr.flush()
        self.heard()
        os.dup2(self._log, 2)
        os.close(self._log)
        os.close(self._held)
