"""Compiles the rules: `python -m companion.compiled`, where mypy and setuptools are."""

import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Final

from companion.compiled import ROOT, SHARED, folder, sources

OPTIMISATION: Final = "3"


def lacking() -> str:
    """Return what is missing to compile, with its remedy; "" if nothing is."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if not shutil.which(compiler):
        return f"no C compiler ({compiler}); for a faster computer player: sudo apt install gcc"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "no Python.h; for a faster computer player: sudo apt install python3-dev"
    return ""


def build(into: Path) -> None:
    """Compile all modules into the folder *into*, which is there when all of it is."""
    # Both are a developer's, or lie in an environment of their own.
    from mypyc.build import mypycify  # noqa: PLC0415
    from setuptools import Distribution  # noqa: PLC0415

    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into.parent) as work:
        paths = [str(path.relative_to(ROOT)) for path in sources().values()]
        extensions = mypycify(
            ["--config-file=", "--ignore-missing-imports", *paths],
            opt_level=OPTIMISATION,
            target_dir=f"{work}/c",
            group_name=SHARED.removesuffix("__mypyc"),
        )
        distribution = Distribution({"name": "rules", "ext_modules": extensions})
        command = distribution.get_command_obj("build_ext")
        command.build_lib, command.build_temp = f"{work}/made", f"{work}/objects"
        command.ensure_finalized()
        command.run()
        for old in into.parent.glob(f"{sys.implementation.cache_tag}-*"):
            shutil.rmtree(old)
        Path(f"{work}/made").rename(into)


def main() -> int:
    """Compile the rules unless they are, or say in one line why not."""
    into = folder()
    if into.is_dir():
        return 0
    reason = lacking()
    if reason:
        sys.stderr.write(f"The rules are not compiled: {reason}\n")
        return 0
    os.chdir(ROOT)
    build(into)
    return 0


if __name__ == "__main__":
    sys.exit(main())
