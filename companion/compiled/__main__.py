"""Compiles the rules, or says in one line why not: `python -m companion.compiled`."""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from companion.compiled import ROOT, SHARED, folder, sources

NO_MYPYC: Final = 3
"""The exit status where only mypy is missing."""
_OPTIMISATION: Final = "3"
_BUILD: Final = "--build"


def lacking() -> str:
    """Return what is missing of a C compiler, with its remedy; "" if nothing is."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if not shutil.which(compiler):
        return f"there is no C compiler ({compiler}); to have one: sudo apt install gcc python3-dev"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "there is no Python.h; to have it: sudo apt install python3-dev"
    return ""


def build(into: Path) -> None:
    """Compile all modules into the folder *into*, which is there when all of it is."""
    from mypyc.build import mypycify  # noqa: PLC0415 - a developer's
    from setuptools import Distribution  # type: ignore[import-untyped]  # noqa: PLC0415

    with tempfile.TemporaryDirectory(dir=into.parent) as work:
        paths = [str(path.relative_to(ROOT)) for path in sources().values()]
        extensions = mypycify(
            ["--config-file=", "--ignore-missing-imports", f"--cache-dir={work}/types", *paths],
            opt_level=_OPTIMISATION,
            target_dir=f"{work}/c",
            group_name=SHARED.removesuffix("__mypyc"),
        )
        command: Any = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = f"{work}/made", f"{work}/objects"
        command.ensure_finalized()
        command.run()
        Path(f"{work}/made").rename(into)


def build_command() -> list[str]:
    """Return the command that builds, in a process of its own however mypyc ends."""
    return [sys.executable, "-m", "companion.compiled", _BUILD]


def main(words: list[str]) -> int:
    """Compile the rules unless they are, and forget those of other days."""
    into = folder()
    if words == [_BUILD]:
        os.chdir(ROOT)
        build(into)
        return 0
    if into.is_dir():
        return 0
    reason = lacking()
    if not reason and find_spec("mypyc") is None:
        return NO_MYPYC
    if not reason:
        sys.stderr.write("Compiling the rules, once ...\n")
        shutil.rmtree(into.parent, ignore_errors=True)
        into.parent.mkdir(parents=True)
        log = into.parent / "log.txt"
        with log.open("w") as told:
            built = subprocess.run(build_command(), check=False, stdout=told, stderr=told)  # noqa: S603
        reason = f"that failed; see {log}" if built.returncode else ""
    if reason:
        sys.stderr.write(f"The rules are not compiled, and played as they are written: {reason}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
