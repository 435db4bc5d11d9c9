"""The steps of `./run pi` that compare: `python -P -m tests.pi STEP`; needs no package but `write`.

read OUTPUT EVERY     what `tiki read` printed of each EVERYth picture, with what x86-64 reads
replay OUTPUT GAME    what `tiki replay --json` printed, the same
pictures EVERY        names those pictures, for `tiki read`
write                 writes what this machine reads as what is right
"""

import contextlib
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tests.pi.decisions import (
    EXPECTED,
    BadDecisions,
    Decisions,
    chosen,
    decided,
    differences,
    first_difference,
    load,
    picture_of,
    write,
)

RECORDINGS: Final = Path(__file__).parents[2] / "companion" / "recordings"


def compare_pictures(output: Path, every: int) -> int:
    """Say which pictures were read otherwise; return how many."""
    known = load()
    names = chosen(known.pictures, every)
    odd = list(differences(known.pictures, names, output.read_text().splitlines()))
    for each in odd:
        print(f"pi: {each}")
    print(f"pi: {len(names) - len(odd)} of {len(names)} pictures are read as on x86-64")
    return len(odd)


def compare_replay(output: Path, game: str) -> int:
    """Say where the replay of *game* went otherwise; return 1 if it did."""
    events = load().events[game]
    odd = first_difference(events, output.read_text().splitlines())
    told = f"differs: {odd}" if odd else f"{len(events)} of {len(events)} events are as on x86-64"
    print(f"pi: {game}: {told}")
    return 1 if odd else 0


def list_pictures(every: int) -> int:
    """Print the path of each picture that is to be read, from the repository's root."""
    for name in chosen(load().pictures, every):
        print(f"companion/recordings/{name}")
    return 0


def printed(words: Sequence[str]) -> list[str]:
    """Return the lines that a `tiki` command prints, whether or not it succeeds."""
    from companion.cli import main  # noqa: PLC0415  # nothing else here needs a package

    with contextlib.redirect_stdout(io.StringIO()) as said:
        main(words)
    return said.getvalue().splitlines()


def decide(folder: Path = RECORDINGS) -> Decisions:
    """Return what is decided here on the recordings in *folder*."""
    pictures: dict[str, Any] = {}
    events: dict[str, list[Any]] = {}
    for recording in sorted(each for each in folder.iterdir() if each.is_dir()):
        paths = sorted(str(each) for each in recording.glob("*.jpg"))
        pictures.update(picture_of(json.loads(line)) for line in printed(["read", *paths]))
        lines = printed(["replay", "--json", str(recording)])
        events[recording.name] = [decided(json.loads(line)) for line in lines]
    return Decisions(pictures, events)


def write_expected() -> int:
    """Write what is decided here as what is right everywhere."""
    found = decide()
    write(found)
    count = sum(len(each) for each in found.events.values())
    print(f"pi: {EXPECTED}: {len(found.pictures)} pictures, {count} events")
    return 0


def main(words: Sequence[str]) -> int:
    """Take a step; return its exit status, 2 for words that are no step."""
    steps: dict[tuple[str, int], Callable[..., int]] = {
        ("read", 2): lambda output, every: compare_pictures(Path(output), int(every)),
        ("replay", 2): lambda output, game: compare_replay(Path(output), game),
        ("pictures", 1): lambda every: list_pictures(int(every)),
        ("write", 0): write_expected,
    }
    step = steps.get((words[0] if words else "", len(words) - 1))
    if step is None:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return 1 if step(*words[1:]) else 0
    except (BadDecisions, OSError, ValueError, KeyError) as error:
        print(f"pi: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
