"""The service's unit, kept by the stand-in for systemctl, its folders below a test's own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
UNIT: Final = HERE.parent.parent / "deploy" / "tiki.service"


class StandIn:
    """The stand-in, with its folders below *folder*, for a service that runs *program*."""

    def __init__(self, folder: Path, program: str) -> None:
        folder.mkdir()
        (folder / "program.py").write_text(program)
        unit = re.sub(
            "ExecStart=.*", f"ExecStart={sys.executable} {folder}/program.py", UNIT.read_text()
        )
        unit = re.sub("^(User|Group)=tiki", r"\1=root", unit, flags=re.MULTILINE)
        (folder / "tiki.service").write_text(re.sub("WatchdogSec=.*", "WatchdogSec=2s", unit))
        self.environment = {
            "STAND_IN_BELOW": str(folder),
            "STAND_IN_UNIT": str(folder / "tiki.service"),
            "PATH": os.environ["PATH"],
        }

    def __call__(self, *words: str) -> str:
        """Return what it prints."""
        return subprocess.run(
            [sys.executable, HERE / "stand_in.py", *words],
            capture_output=True,
            text=True,
            check=False,
            env=self.environment,
            timeout=30,
        ).stdout.strip()

    @property
    def restarts(self) -> int:
        """How often it has started the service again."""
        return int(self("show", "--property=NRestarts", "--value", "tiki"))
