"""`./run image-test`: install, start, play, and pull the plug, on a machine of its own."""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import httpx

from tests.claims import Claims
from tests.image.card import Card
from tests.image.container import Container
from tests.image.installing import CameraEvening, hang, install, wait_for_page
from tests.image.machine import Machine, NoAnswer, Parts
from tests.image.plugging import Evening
from tests.image.service import Service
from tests.running import free_port

HERE: Final = Path(__file__).parent
LAST: Final = {False: "installed.raw", True: "installed-in-container.raw"}
"""The card as the last run has installed it, in a container or not, beside the bought one."""


def parts(stick: Path, words: list[str]) -> Parts:
    """Return what a machine is made of; what is missing is built.  Raises CalledProcessError."""
    command = ["sh", str(HERE / "parts.sh"), *words, str(stick)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Parts(Path(done.stdout.strip()), stick)


def copy(card: Path, target: Path) -> None:
    """Copy the image of a card, its holes as holes."""
    draft = target.with_suffix(".part")
    subprocess.run(["cp", "--sparse=always", card, draft], check=True)
    draft.replace(target)


def make_table(machine: Machine | Container, claims: Claims) -> None:
    """Make a table of a machine with a bought card, and leave it off."""
    machine.power_up()
    install(machine, claims)
    machine.switch_off()


def pull_plugs(
    machine: Machine | Container, claims: Claims, rng: random.Random, kills: int
) -> None:
    """Let the machine of a table lose its power so often, and end with a look at its games."""
    evening = Evening(machine, claims, rng)
    evening.begin(evening.wire())
    while evening.pulls < kills:
        evening.start_and_pull()
    evening.start()
    claims.claim(f"{evening.heard} presses and falls were heard on their wires", evening.heard)
    service = Service(machine)
    claims.claim("no game is damaged", not (said := service.check_games()), said)
    fastest, slowest = min(evening.boots_s), max(evening.boots_s)
    print(f"   from power to page: {fastest:.0f} to {slowest:.0f} s; {evening.pulls} pulls")
    machine.switch_off()


def main() -> int:
    """Do it, and return 1 if a claim was not so."""
    parser = argparse.ArgumentParser(prog="./run image-test", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, metavar="N", help="pulls; default: 20")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other instants")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="leave card and console there")
    parser.add_argument("--rebuild", action="store_true", help="with the packages of today")
    parser.add_argument(
        "--installed",
        action="store_true",
        help="what the last run has installed",
    )
    parser.add_argument(
        "--container", action="store_true", help="without QEMU: minutes, simulated sensors"
    )
    given = parser.parse_args()
    claims = Claims("image-test")
    with ExitStack() as stack:
        work = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        work.mkdir(parents=True, exist_ok=True)
        try:
            made = parts(work / "stick.squashfs", ["--rebuild"] if given.rebuild else [])
        except subprocess.CalledProcessError:
            return 1
        last = made.folder / LAST[given.container]
        if given.installed and not last.exists():
            sys.exit("run: nothing was installed yet; try: ./run image-test")
        copy(last if given.installed else made.folder / "card.raw", work / "card.raw")
        machine = stack.enter_context(powerless(made, work, container=given.container))
        try:
            run(machine, claims, given, last)
        except (NoAnswer, httpx.HTTPError) as error:
            claims.claim("it goes on", False, error)
            print(machine.said.read_text(errors="replace")[-2000:], file=sys.stderr)
    print(claims.closing)
    return 1 if claims.failed else 0


@contextmanager
def powerless(made: Parts, work: Path, *, container: bool) -> Iterator[Machine | Container]:
    """Yield a machine that is off, with the card in *work*; in the end it is off again."""
    if container:
        found = Container(work / "card.raw", made.stick, work)
        try:
            yield found
        finally:
            found.remove()
        return
    with Card(work / "card.raw", work / "card") as card:
        machine = Machine(made, card, work, free_port())
        try:
            yield machine
        finally:
            machine.cut()


def run(
    machine: Machine | Container, claims: Claims, given: argparse.Namespace, last: Path
) -> None:
    """Do what is *given*; *last* is where the installed card is kept.  Raises NoAnswer."""
    rng = random.Random(given.seed)
    if not given.installed:
        make_table(machine, claims)
        copy(machine.image, last)
    machine.power_up()
    wait_for_page(machine)
    if not given.installed:
        hang(machine, claims)
    if isinstance(machine, Machine):
        CameraEvening(machine, claims, rng).play()
    pull_plugs(machine, claims, rng, given.kills)


if __name__ == "__main__":
    sys.exit(main())
