"""Real browsers of 2019 and 2021 from npm, driven by what their developer tools speak."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

VERSIONS: Final = {79: "2.0.2", 92: "10.1.0"}
"""Which chrome-aws-lambda has which Chromium."""
NPM_S: Final = 180.0
ANSWER_S: Final = 90.0
UNPACK: Final = (
    "const fs = require('fs'), zlib = require('zlib');"
    "const [from, to] = process.argv.slice(1);"
    "fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)));"
)
FLAGS: Final = (
    "--headless", "--no-sandbox", "--no-zygote", "--single-process", "--disable-gpu",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip


def npm_package(name: str, folder: Path) -> str | None:
    """Unpack npm's package *name* into *folder*; return why it cannot be had, None if it is."""
    if (folder / "package").exists():
        return None
    if not (npm := shutil.which("npm")) or not shutil.which("node"):
        return "npm and node are not installed"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(
            [npm, "pack", "--silent", name],
            cwd=folder,
            check=True,
            timeout=NPM_S,
            capture_output=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return f"npm's registry is out of reach, or has no {name}"
    packed = next(folder.glob("*.tgz"))
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    packed.unlink()
    return None


def unpack_browser(version: int, folder: Path) -> str | None:
    """Put Chromium *version* into *folder*; return why it cannot be had, None if it is there."""
    if reason := npm_package(f"chrome-aws-lambda@{VERSIONS[version]}", folder):
        return reason
    packed = folder / "package" / "bin"
    for name in ("chromium", "aws.tar"):
        if not (made := folder / name).exists():
            subprocess.run(["node", "-e", UNPACK, str(packed / f"{name}.br"), made], check=True)
    with tarfile.open(folder / "aws.tar") as archive:
        archive.extractall(folder / "aws", filter="data")
    (folder / "chromium").chmod(0o755)
    return None


class OldBrowser:
    """One page of a browser, see `opened`.

    Raises RuntimeError if the browser refuses or a script fails, TimeoutError without an answer.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._got, self._number = b"", 0
        self._session: str | None = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        """Return what the protocol's *method* answers."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": values}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._writing, json.dumps(asked).encode() + b"\0")
        while (answer := self._receive()).get("id") != self._number:
            pass
        if "error" in answer:
            raise RuntimeError(answer["error"])
        result: dict[str, Any] = answer["result"]
        return result

    def run(self, script: str) -> Any:
        """Return what *script* comes to on the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def open(self, url: str, size: tuple[int, int]) -> None:
        """Show the page at *url* on a screen of *size* and wait until it is there."""
        width, height = size
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < height,
        )  # fmt: skip
        self.run("window.isOld = true")
        self.ask("Page.navigate", url=url)
        self.wait("!window.isOld && document.readyState === 'complete'")

    def wait(self, script: str, seconds: float = ANSWER_S) -> None:
        """Return once *script* is true; raises TimeoutError if it does not become so."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            try:
                if self.run(script):
                    return
            except RuntimeError as error:
                if "context" not in str(error):  # the page is just being replaced by another
                    raise
            time.sleep(0.1)
        raise TimeoutError(f"{script} did not become true")

    def photograph(self, file: Path) -> None:
        """Write what the page looks like to *file*."""
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._got:
            if not select.select([self._reading], [], [], ANSWER_S)[0]:
                raise TimeoutError("the browser does not answer")
            if not (more := os.read(self._reading, 1 << 16)):
                raise RuntimeError("the browser has ended")
            self._got += more
        first, self._got = self._got.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(first)
        return answer


@contextmanager
def opened(folder: Path, profile: Path) -> Iterator[OldBrowser]:
    """Start the browser in *folder* and end it; it reads from descriptor 3 and writes to 4."""
    from_us, ours = os.pipe()
    theirs, to_us = os.pipe()
    command = [str(folder / "chromium"), *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    actions = [
        (os.POSIX_SPAWN_DUP2, from_us, 3),
        (os.POSIX_SPAWN_DUP2, to_us, 4),
        (os.POSIX_SPAWN_OPEN, 2, profile / "log", os.O_WRONLY | os.O_CREAT, 0o600),
    ]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder / "aws" / "lib")}
    pid = os.posix_spawn(command[0], command, environment, file_actions=actions)
    for used in (from_us, to_us):
        os.close(used)
    try:
        yield OldBrowser(theirs, ours)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        for used in (theirs, ours):
            os.close(used)
