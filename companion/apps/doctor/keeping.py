"""Where games are saved, and where they are served."""

import errno
import shlex
import sqlite3
from pathlib import Path, PurePosixPath
from typing import Final

from companion.apps.doctor.computer import pi_model
from companion.apps.doctor.machine import Machine
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok
from companion.files import private_patterns

MIN_FREE_MB: Final = 200
"""Enough for years of games; less means that something else fills the card."""
FORGETFUL: Final = frozenset({"overlay", "tmpfs", "ramfs"})
"""File systems that are lost with the power."""


def check_disk(machine: Machine, requirements: Requirements) -> Verdict:
    """Return whether games can be saved there and survive a power cut."""
    log = requirements.log.absolute()
    folder = log.parent
    there = next((each for each in (folder, *folder.parents) if machine.exists(str(each))), None)
    if there is None:
        return failed(f"there is no {folder}", f"mkdir -p {folder}, or set log.file")
    where = f"{folder}" if there == folder else f"{folder}, which will be created"
    try:
        machine.try_log(there)
        free_mb = machine.free_mb(there)
    except (OSError, sqlite3.Error) as error:
        return failed(f"games cannot be saved in {where}: {_reason(error)}", _remedy(error, there))
    if machine.exists(str(log)) and not machine.usable(str(log)):
        return failed(f"{log} belongs to another user", f"sudo chown $USER {log}*")
    if machine.exists(str(log)) and (trouble := machine.log_trouble(log)):
        damage, _, remedy = trouble.partition("; ")
        return failed(damage, remedy or "set log.file to another file")
    patterns = [f"{folder}/{pattern}" for pattern in private_patterns(log)]
    found = [path for pattern in patterns for path in machine.find(pattern)]
    if readable := [path for path in found if not machine.is_private(path)]:
        return failed(
            f"other users of this machine can read {', '.join(readable)}, which hold secrets",
            f"chmod go= {shlex.join(readable)}",
        )
    if pi_model(machine) and (kind := _file_system(machine, there)) in FORGETFUL:
        return failed(
            f"{where} is on {kind}, which loses every game when the power fails",
            "set log.file to a file on a permanent partition, or switch the overlay off in"
            " raspi-config, under Performance Options",
        )
    detail = f"{where}, {free_mb:,.0f} MB free"
    if free_mb < MIN_FREE_MB:
        return failed(detail, "sudo apt clean, or find large files: sudo du -xh / | sort -h | tail")
    return ok(detail)


def _reason(error: OSError | sqlite3.Error) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _remedy(error: OSError | sqlite3.Error, folder: Path) -> str:
    match getattr(error, "errno", None):
        case errno.EROFS:
            return "set log.file to a file on a writable partition"
        case errno.ENOSPC | errno.EDQUOT:
            return "free some space: sudo apt clean"
        case errno.EACCES | errno.EPERM:
            return f"sudo chown -R $USER {folder}, or set log.file to a file of your own"
    return "set log.file to a file on a local disk, not on a network share"


def _file_system(machine: Machine, folder: Path) -> str:
    best, kind = "", ""
    for line in machine.read("/proc/mounts").splitlines():
        words = line.split()
        if len(words) < 3:
            continue
        if PurePosixPath(folder).is_relative_to(words[1]) and len(words[1]) >= len(best):
            best, kind = words[1], words[2]
    return kind


def check_page(machine: Machine, requirements: Requirements) -> Verdict:
    """Say whether the pages can be served where they are to be."""
    host, port = requirements.config.web.host, requirements.config.web.port
    try:
        machine.try_port(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return failed(
                f"port {port} is in use",
                "if the companion itself is running, this is fine; otherwise set web.port to"
                " another port",
            )
        if error.errno == errno.EACCES:
            return failed(f"port {port} is reserved for root", "set web.port to 1024 or more")
        return failed(
            f"nothing can be served on {host}, port {port}: {error.strerror or error}",
            'set web.host to "::" for the home network, "127.0.0.1" for this machine',
        )
    return ok(f"port {port} on {host} is free" if port else f"any free port on {host}")
