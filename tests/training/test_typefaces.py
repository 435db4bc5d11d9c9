"""Which typefaces cards are drawn in, and how far they may be thickened."""

import io
import tarfile
from pathlib import Path

import pytest
from PIL import ImageFont

from rendering.typefaces import (
    CLEAR_PX,
    FAMILIES,
    HIGH_PX,
    THICKEST,
    _count_holes,
    fetch_typefaces,
    find_thickest,
    list_typefaces,
    list_unlearned,
    load_typeface,
    unpack_family,
)

pytestmark = pytest.mark.slow


def fetch(folder: Path) -> None:
    """Pretend that one weight of each family has been fetched."""
    for family in FAMILIES:
        (folder / f"{family}-latin-400-normal.woff").touch()


def test_no_family_is_both_learned_from_and_judging(tmp_path: Path) -> None:
    """What judges a network must be strange to it."""
    fetch(tmp_path)
    learned, judging = set(list_typefaces(tmp_path)), set(list_unlearned(tmp_path))
    assert len(judging) == 142
    assert len(learned - set(list_typefaces())) == len(FAMILIES) - 142
    assert not learned & judging


def test_this_machines_own_are_listed_without_a_folder() -> None:
    """Pillow's own letters are always there."""
    assert None in list_typefaces()
    assert all(face is None or Path(face).is_file() for face in list_typefaces())


def test_a_folder_without_typefaces_says_how_to_bring_them(tmp_path: Path) -> None:
    """Training in the machine's typefaces alone would go unnoticed."""
    with pytest.raises(SystemExit, match="no typefaces; python -m rendering"):
        list_unlearned(tmp_path)


def test_digits_are_thickened_as_far_as_what_is_open_stays_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A 3 that closes is an 8, and a ring that fills is none."""

    def count(_: object, stroke_px: int) -> list[int]:
        return [1, 2 if stroke_px > 7 else 0]

    find_thickest.cache_clear()
    assert 0.0 < find_thickest(None) < THICKEST
    monkeypatch.setattr("rendering.typefaces._count_holes", count)
    find_thickest.cache_clear()
    assert find_thickest(None) == (7 - CLEAR_PX) / HIGH_PX
    find_thickest.cache_clear()


def test_the_holes_of_digits_are_counted() -> None:
    """Pillow's 8 has two; thickened by an eighth of its height, the 3 beside it has one as well."""
    assert _count_holes(None, 0) == [1, 0, 0, 0, 1, 0, 1, 0, 2, 1]
    assert _count_holes(None, 20)[3] == 1


def test_pillow_has_letters_of_its_own() -> None:
    """They need no file."""
    font = load_typeface(None, 40)
    assert isinstance(font, ImageFont.FreeTypeFont)


def test_of_a_packed_family_three_uprights_and_a_slant_are_kept(tmp_path: Path) -> None:
    """Of each weight and slant, only Latin letters that Pillow can read."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for weight in (300, 400, 700, 800, 900):
            for slant in ("normal", "italic"):
                for script, end in (("latin", "woff"), ("latin", "woff2"), ("greek", "woff")):
                    name = f"package/files/some-{script}-{weight}-{slant}.{end}"
                    entry = tarfile.TarInfo(name)
                    entry.size = len(name)
                    archive.addfile(entry, io.BytesIO(name.encode()))
    assert unpack_family(packed.getvalue(), tmp_path) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "some-latin-400-normal.woff",
        "some-latin-700-italic.woff",
        "some-latin-700-normal.woff",
        "some-latin-900-normal.woff",
    ]
    kept = (tmp_path / "some-latin-700-italic.woff").read_text()
    assert kept == "package/files/some-latin-700-italic.woff"


def test_a_machine_without_npm_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, no traceback, and no empty folder left behind."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="apt install npm"):
        fetch_typefaces(tmp_path / "faces")
    assert not (tmp_path / "faces").exists()


@pytest.mark.parametrize(
    ("script", "said"), [("echo no network >&2; exit 1", "no network"), ("exit 0", "nothing")]
)
def test_a_registry_that_brings_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    """And which family was asked for."""
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\n{script}\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=rf"^@fontsource/{FAMILIES[0]}: .*{said}.*; try again$"):
        fetch_typefaces(tmp_path / "faces")


def test_typefaces_that_are_there_are_not_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hundred families take a while; a broken line must not cost what came before."""
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    fetch(tmp_path)
    assert fetch_typefaces(tmp_path) == len(FAMILIES)
