"""What `tiki doctor` says of a table on this machine."""

import json
from pathlib import Path
from typing import Final

from tests.hil.inside.house import TIKI, as_user

PATIENCE_S: Final = 100.0


def examine(folder: Path, text: str) -> dict[str, str]:
    """Return what the doctor says of a table with the settings *text*, by the name of the line."""
    file, said = folder / "tiki.toml", folder / "said"
    file.write_text(text)
    with said.open("w") as out:
        as_user(TIKI, "doctor", "--json", "--config", str(file), out=out).wait(PATIENCE_S)
    checks = json.loads(said.read_text().splitlines()[-1])["checks"]
    return {each["name"]: f"{each['status']}: {each['detail']}" for each in checks}
