"""The tests on trial: `./run mutate` alters the code bit by bit and tells what no test noticed.

Each part of tests/mutation.toml is altered in a copy under build/mutation, by mutmut. What is
decorated or stands outside of functions is left alone; so is what runs on import only.
"""

import argparse
import shutil
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PARTS: Final = ROOT / "tests" / "mutation.toml"
WORK: Final = ROOT / "build" / "mutation"
# What a copy is made of; mutmut copies these again, and alters the copies.
COPIED: Final = (
    "companion",
    "docs",
    "hardware",
    "rendering",
    "run",
    "tests",
    "training",
    "vision",
    "README.md",
)
NOTICED: Final = ("killed", "timeout", "segfault")
MISSED: Final = ("survived", "no tests", "suspicious")


class BadPath(ValueError):
    """A path that belongs to no part."""


@dataclass(frozen=True)
class Part:
    """Modules that are altered, as patterns of paths, and the tests that ought to notice."""

    package: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self) -> tuple[str, ...]:
        """Return the paths of the modules, from the root."""
        found = {str(path.relative_to(ROOT)) for each in self.sources for path in ROOT.glob(each)}
        return tuple(sorted(found))


def read_parts() -> tuple[Part, ...]:
    """Return all parts of the file."""
    parts = tomllib.loads(PARTS.read_text(encoding="utf-8"))["part"]
    return tuple(
        Part(part["package"], tuple(part["sources"]), tuple(part["tests"])) for part in parts
    )


def choose(parts: Sequence[Part], paths: Sequence[str]) -> dict[Part, tuple[str, ...]]:
    """Return the modules to alter, by part: all, or those at or below *paths*; raises BadPath."""
    if not paths:
        return {part: part.modules() for part in parts}
    wanted = [str(Path(path)) for path in paths]
    chosen: dict[Part, tuple[str, ...]] = {}
    for part in parts:
        modules = [
            module
            for module in part.modules()
            if any(module == path or module.startswith(f"{path}/") for path in wanted)
        ]
        if modules:
            chosen[part] = tuple(modules)
    found = [module for modules in chosen.values() for module in modules]
    for path in wanted:
        if not any(module == path or module.startswith(f"{path}/") for module in found):
            packages = ", ".join(sorted({part.package for part in parts}))
            raise BadPath(f"'{path}' is no module or folder of {packages} in tests/mutation.toml")
    return chosen


def prepare(folder: Path, part: Part, modules: Sequence[str]) -> None:
    """Lay out a copy of the project in *folder*, with the words for mutmut in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        link = folder / name
        if not link.exists():
            link.symlink_to(ROOT / name)
    lists = {
        "source_paths": ["companion"],
        "only_mutate": modules,
        "also_copy": [name for name in COPIED if name not in ("companion", "tests")],
        "pytest_add_cli_args": ["-p no:cacheprovider", "-p no:randomly"],
        "pytest_add_cli_args_test_selection": part.tests,
    }
    told = "".join(f"{key}=" + "\n    ".join(lists[key]) + "\n" for key in lists)
    (folder / "setup.cfg").write_text(f"[mutmut]\n{told}", encoding="utf-8")
    (folder / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())


def run_mutmut(folder: Path, children: int, limit_s: float | None) -> None:
    """Let mutmut try the copy in *folder*, for *limit_s* at most.

    It shows in a terminal how it goes; otherwise it tells the file mutmut.log there.
    Raises RuntimeError, with that file's last lines, if it could not try anything.
    """
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children)]
    log = folder / "mutmut.log"
    with log.open("wb") as file:
        out = None if sys.stdout.isatty() else file
        with subprocess.Popen(command, cwd=folder, stdout=out, stderr=out) as process:
            try:
                code = process.wait(limit_s)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)  # it stops its workers, and keeps what it knows
                code = 0
    if code:
        raise RuntimeError("\n".join(log.read_text(errors="replace").splitlines()[-30:]))


def ask_mutmut(folder: Path, *words: str) -> str:
    """Return what mutmut answers about the copy in *folder*."""
    command = [sys.executable, "-m", "mutmut", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def read_results(folder: Path) -> dict[str, str]:
    """Return what became of each mutant: "killed", "survived", "no tests", "not checked", ..."""
    lines = ask_mutmut(folder, "results", "--all", "true").splitlines()
    return dict(line.strip().split(": ", 1) for line in lines if ": " in line)


def change(folder: Path, mutant: str) -> str:
    """Return the lines that *mutant* takes away and puts in."""
    lines = ask_mutmut(folder, "show", mutant).splitlines()
    told = (line for line in lines if line[:1] in ("-", "+") and line[:3] not in ("---", "+++"))
    return "\n".join(f"    {line}" for line in told)


def score(counts: Counter[str]) -> str:
    """Return how many mutants were noticed, of those that were tried.

    >>> score(Counter({"killed": 8, "timeout": 1, "survived": 2, "no tests": 1, "not checked": 4}))
    '75 %: 9 of 12 noticed, 4 not tried'
    """
    noticed = sum(counts[kind] for kind in NOTICED)
    tried = noticed + sum(counts[kind] for kind in MISSED)
    share = f"{100 * noticed // tried} %: {noticed} of {tried} noticed" if tried else "none tried"
    left = counts["not checked"]
    return f"{share}, {left} not tried" if left else share


def main() -> None:
    """Try the parts that were asked for, and print a score for each module and package."""
    parser = argparse.ArgumentParser(prog="./run mutate", description=__doc__)
    parser.add_argument("paths", nargs="*", help="modules or folders; all parts without any")
    parser.add_argument("--children", type=int, default=1, help="mutants tried at the same time")
    parser.add_argument("--minutes", type=float, help="for each part, at most")
    parser.add_argument("--show", type=int, default=20, help="changes nobody noticed, a part")
    asked = parser.parse_args()
    try:
        chosen = choose(read_parts(), asked.paths)
    except BadPath as error:
        parser.error(str(error))
    packages: dict[str, Counter[str]] = {}
    for part, modules in chosen.items():
        folder = WORK / "-".join(Path(modules[0]).with_suffix("").parts)
        shutil.rmtree(folder, ignore_errors=True)
        prepare(folder, part, modules)
        run_mutmut(folder, asked.children, asked.minutes and 60 * asked.minutes)
        results = read_results(folder)
        counted: dict[str, Counter[str]] = {}
        for mutant, result in results.items():
            counted.setdefault(mutant.rsplit(".", 1)[0], Counter())[result] += 1
        for module, counts in counted.items():
            print(f"{module:<44} {score(counts)}")
            packages.setdefault(part.package, Counter()).update(counts)
        missed = [mutant for mutant, result in results.items() if result in MISSED]
        for mutant in missed[: asked.show]:
            print(f"  {mutant}: {results[mutant]}\n{change(folder, mutant)}")
    for package, counts in packages.items():
        print(f"{package:<44} {score(counts)}")


if __name__ == "__main__":
    main()
