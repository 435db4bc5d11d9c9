"""Decoders' lines: kept from the log, which gets all others."""

import contextlib
import os

import pytest

from vision.capture.decoder_lines import JUDGED, DecoderLines

COMPLAINT = b"[mjpeg @ 0x5ff0] overread 8\n    Last message repeated 3 times\n"
CORRUPT = b"Corrupt JPEG data: 2 extraneous bytes before marker 0xd9\n"
OTHER = b"[http @ 0x5ff0] HTTP error 404 Not Found\n"


def test_decoders_are_heard_and_others_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    """Whichever library it is; afterwards all is as before."""
    with contextlib.closing(DecoderLines("camera 0")) as lines:
        assert not lines.heard()
        for said in (COMPLAINT, CORRUPT, OTHER + COMPLAINT):
            os.write(2, said)
            assert lines.heard()
            assert not lines.heard()
        os.write(2, OTHER)
        assert not lines.heard()
        os.write(2, OTHER)
    os.write(2, COMPLAINT)
    assert capfd.readouterr().err.encode() == 3 * OTHER + COMPLAINT


def test_a_camera_is_named_once_and_only_if_most_is_broken(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Every second picture is not most of them."""
    with contextlib.closing(DecoderLines("camera 0")) as lines:
        for number in range(2 * JUDGED):
            lines.note(is_broken=number % 2 == 0)
        assert capfd.readouterr().err == ""
        for _ in range(JUDGED):
            lines.note(is_broken=True)
    assert capfd.readouterr().err.startswith("tiki: camera 0 gives mostly broken pictures; check")
