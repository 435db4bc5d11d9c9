"""`tiki doctor` on this machine: what it says of each device is so."""

from pathlib import Path
from typing import Final

from tests.evenings import topple_evening
from tests.hil.inside import film, panel
from tests.hil.inside.house import TIKI, as_user
from tests.hil.inside.table import replaced, wired

PATIENCE_S: Final = 170.0


def told(folder: Path, text: str) -> dict[str, str]:
    """Return what the doctor says of a table with the settings *text*, by the name of the line."""
    file, said = folder / "tiki.toml", folder / "said"
    file.write_text(text)
    with said.open("w") as out:
        as_user(TIKI, "doctor", "--config", str(file), out=out).wait(PATIENCE_S)
    lines = said.read_text().splitlines()
    print(*lines, sep="\n")
    return {name: line for line in lines for name in line.split()[1:2]}
