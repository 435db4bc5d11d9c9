"""Programs that play and speak, and note down what they were told."""

import os
import select
import sys
from array import array
from pathlib import Path

from hardware.earcons import pack_wav
from hardware.sound import SoundConfig
from tests.hardware.recorders import PATIENCE_S

LOUD = SoundConfig(kind="speaker", volume=0.5, voice="espeak-ng")
# Stands for aplay and espeak-ng: notes what it was given, and writes a WAV file where it is asked.
PROGRAM = f"""#!{sys.executable}
import pathlib, shutil, sys
folder = pathlib.Path(__file__).parent
said = sys.stdin.read()
if target := [each for each in ("-w", "--output_file") if each in sys.argv]:
    shutil.copy(folder / "voice.wav", sys.argv[sys.argv.index(target[0]) + 1])
else:
    shutil.copy(sys.argv[1], folder / "heard.wav")
with (folder / "notes").open("w") as notes:
    print(pathlib.Path(__file__).name, repr(said), file=notes)
"""


class Notes:
    """What the programs in *folder* note down when they are run; reading waits for them."""

    def __init__(self, folder: Path, *names: str) -> None:
        os.mkfifo(folder / "notes")
        # Open both ways, so that the line stays up between one program and the next.
        self._pipe = os.fdopen(os.open(folder / "notes", os.O_RDWR), "rb", buffering=0)
        for name in names:
            program = folder / name
            program.write_text(PROGRAM)
            program.chmod(0o755)
        (folder / "voice.wav").write_bytes(pack_wav(array("h", [1000, -1000]), 16_000))

    def read(self, count: int) -> list[str]:
        """Return the next *count* notes; fails if they do not come within ten seconds each."""
        found: list[str] = []
        for _ in range(count):
            ready, _, _ = select.select([self._pipe], [], [], PATIENCE_S)
            assert ready, f"after {found} no program was run any more"
            found.append(self._pipe.readline().decode().rstrip())
        return found

    def close(self) -> None:
        """Let the line go."""
        self._pipe.close()
