"""A real PostgreSQL of its own: a cluster in a folder of its own, on a free port, for one user."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from tests.running import free_port

USER, PASSWORD = "tiki", "tangaroa-7"


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, which Debian puts into none of the usual ones."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def missing() -> str:
    """Return what is missing for a real database here, with the remedy; "" if nothing is."""
    return "" if programs() else "PostgreSQL is missing: sudo apt install postgresql"


def unprivileged() -> str | None:
    """Return the user that runs the cluster, None for ourselves: root may not."""
    if os.geteuid() != 0:
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Postgres:
    """A database server that can be killed and started again; what it has committed stays."""

    def __init__(self) -> None:
        self.port = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="tiki-postgres-"))
        self._user = unprivileged()
        if self._user:
            shutil.chown(self._folder, self._user)
        password = self._folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self._run(
            "initdb", "-D", "data", "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
            "--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile=password",
        )  # fmt: skip

    def url(self, password: str = PASSWORD, name: str = "postgres") -> str:
        """Return the address of its database."""
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        """Answer, as soon as this returns."""
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1"
            f" -c unix_socket_directories={self._folder}"
        )
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def kill(self) -> None:
        """End it at once, as a crash would: it recovers when it starts again."""
        self._run("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")

    def _run(self, program: str, *words: str) -> None:
        folder = programs()
        assert folder
        done = subprocess.run(
            [folder / program, *words],
            cwd=self._folder,
            user=self._user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, (program, self.log())

    def log(self) -> str:
        """Return what it has to say."""
        file = self._folder / "log"
        return file.read_text() if file.exists() else ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self._folder)
