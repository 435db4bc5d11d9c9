"""Has OpenSCAD make the parts, and measures what it made."""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.cad.checks_of_bracket import bracket_faults
from hardware.cad.checks_of_foot import foot_faults
from hardware.cad.parameters import BRACKET, FOOT, Value, Values, format_value, read_measures

MAC: Final = "/Applications/OpenSCAD.app/Contents/MacOS/OpenSCAD"
INSTALL: Final = (
    "install it (Debian, Ubuntu, Raspberry Pi OS: sudo apt install openscad; Windows and macOS: "
    "openscad.org), or name it: OPENSCAD=/path/to/openscad"
)
LONGEST_S: Final = 600
"""The largest part takes some 6 s on two old cores."""
HEADER: Final = 84
TRIANGLE: Final = struct.Struct("<12fH")


class NotMade(Exception):
    """A part could not be made; the message is one line."""


@dataclass(frozen=True, slots=True)
class Part:
    """One printed part.  source: its OpenSCAD file.  choice: its `part` there, or empty."""

    name: str
    source: Path
    choice: str = ""


PARTS: Final = (
    Part("idol_foot_body", FOOT, "body"),
    Part("idol_foot_bottom", FOOT, "bottom"),
    Part("idol_foot_hub", FOOT, "hub"),
    Part("tilt_bracket", BRACKET),
)


@dataclass(frozen=True, slots=True)
class Solid:
    """What a mesh encloses: its width, depth and height in mm, and its volume in cubic cm."""

    size_mm: tuple[float, float, float]
    volume_cm3: float


def faults(values: Values) -> Iterator[str]:
    """Yield why no good parts can be made of *values*."""
    yield from foot_faults(values)
    yield from bracket_faults(values)


def measure_stl(path: Path) -> Solid:
    """Return size and volume of the binary STL file at *path*.

    Raises NotMade if it is none or encloses nothing.
    """
    data = path.read_bytes()
    count = int.from_bytes(data[80:HEADER], "little")
    if not count or len(data) != HEADER + count * TRIANGLE.size:
        raise NotMade(f"{path.name}: no mesh in it; delete it and try again")
    low, high, volume = [float("inf")] * 3, [float("-inf")] * 3, 0.0
    for record in TRIANGLE.iter_unpack(data[HEADER:]):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = record[3:6], record[6:9], record[9:12]
        volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        for axis in range(3):
            along = record[3 + axis : 12 : 3]
            low[axis], high[axis] = min(low[axis], *along), max(high[axis], *along)
    return Solid((high[0] - low[0], high[1] - low[1], high[2] - low[2]), volume / 6000)


def find_openscad() -> str:
    """Return OpenSCAD's command: $OPENSCAD, or the installed one.  Raises NotMade."""
    named = os.environ.get("OPENSCAD")
    found = shutil.which(named or "openscad") or (None if named else shutil.which(MAC))
    if found is None:
        what = f"OPENSCAD={named} is not a program" if named else "OpenSCAD is not installed"
        raise NotMade(f"{what}; {INSTALL}")
    return found


def definitions(part: Part, values: Values) -> list[str]:
    """Return OpenSCAD's arguments that set the measures of *part*."""
    chosen: dict[str, Value] = {name: values[name] for name in read_measures(part.source)}
    if part.choice:
        chosen["part"] = part.choice
    words = []
    for name, value in chosen.items():
        text = f'"{value}"' if isinstance(value, str) else format_value(value)
        words += ["-D", f"{name}={text}"]
    return words


def run_openscad(part: Part, values: Values, target: Path) -> None:
    """Write *part* to *target*, as binary STL if it is so called.  Raises NotMade."""
    form = ["--export-format", "binstl"] if target.suffix == ".stl" else []
    words = [find_openscad(), "-q", "-o", str(target), *form]
    words += [*definitions(part, values), str(part.source)]
    try:
        done = subprocess.run(  # noqa: S603
            words, capture_output=True, text=True, errors="replace", timeout=LONGEST_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotMade(
            f"{part.name}: OpenSCAD did not finish ({error}); try another version"
        ) from None
    if done.returncode or not target.exists():
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[0]
        raise NotMade(f"{part.name}: OpenSCAD failed: {said}")


def make(part: Part, values: Values, folder: Path) -> tuple[Path, Solid]:
    """Make *part* of *values* in *folder*; return the file and what it encloses.

    An older file of that name stays until the new one is whole.  Raises NotMade.
    """
    target = folder / f"{part.name}.stl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".") as beside:
            new = Path(beside) / target.name
            run_openscad(part, values, new)
            solid = measure_stl(new)
            new.replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotMade(
            f"{target}: cannot be written ({reason}); choose another with --out"
        ) from None
    return target, solid
