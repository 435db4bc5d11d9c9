"""The rules in machine code, where they were compiled (`./run compile`), and how they are found.

There is one source, the Python in `companion/rules`; mypyc compiles it. What was compiled lies in
the environment, in a folder named by the source, so that it is never used for any other.
"""

import copyreg
import hashlib
import os
import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

VARIABLE: Final = "TIKI_RULES"
"""Of the environment: `plain` for the rules as they are written, `compiled` for nothing else."""
ROOT: Final = Path(__file__).parents[2]
SHARED: Final = "rules__mypyc"
"""The library that holds the code of all modules."""
# What reads and writes texts needs classes that mypyc cannot compile, and no speed.
UNCOMPILED: Final = frozenset(("__init__", "forms", "setup"))


@cache
def sources() -> dict[str, Path]:
    """Return the modules that are compiled, with their files: how each game is played."""
    rules = ROOT / "companion" / "rules"
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in sorted(rules.glob("*/*.py"))
        if path.stem not in UNCOMPILED
    }


def folder() -> Path:
    """Return where these sources are when they are compiled for this Python."""
    digest = hashlib.sha256()
    for name, path in sources().items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    tag = f"{sys.implementation.cache_tag}-{digest.hexdigest()[:16]}"
    return Path(sys.prefix) / "compiled-rules" / tag


def _fields_of(thing: Any) -> tuple[type, tuple[Any, ...]]:
    return type(thing), tuple(getattr(thing, field.name) for field in fields(thing))


class _Loader(ExtensionFileLoader):
    """Has the frozen classes of compiled modules pickled, which mypyc leaves out."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        # Those that it imports may have come without a loader.
        for name in sources().keys() & sys.modules.keys():
            for kind in vars(sys.modules[name]).values():
                if isinstance(kind, type) and is_dataclass(kind):
                    copyreg.pickle(kind, _fields_of)


class _Finder(MetaPathFinder):
    """Finds the modules of a folder in place of their sources."""

    def __init__(self, here: Path) -> None:
        self._here = here

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path
        if name != SHARED and name not in sources():
            return None
        *packages, _ = name.split(".")
        spec = PathFinder.find_spec(name, [str(self._here.joinpath(*packages))], target)
        if spec and spec.origin:
            spec.loader = _Loader(name, spec.origin)
        return spec


def use() -> None:
    """Have the compiled rules imported from now on, if there are any.

    Raises ImportError if the environment asks for them and there are none.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "plain":
        return
    here = folder()
    if here.is_dir():
        sys.meta_path.insert(0, _Finder(here))
    elif wanted == "compiled":
        raise ImportError(
            f"{VARIABLE}=compiled, but these rules are not compiled; ./run compile does that"
        )
