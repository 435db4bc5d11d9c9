#!/usr/bin/python3
"""A stand-in for systemctl and journalctl where no systemd runs, such as in a chroot.

It keeps tiki.service as systemd does, as far as the installer relies on it: as the unit's user,
with its folders and its environment, active upon READY=1, ended by SIGABRT when the watchdog
starves, and started again whenever it ends. What the service prints is its journal.
"""

import contextlib
import grp
import os
import pwd
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

UNIT = Path(os.environ.get("STAND_IN_UNIT", "/etc/systemd/system/tiki.service"))
BELOW = os.environ.get("STAND_IN_BELOW", "")
"""Where the service's folders are, and the stand-in's own; elsewhere in its own tests."""
RUN = Path(f"{BELOW}/run/stand-in")
STATE, RESTARTS, KEEPER, JOURNAL = (RUN / each for each in ("state", "restarts", "pid", "journal"))
RESTART_S = 0.5
STOP_S = 10.0


def read(path: Path, usual: str = "") -> str:
    """Return the text of *path*."""
    return path.read_text().strip() if path.exists() else usual


def write(path: Path, text: str) -> None:
    """Let *path* hold *text*; who reads it meanwhile reads the old or the new text."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text)
    draft.replace(path)


def settings() -> dict[str, list[str]]:
    """Return all lines of the unit's section Service."""
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


def seconds(text: str) -> int:
    """Return a time such as 30s or 3min."""
    found = re.fullmatch(r"(\d+)(s|min)", text)
    assert found, text
    return int(found[1]) * (60 if found[2] == "min" else 1)


class Service:
    """One life of the service after the other."""

    def __init__(self) -> None:
        self.unit = settings()
        self.is_stopping = False
        self.process: subprocess.Popen[bytes] | None = None
        address = RUN / "notify"
        address.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(address))
        address.chmod(0o666)
        self.user = pwd.getpwnam(self.unit["User"][0])
        self.watchdog_s = seconds(self.unit["WatchdogSec"][0])
        self.environment = self.surroundings(str(address))

    def surroundings(self, address: str) -> dict[str, str]:
        """Return the environment, and make its folders."""
        folders = {"%t": f"{BELOW}/run", "%S": f"{BELOW}/var/lib", "%C": f"{BELOW}/var/cache"}
        found = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "NOTIFY_SOCKET": address}
        found["WATCHDOG_USEC"] = str(self.watchdog_s * 1_000_000)
        for key, above in (("State", "%S"), ("Runtime", "%t"), ("Cache", "%C")):
            folder = Path(folders[above]) / self.unit[f"{key}Directory"][0]
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=int(self.unit[f"{key}DirectoryMode"][0], 8), exist_ok=True)
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
            found[f"{key.upper()}_DIRECTORY"] = str(folder)
        for line in self.unit["Environment"]:
            words = line
            for short, above in folders.items():
                words = words.replace(short, above)
            for each in shlex.split(words):
                name, _, value = each.partition("=")
                found[name] = value
        return found

    def start(self, command: str) -> "subprocess.Popen[bytes]":
        """Start *command* as the unit's user, in its groups and its environment."""
        groups = [each.gr_gid for each in grp.getgrall() if "tiki" in each.gr_mem]
        with JOURNAL.open("ab") as journal:
            return subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.DEVNULL,
                stdout=journal,
                stderr=journal,
                env=self.environment,
                cwd=self.environment["STATE_DIRECTORY"],
                user=self.user.pw_uid,
                group=self.user.pw_gid,
                extra_groups=groups,
                umask=int(self.unit["UMask"][0], 8),
            )

    def live(self) -> None:
        """Run it once, to its end."""
        process = self.process = self.start(self.unit["ExecStart"][0])
        write(RUN / "main", str(process.pid))
        self.watch(process)
        for command in self.unit.get("ExecStopPost", ()):
            assert command.startswith("-"), "the stand-in knows no other"
            with contextlib.suppress(OSError):  # as an older version, it does not know the command
                self.start(command.removeprefix("-")).wait()

    def watch(self, process: "subprocess.Popen[bytes]") -> None:
        """Return once *process* has ended; it is ended when its watchdog starves."""
        fed_s = None
        while process.poll() is None:
            self.socket.settimeout(0.1)
            with contextlib.suppress(TimeoutError):
                lines = self.socket.recv(4096).decode().split("\n")
                if "READY=1" in lines:
                    write(STATE, "active")
                if "WATCHDOG=1" in lines or "READY=1" in lines:
                    fed_s = time.monotonic()
            if fed_s is not None and time.monotonic() - fed_s > self.watchdog_s:
                process.send_signal(signal.SIGABRT)

    def stop(self, *_: object) -> None:
        """End it, and do not start it again."""
        self.is_stopping = True
        if self.process is not None:
            self.process.terminate()

    def keep(self) -> None:
        """Run it until it is stopped."""
        signal.signal(signal.SIGTERM, self.stop)
        while not self.is_stopping:
            self.live()
            if not self.is_stopping:
                write(STATE, "activating")
                write(RESTARTS, str(int(read(RESTARTS, "0")) + 1))
                time.sleep(RESTART_S)
        write(STATE, "inactive")


def start() -> None:
    """Leave a keeper behind."""
    if read(STATE) in ("active", "activating"):
        return
    write(STATE, "activating")
    write(RESTARTS, "0")
    if os.fork():
        return
    os.setsid()
    os.closerange(0, 64)
    for _ in range(3):
        os.open(os.devnull, os.O_RDWR)
    write(KEEPER, str(os.getpid()))
    try:
        Service().keep()
    except Exception as error:  # noqa: BLE001 - told, for nobody else would see it
        JOURNAL.write_text(f"the stand-in: {error!r}\n")
        write(STATE, "failed")
    os._exit(0)


def stop() -> None:
    """End the keeper, and wait for it."""
    if read(STATE) in ("active", "activating"):
        os.kill(int(read(KEEPER)), signal.SIGTERM)
        until_s = time.monotonic() + STOP_S
        while read(STATE) != "inactive":
            if time.monotonic() > until_s:
                sys.exit("the stand-in: it does not stop")
            time.sleep(0.05)


def main(name: str, words: Sequence[str]) -> int:
    """Do what *words* say."""
    RUN.mkdir(parents=True, exist_ok=True)
    if name == "journalctl":
        print(*read(JOURNAL).splitlines()[-40:], sep="\n")
        return 0
    task = next(each for each in words if not each.startswith("--"))
    match task:
        case "start":
            start()
        case "stop":
            stop()
        case "disable":
            (RUN / "enabled").unlink(missing_ok=True)
            stop()
        case "enable":
            (RUN / "enabled").touch()
        case "is-active":
            print(state := read(STATE, "inactive"))
            return 0 if state == "active" else 3
        case "show":
            print(read(RESTARTS, "0"))
        case "daemon-reload" | "reset-failed":
            pass
        case _:
            sys.exit(f"the stand-in does not know {task}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[0]).name, sys.argv[1:]))
