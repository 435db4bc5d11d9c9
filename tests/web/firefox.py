"""Firefox without a window, driven by Marionette, the wire that is built into it.

Playwright drives a Firefox of its own only, and geckodriver, which would speak for Debian's, is in
no registry that we use.  (Protocol: firefox-source-docs.mozilla.org, Marionette.)
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tests.running import free_port

START_S: Final = 120.0
"""The first start on a busy machine makes a whole profile."""
ANSWER_S: Final = 120.0
NAMES: Final = ("firefox-esr", "firefox")
PREFERENCES: Final = {
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
}


def firefox() -> str | None:
    """Return the path of the Firefox that is installed here, None if none is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """A running Firefox at the end of the *wire*, which trusts every certificate.

    Raises AssertionError where it refuses.
    """

    def __init__(self, wire: socket.socket) -> None:
        self._wire, self._file = wire, wire.makefile("rb")
        self._sent = 0
        assert self._receive()["applicationType"] == "gecko"
        self._ask("WebDriver:NewSession", acceptInsecureCerts=True)

    def open(self, url: str) -> None:
        """Open *url* in a new tab, which `ask` then means."""
        tab = self._ask("WebDriver:NewWindow", type="tab")
        self._ask("WebDriver:SwitchToWindow", handle=tab["handle"])
        self._ask("WebDriver:Navigate", url=url)

    def ask(self, expression: str) -> Any:
        """Return what *expression*, in JavaScript, is on the page."""
        return self._ask("WebDriver:ExecuteScript", script=f"return {expression}", args=[])["value"]

    def _ask(self, command: str, **parameters: Any) -> Any:
        self._sent += 1
        text = json.dumps([0, self._sent, command, parameters])
        self._wire.sendall(f"{len(text.encode())}:{text}".encode())
        kind, number, error, result = self._receive()
        assert (kind, number, error) == (1, self._sent, None), error
        return result

    def _receive(self) -> Any:
        length = b""
        while (byte := self._file.read(1)) != b":":
            assert byte, "Firefox has closed the wire"
            length += byte
        return json.loads(self._file.read(int(length)))


@contextmanager
def running_firefox(folder: Path, *names: str) -> Iterator[Firefox]:
    """Run Firefox with a profile of its own in *folder*; *names* are this machine to it."""
    program, port = firefox(), free_port()
    assert program
    wanted = {**PREFERENCES, "marionette.port": port, "network.dns.localDomains": ",".join(names)}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(of)});" for name, of in wanted.items()]
    (folder / "user.js").write_text("\n".join(lines))
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with (folder / "said.txt").open("w") as said:
        process = subprocess.Popen(
            command, stdout=said, stderr=said, env={**os.environ, "HOME": str(folder)}
        )
    try:
        with _connected(process, port) as wire:
            yield Firefox(wire)
    finally:
        process.kill()  # nothing of its profile is kept
        process.wait()


def _connected(process: "subprocess.Popen[bytes]", port: int) -> socket.socket:
    """Return the wire to Firefox as soon as it listens at *port*."""
    deadline_s = time.monotonic() + START_S
    while time.monotonic() < deadline_s and process.poll() is None:
        with suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), ANSWER_S)
        time.sleep(0.1)
    raise AssertionError(f"Firefox does not listen: {process.poll()}")
