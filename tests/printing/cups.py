"""A CUPS of a test's own: printers that write what they would print into a file."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PDF_PRINTER: Final = Path("/usr/share/ppd/cupsfilters/Generic-PDF_Printer-PDF.ppd")
"""CUPS's own generic printer for PDF: its paper is Letter until told otherwise."""
PATIENCE_S: Final = 60.0
MISSING: Final = (
    "no CUPS to print with: sudo apt install cups cups-client cups-filters, and run as root"
)
_FILES: Final = """ServerRoot {0}/root
RequestRoot {0}/spool
TempDir {0}/spool/tmp
CacheDir {0}/cache
StateDir {0}/state
AccessLog {0}/access
ErrorLog {0}/errors
PageLog {0}/pages
FileDevice Yes
SystemGroup root
User lp
Group lp
"""
_DAEMON: Final = """Listen 127.0.0.1:{1}
Browsing No
WebInterface No
<Location />
Order allow,deny
Allow all
</Location>
<Policy default>
<Limit All>
Order allow,deny
Allow all
</Limit>
</Policy>
"""


def is_missing() -> bool:
    """Return whether no CUPS can be run here."""
    programs = ("cupsd", "lp", "lpadmin", "lpoptions")
    return os.geteuid() != 0 or not PDF_PRINTER.exists() or not all(map(shutil.which, programs))


class Cups:
    """A running CUPS.  environment: with which its commands reach it."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self.environment = {**os.environ, "CUPS_SERVER": f"127.0.0.1:{port}", "LC_ALL": "C"}

    def __call__(self, *words: str) -> str:
        """Run one of its commands, and return what it says."""
        done = subprocess.run(
            words, capture_output=True, text=True, env=self.environment, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def add(self, name: str, *options: str, driver: Path | str = PDF_PRINTER) -> None:
        """Set up a printer, which is paused and takes nothing without the option -E."""
        paper = self._folder / f"{name}.out"
        paper.touch()
        shutil.chown(paper, "lp")
        kind = ("-P", str(driver)) if isinstance(driver, Path) else ("-m", driver)
        self("lpadmin", "-p", name, *options, "-v", f"file:{paper}", *kind)

    def printed(self, name: str) -> bytes:
        """Return what the printer has printed last, once all is printed."""
        paper, until_s = self._folder / f"{name}.out", time.monotonic() + PATIENCE_S
        while not paper.stat().st_size or self("lpstat", "-o"):
            assert time.monotonic() < until_s, (self._folder / "errors").read_text()[-2000:]
            time.sleep(0.1)
        data = paper.read_bytes()
        paper.write_bytes(b"")
        return data


@contextmanager
def running() -> Iterator[Cups]:
    """Run a CUPS of our own, without printers, which the machine's own does not notice."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="tiki-cups-"))
    folder.chmod(0o755)
    process = None
    try:
        for each in ("root/ppd", "spool/tmp", "cache", "state"):
            (folder / each).mkdir(parents=True)
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, "lp", "lp")
        for kind, text in (("files", _FILES), ("daemon", _DAEMON)):
            (folder / kind).write_text(text.format(folder, port))
        process = subprocess.Popen(
            ["cupsd", "-f", "-c", folder / "daemon", "-s", folder / "files"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        cups, until_s = Cups(folder, port), time.monotonic() + PATIENCE_S
        while "is running" not in cups("lpstat", "-r"):
            assert time.monotonic() < until_s, "cupsd does not start"
            time.sleep(0.1)
        yield cups
    finally:
        if process is not None:
            process.terminate()
            process.wait()
        shutil.rmtree(folder)
