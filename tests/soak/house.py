"""A daemon in a process of its own, which can be stopped, killed, hindered and damaged."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from companion.config import example
from tests.full_disks import limit_files
from tests.vision.streams import StreamingCamera

KEY: Final = "a-key-for-the-soak"
QUIET: Final = "{ tactiki = { quiet_turns = 25 } }"
"""Random tribes may walk past each other for hours."""
PROGRAM: Final = "import sys; from companion.cli import main; sys.exit(main())"
"""The program of this very tree, which the installed one need not be."""
START_S: Final = 60.0
REST_S: Final = 3.0
"""By then connections are closed and the camera is open."""
NOISE_BYTES: Final = 512


class CannotStart(RuntimeError):
    """The daemon has ended instead of serving: its exit status, and what it said."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"exit status {status}: {said}")
        self.status = status
        self.said = said


class House:
    """A daemon on one log and, once it has one, on one port.

    said: all that it has written to standard error, in *folder*.
    camera: the stream that it watches, None for none.
    """

    def __init__(self, folder: Path, camera: StreamingCamera | None = None) -> None:
        self.camera = camera
        source = f'source = "video"\ndevice = "{camera.address}"' if camera else 'source = "none"'
        self.log, self.port = folder / "game.db", 0
        self.said = folder / "stderr.txt"
        self._config = folder / "tiki.toml"
        self._config.write_text(
            example()
            .replace('source = "recording"', source)
            .replace('device = "0"', "")
            .replace('host = "::"', 'host = "127.0.0.1"')
            .replace('key = ""', f'key = "{KEY}"')
            .replace("options = {}", f"options = {QUIET}")
        )
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The address of the scoreboard."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, unless it runs; raises CannotStart."""
        if self._process is not None:
            return
        command = self._command(
            *("run", "--config", str(self._config)),
            *("--port", str(self.port), "--log", str(self.log)),
        )
        before = self.said.stat().st_size if self.said.exists() else 0
        with self.said.open("a") as said:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True
            )
        assert self._process.stdout
        found = re.search(r":(\d+)", self._process.stdout.readline())
        if found is None:
            status = self._process.wait(START_S)
            self._process.stdout.close()
            self._process = None
            raise CannotStart(status, self.said.read_text(errors="replace")[before:])
        self.port = int(found[1])

    def _command(self, *words: str) -> list[str]:
        """Return how `tiki` is run with *words*."""
        return [sys.executable, "-c", PROGRAM, *words]

    def kill(self) -> None:
        """Kill it with -9."""
        if self._process is not None:
            with self._process as process:
                os.killpg(process.pid, signal.SIGKILL)
            self._process = None

    def stop(self) -> int:
        """Tell it to stop, and return its exit status; of what hangs too long it is 1."""
        assert self._process is not None
        with self._process as process:
            process.terminate()
            try:
                status = process.wait(START_S)
            except subprocess.TimeoutExpired:
                process.kill()
                status = -signal.SIGKILL
        self._process = None
        return status

    def fill_disk(self) -> None:
        """Let no file of the daemon grow any more."""
        sizes = [file.stat().st_size for file in self.log.parent.glob("game*")]
        limit_files(self.pid, max(*sizes, 1))

    def empty_disk(self) -> None:
        """Let files grow again."""
        limit_files(self.pid, resource.RLIM_INFINITY)

    def save_log(self) -> None:
        """Keep the files of the log as they are, for `restore_log`."""
        kept = self.log.parent / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for file in self.log.parent.glob("game*"):
            shutil.copy2(file, kept)

    def restore_log(self) -> None:
        """Put the kept files back."""
        for file in self.log.parent.glob("game*"):
            file.unlink()
        for file in (self.log.parent / "kept").iterdir():
            shutil.copy2(file, self.log.parent)

    def damage_log(self, rng: random.Random) -> str:
        """Write noise over some bytes of the log or its journal, and return where."""
        files = [file for file in self.log.parent.glob("game.db*") if file.stat().st_size]
        target = rng.choice(sorted(files))
        at = rng.randrange(target.stat().st_size)
        with target.open("r+b") as file:
            file.seek(at)
            file.write(rng.randbytes(NOISE_BYTES))
        return f"{target.name} at {at}"

    def measure(self) -> tuple[int, float]:
        """Return how many files it has open, and its memory in MB, once nobody asks anything."""
        time.sleep(REST_S)
        files = len(list(Path(f"/proc/{self.pid}/fd").iterdir()))
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return files, pages * resource.getpagesize() / 1e6
