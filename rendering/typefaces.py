"""Typefaces that cards are drawn in: this machine's, and free ones from the npm registry.

`python -m rendering.typefaces FOLDER` brings the latter. They are drawn with and not shipped.
"""

import argparse
import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

Typeface: TypeAlias = str | None
"""A file, or None for Pillow's own letters."""

MACHINE: Final = Path("/usr/share/fonts/truetype")
PILLOW: Final[list[Typeface]] = [None] * 3
SHARE: Final = 10
"""How often each of the machine's own typefaces is listed beside fetched ones."""
WEIGHTS: Final = (400, 700, 900)
SLANTED: Final = 700
"""The upright weights of a family that are kept, and which slanted one, if there are any."""
APART: Final = 4
"""Of so many families one is not learned from, but judges what was learned."""
HIGH_PX: Final = 160
THICKEST_PX, CLEAR_PX = 10, 2
"""How much letters of that height are thickened at most, and how clear of each other their strokes
stay at least, on both sides."""
THICKEST: Final = THICKEST_PX / HIGH_PX
FILE: Final = re.compile(r"-latin-(\d+)-(normal|italic)\.woff$")
FAMILIES: Final = tuple(Path(__file__).with_suffix(".txt").read_text("utf-8").split())
"""Names below @fontsource in the registry: plain, condensed, heavy, round, by hand, with serifs.
Add others at the end: which of them judge depends on their places."""


def list_typefaces(folder: Path | None = None) -> list[Typeface]:
    """Return what cards may be drawn in, to be learned from; of *folder* what was fetched there."""
    found = [str(path) for path in sorted(MACHINE.rglob("*.ttf"))]
    fit = [name for name in found if "ExtraLight" not in name and "Math" not in name]
    own = [*fit, *PILLOW]
    return own if folder is None else [*own * SHARE, *_list_fetched(folder, judging=False)]


def list_unlearned(folder: Path) -> list[Typeface]:
    """Return what was fetched into *folder*, of families that nothing is learned from."""
    return _list_fetched(folder, judging=True)


def _list_fetched(folder: Path, judging: bool) -> list[Typeface]:
    """Return the files of families that judge, or of the others; raise SystemExit if none is."""
    found: list[Typeface] = []
    for number, family in enumerate(FAMILIES):
        if (number % APART == 0) == judging:
            found += _list_family(folder, family)
    if not found:
        raise SystemExit(
            f"{folder}: no typefaces; python -m rendering.typefaces {folder} brings them"
        )
    return found


def _list_family(folder: Path, family: str) -> list[str]:
    """Return the files of *family* that have been fetched into *folder*."""
    return sorted(str(path) for path in folder.glob(f"{family}-latin-*.woff"))


@cache
def find_thickest(typeface: Typeface) -> float:
    """Return how much the digits of *typeface* may be thickened, as a share of their height.

    As far as all that is open stays open, by CLEAR_PX: a 3 that has closed is an 8.
    """
    own = _count_holes(typeface, 0)
    fit = THICKEST_PX
    while fit and _count_holes(typeface, fit + CLEAR_PX) != own:
        fit -= 1
    return fit / HIGH_PX


def _count_holes(typeface: Typeface, stroke_px: int) -> list[int]:
    """Return how many holes each digit has if it is thickened so much, of HIGH_PX."""
    font, counts = load_typeface(typeface, HIGH_PX), []
    for digit in "0123456789":
        mask = Image.new("L", (3 * HIGH_PX, 3 * HIGH_PX), 0)
        middle = (1.5 * HIGH_PX, 1.5 * HIGH_PX)
        ImageDraw.Draw(mask).text(
            middle, digit, fill=255, font=font, anchor="mm", stroke_width=stroke_px
        )
        # What is not ink, in pieces: one of them lies around it all.
        counts.append(cv2.connectedComponents(255 - np.asarray(mask), connectivity=4)[0] - 2)
    return counts


def load_typeface(typeface: Typeface, high_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the letters of *typeface*, *high_px* pixels high."""
    if typeface is None:
        return ImageFont.load_default(high_px)
    return ImageFont.truetype(typeface, high_px)


def fetch_typefaces(folder: Path) -> int:
    """Bring what FAMILIES names into *folder*; return how many files that is.

    Raises SystemExit if there is no npm, or its registry does not give a family; what came before
    is kept, and need not come again.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not on this machine: apt install npm; typefaces come through it")
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for family in FAMILIES:
        count += len(_list_family(folder, family)) or unpack_family(_pack(npm, family), folder)
    return count


def _pack(npm: str, family: str) -> bytes:
    """Return what the registry has of *family*; raise SystemExit if it gives nothing."""
    called = [npm, "pack", "--silent", f"@fontsource/{family}"]
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(  # noqa: S603 - npm itself; names are our own list's
            called, cwd=place, capture_output=True, text=True, check=False
        )
        packed = list(Path(place).glob("*.tgz"))
        if done.returncode or not packed:
            said = " ".join(done.stderr.split())[-200:] or "it said nothing"
            raise SystemExit(f"@fontsource/{family}: npm brought nothing ({said}); try again")
        return packed[0].read_bytes()


def unpack_family(packed: bytes, folder: Path) -> int:
    """Write those weights of a *packed* family that are kept into *folder*; return how many."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        weights = {
            (int(match[1]), match[2]): name
            for name in archive.getnames()
            if (match := FILE.search(name))
        }
        kept = choose_weights(list(weights))
        for key in kept:
            member = archive.extractfile(weights[key])
            if member is not None:
                (folder / Path(weights[key]).name).write_bytes(member.read())
    return len(kept)


def choose_weights(offered: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return which weights and slants of a family are kept.

    >>> choose_weights([(300, "normal"), (400, "normal"), (700, "normal"), (300, "italic")])
    [(400, 'normal'), (700, 'normal'), (300, 'italic')]
    >>> choose_weights([(500, "normal"), (600, "normal")])
    [(600, 'normal')]
    """
    upright = sorted(weight for weight, slant in offered if slant == "normal")
    slanted = [weight for weight, slant in offered if slant == "italic"]
    kept = [weight for weight in upright if weight in WEIGHTS] or upright[-1:]
    near = sorted(slanted, key=lambda weight: abs(weight - SLANTED))[:1]
    return [*((weight, "normal") for weight in kept), *((weight, "italic") for weight in near)]


def main() -> None:
    """Bring the typefaces into the folder of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    print(fetch_typefaces(given.folder), "typefaces")


if __name__ == "__main__":
    main()
