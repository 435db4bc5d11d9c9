"""Every reader on every kind of file: a picture, or one line that says why it is none."""

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.cli import main
from companion.table.reader_opening import read_standalone
from tests.readings import (
    GAMES,
    as_truth,
    assert_honest,
    encode,
    path_of,
    picture_of,
    see,
    taught,
    truth_of,
)
from vision.capture.frame import BadPicture, Frame, Picture, decode
from vision.observation import Status

STARTS: Final = (
    b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\x90\x01\x00\x00WEBPVP8 ", b"BM",
    b"II*\x00", b"MM\x00*",
)  # fmt: skip
"""How files of several kinds begin."""
NOISE: Final = 3.0
"""What storing a picture once more may change, on the average; of 255."""
ORIENTATIONS: Final = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a picture must be stored for each EXIF orientation to turn it upright again."""


def store(kind: str, picture: Picture, **options: Any) -> bytes:
    """Return the picture as Pillow stores it; mode: the colour model, frames: how many of them."""
    mode, frames = options.pop("mode", "RGB"), options.pop("frames", 1)
    image = Image.fromarray(np.ascontiguousarray(picture[..., ::-1])).convert(mode)
    file = io.BytesIO()
    if frames > 1:
        others = [image.rotate(10.0 * number) for number in range(1, frames)]
        options |= {"save_all": True, "append_images": others}
    image.save(file, kind, **options)
    return file.getvalue()


def turned(picture: Picture, orientation: int) -> bytes:
    """Return the picture stored turned, and a note in the EXIF header how to turn it back."""
    image = Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    turn, exif = ORIENTATIONS[orientation], Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    (image if turn is None else image.transpose(turn)).save(file, "JPEG", quality=92, exif=exif)
    return file.getvalue()


GOOD_FILES: Final[Mapping[str, Callable[[Picture], bytes]]] = {
    "jpeg": lambda picture: encode(".jpg", picture),
    "cmyk jpeg": lambda picture: store("JPEG", picture, mode="CMYK", quality=92),
    "grey jpeg": lambda picture: store("JPEG", picture, mode="L"),
    "progressive jpeg": lambda picture: store("JPEG", picture, progressive=True, quality=90),
    "16-bit png": lambda picture: encode(".png", picture.astype(np.uint16) * 257),
    "png with alpha": lambda picture: store("PNG", picture, mode="RGBA"),
    "black and white png": lambda picture: store("PNG", picture, mode="1"),
    "animated webp": lambda picture: store("WEBP", picture, frames=2, quality=90),
    "animated png": lambda picture: store("PNG", picture, frames=2),
    "16-bit tiff": lambda picture: encode(".tiff", picture.astype(np.uint16) * 257),
}


@pytest.mark.parametrize("make", GOOD_FILES.values(), ids=GOOD_FILES.keys())
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["[tiki_topple"])
def test_any_kind_of_file_is_read_truly_or_not_at_all(
    game: str, make: Callable[[Picture], bytes]
) -> None:
    """Colour models, depths, and the first of several frames."""
    picture = decode(make(picture_of(game)), "file")
    assert picture.shape == picture_of(game).shape
    assert_honest(see(game, picture), truth_of(game))


def test_a_picture_stored_turned_is_decoded_like_any_other() -> None:
    """Whichever way the camera's file was stored, what is left to tell them apart is JPEG's."""
    upright = picture_of("tippi_toppi")
    for orientation in ORIENTATIONS:
        picture = decode(turned(upright, orientation), "turned")
        assert picture.shape == upright.shape
        assert cv2.absdiff(picture, upright).mean() < NOISE, orientation
    observation = see("tippi_toppi", picture)
    assert observation.status is Status.OK
    assert_honest(observation, truth_of("tippi_toppi"))


def bad_files() -> dict[str, bytes]:
    """Return files that give no picture, by name."""
    whole = picture_of("tiki_topple")
    cut = {
        f"cut.{kind}": encode(f".{kind}", whole)[:-5000]
        for kind in ("jpg", "png", "webp", "bmp", "tiff")
    }
    gif, bomb = io.BytesIO(), io.BytesIO()
    Image.fromarray(whole).save(gif, "GIF")  # OpenCV writes none before 4.12
    Image.new("1", (10000, 10000)).save(bomb, "PNG")
    return {
        **cut,
        "cut.gif": gif.getvalue()[:-5000],
        "empty.jpg": b"",
        "text.jpg": b"no picture\n" * 40,
        "drawing.png": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "bomb.png": bomb.getvalue(),
        "palette.png": store("PNG", whole, mode="P"),
        "animated.gif": store("GIF", whole, frames=2),
    }


def test_what_is_no_picture_is_unreadable_and_the_rest_is_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One JSON line each, exit status 1, one line of ours on stderr and none of the libraries'."""
    files = bad_files()
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "session.json").write_text("[]")
    (tmp_path / "good.jpg").write_bytes(path_of("tippi_toppi").read_bytes())
    assert main(["read", *(str(tmp_path / name) for name in (*files, "folder", "good.jpg"))]) == 1
    said = capfd.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["status"] for line in lines] == ["unreadable"] * len(files) + ["ok"]
    assert len(said.err.splitlines()) == len(files) + 1
    assert all(line.startswith("tiki: ") for line in said.err.splitlines())


def decode_or_say(encoded: bytes) -> Picture | None:
    """Return the picture in a file, or None, having checked that one line says why not."""
    try:
        return decode(encoded, "damaged")
    except BadPicture as error:
        said = str(error)
    assert said.startswith("damaged: ")
    assert "\n" not in said
    return None


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)
@given(damage=st.lists(st.tuples(st.floats(0.0, 1.0), st.integers(0, 255)), max_size=8))
@pytest.mark.slow(keep=["tiki_topple"])
def test_damaged_files_give_a_picture_or_one_line(
    game: str, damage: list[tuple[float, int]]
) -> None:
    """Bytes changed anywhere, header included: decoded and answered, or BadPicture.

    A JPEG has no check sum: what it decodes to may be another table, so that the reading's truth is
    not asked for.
    """
    encoded = bytearray(path_of(game).read_bytes())
    for place, value in damage:
        encoded[int(place * (len(encoded) - 1))] = value
    picture = decode_or_say(bytes(encoded))
    if picture is None:
        return
    frame = Frame("damaged", picture, 0.0)
    for observation in (taught(game).read(frame), read_standalone(frame)):
        assert_honest(observation, as_truth(observation.reading))


@settings(max_examples=100)
@given(content=st.binary(max_size=400), start=st.sampled_from((b"", *STARTS)))
def test_any_bytes_give_a_picture_or_one_line(content: bytes, start: bytes) -> None:
    """Also those that open as a JPEG, PNG, GIF, WebP, BMP or TIFF does."""
    picture = decode_or_say(start + content)
    assert picture is None or picture.ndim == 3
