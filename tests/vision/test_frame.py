"""Picture files: good ones, and every way in which one can be bad."""

from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from PIL.JpegImagePlugin import get_sampling

from tests.vision.sessions import FRAMES
from vision.capture.frame import BadPicture, decode, encode, load_frame

PICTURE = FRAMES / "s01" / "003.jpg"
MAX_COLOUR_ERROR = 1.5
"""In levels; with one colour for each four pixels it is 6."""


def test_a_frame_bears_its_files_name() -> None:
    """The frame knows its file's name, its time, and holds three channels of bytes."""
    frame = load_frame(PICTURE, taken_s=4.5)
    assert (frame.name, frame.taken_s) == ("003.jpg", 4.5)
    assert frame.picture.shape == (576, 1024, 3)
    assert frame.picture.dtype == np.uint8


def test_a_missing_file_is_named() -> None:
    """The message says which file, what is wrong and what to do."""
    with pytest.raises(BadPicture, match=r"nowhere\.jpg: No such file or directory; check"):
        load_frame("nowhere.jpg")


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    """A path that cannot be read is an error of the picture, not of the program."""
    with pytest.raises(BadPicture, match="Is a directory"):
        load_frame(tmp_path)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99, 0.9999])
def test_a_jpeg_that_breaks_off_is_unreadable(tmp_path: Path, share: float) -> None:
    """OpenCV would return half a picture with grey below: that must never be read."""
    encoded = PICTURE.read_bytes()
    path = tmp_path / "half.jpg"
    path.write_bytes(encoded[: int(len(encoded) * share)])
    with pytest.raises(BadPicture, match="is incomplete"):
        load_frame(path)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\xff\xd8\xff\xd9", b"\x89PNG\r\n"])
def test_what_is_no_picture_is_unreadable(tmp_path: Path, content: bytes) -> None:
    """Empty files, text and bare markers give one line each."""
    path = tmp_path / "no.jpg"
    path.write_bytes(content)
    with pytest.raises(BadPicture) as caught:
        load_frame(path)
    assert "\n" not in str(caught.value)
    assert "no.jpg" in str(caught.value)


def test_padding_after_a_jpeg_is_harmless(tmp_path: Path) -> None:
    """Some cameras fill the file's last block with zeros."""
    path = tmp_path / "padded.jpg"
    path.write_bytes(PICTURE.read_bytes() + bytes(512))
    assert load_frame(path).picture.shape == (576, 1024, 3)


def test_a_thumbnails_end_does_not_hide_a_broken_picture(tmp_path: Path) -> None:
    """An end marker early in the file, of a thumbnail, is not the picture's end."""
    encoded = PICTURE.read_bytes()
    thumbnail = b"\xff\xe1" + (2 + 40).to_bytes(2, "big") + b"\xff\xd8" + bytes(36) + b"\xff\xd9"
    path = tmp_path / "half.jpg"
    path.write_bytes(encoded[:2] + thumbnail + encoded[2 : len(encoded) // 2])
    with pytest.raises(BadPicture, match="is incomplete"):
        load_frame(path)


def test_a_picture_is_turned_upright(tmp_path: Path) -> None:
    """A camera mounted sideways says so in the EXIF header; orientation 6 is a quarter turn."""
    exif = (
        b"Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"
        b"\x00\x06\x00\x00\x00\x00\x00\x00"
    )
    encoded = PICTURE.read_bytes()
    header = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    path = tmp_path / "sideways.jpg"
    path.write_bytes(encoded[:2] + header + encoded[2:])
    assert load_frame(path).picture.shape == (1024, 576, 3)


def test_a_grey_png_becomes_three_channels(tmp_path: Path) -> None:
    """Whatever was stored, a frame has blue, green and red."""
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((20, 30), 77, np.uint8))
    assert load_frame(path).picture.shape == (20, 30, 3)


def test_a_picture_that_is_kept_has_a_colour_for_each_pixel() -> None:
    """The middle of a small red square keeps its own, wherever the square lies."""
    red, worst = np.array((40, 40, 200)), 0.0
    for at in range(24, 40):
        picture = np.full((80, 80, 3), (60, 140, 60), np.uint8)
        picture[at : at + 16, at : at + 16] = red
        middle = decode(encode(picture, 90), "kept")[at + 6 : at + 10, at + 6 : at + 10]
        worst = max(worst, float(np.abs(middle.reshape(-1, 3).mean(0) - red).max()))
    assert worst <= MAX_COLOUR_ERROR


def test_a_kept_picture_is_scaled_down_to_a_width() -> None:
    """Only if it is wider; its header says 4:4:4."""
    picture = load_frame(PICTURE).picture
    for width_px, found in ((None, 1024), (2000, 1024), (256, 256)):
        with Image.open(BytesIO(encode(picture, 75, width_px))) as image:
            assert image.size[0] == found
            assert get_sampling(image) == 0
