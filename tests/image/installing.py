"""From a bought card to a table that runs: `deploy/install.sh`, under the machine's own systemd."""

import random
import time
from typing import Any, Final

from tests.claims import Claims
from tests.image.container import Container
from tests.image.judge import DOINGS, Known, Row, doing, faults
from tests.image.machine import Machine, NoAnswer
from tests.image.phone import Phone
from tests.image.service import MAX_EXPOSURE, SHOW, Service

INSTALL: Final = (
    "PIP_NO_INDEX=1 PIP_FIND_LINKS=/mnt/wheels TIKI_HEALTHY_S=600 sh /mnt/tiki/deploy/install.sh"
)
"""The stick has what the network would bring."""
INSTALL_S: Final = 1800.0
START_S: Final = 300.0
READ_S: Final = 900.0
"""The networks that read pictures take 30 times as long in an emulated machine."""
HUNG_S: Final = 150.0
FILM: Final = (
    "from pathlib import Path; from tests.hil.inside import film;"
    " film.load(Path('/mnt/tiki/companion/recordings/tactiki'), ['001.jpg', '003.jpg'])"
)
"""The table at the start, and after the first move."""
LEARNED: Final = "/var/lib/tiki/games.tactiki@*.colours.jpg"
PYTHON: Final = "PYTHONPATH=/mnt/tiki /opt/tiki/current/venv/bin/python -B -c"
SMALL: Final = (
    ("width_px = 1536", "width_px = 1024"),
    ("height_px = 864", "height_px = 576"),
    ("rate_hz = 5.0", "rate_hz = 2.0"),
)
"""As large as the recorded pictures are, and no more of them than can be read."""
RIGHTS: Final = {
    "/dev/gpiochip0": "gpio:660",
    "/dev/i2c-1": "i2c:660",
    "/dev/dma_heap/system": "video:660",
}


def wait_for_page(machine: Machine | Container) -> None:
    """Return once its page answers; raises NoAnswer."""
    phone = Phone(f"http://127.0.0.1:{machine.port}", "", Known())
    phone.wait_until(lambda _: True, START_S, "the page")
    phone.put_away()


def wait_for_system(machine: Machine | Container) -> None:
    """Return once all of the system has started; raises NoAnswer."""
    deadline_s = time.monotonic() + START_S
    while machine.command("systemctl is-system-running")[1].strip() not in ("running", "degraded"):
        if time.monotonic() > deadline_s:
            raise NoAnswer("the system does not start")
        time.sleep(1)


def install(machine: Machine | Container, claims: Claims) -> None:
    """Install, and look at what is there then."""
    claim = claims.claim
    wait_for_system(machine)
    claim("the card has nothing of the companion", machine.command("ls /opt/tiki/current")[0] != 0)
    began_s = time.monotonic()
    status, said = machine.command(INSTALL, INSTALL_S)
    took_s = time.monotonic() - began_s
    claim(f"installed under systemd, without a network, in {took_s:.0f} s", status == 0, said)
    claim("it says where the page is", "For the host" in said, said)
    judge_service(machine, claims)
    status, said = machine.command(INSTALL, INSTALL_S)
    claim("again: nothing is disturbed", "is installed, and runs" in said, said)


def judge_service(machine: Machine | Container, claims: Claims) -> None:
    """Look at the service that runs."""
    service, claim = Service(machine), claims.claim
    claim("systemd calls it active", (now := service.shown("ActiveState")) == "active", now)
    claim("it has never been restarted", (now := service.shown("NRestarts")) == "0", now)
    claim("no unit has failed", not (now := service.failed_units), now)
    claim("it runs as the user tiki", (now := service.user()) == "tiki", now)
    limits = service.limits()
    shut = {"CapEff": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}
    claim("it has no capability, and can get none", shut.items() <= limits.items(), limits)
    exposure = service.exposure()
    claim(f"its exposure is {exposure}", exposure <= MAX_EXPOSURE)
    if isinstance(machine, Machine):
        rights = {path: machine.ask(f"stat -c %G:%a {path}") for path in RIGHTS}
        claim("udev lets the table's groups use its devices", rights == RIGHTS, rights)
    claim("nothing was forbidden that it wants", not (now := service.denials()), now)
    before = service.shown("WatchdogTimestampMonotonic")
    time.sleep(35)
    claim("its watchdog is fed", service.shown("WatchdogTimestampMonotonic") != before)
    status = service.shown("StatusText")
    claim(f"it says how it is: {status}", status)


def hang(machine: Machine | Container, claims: Claims) -> None:
    """Let the service hang, as a program does that waits for ever; systemd has to notice."""
    service = Service(machine)
    machine.ask(f"kill -STOP $({SHOW}MainPID)")
    began_s = time.monotonic()
    while service.shown("NRestarts") == "0" and time.monotonic() - began_s < HUNG_S:
        time.sleep(2)
    took_s = time.monotonic() - began_s
    claims.claim(f"hung, it is ended after {took_s:.0f} s", service.shown("NRestarts") == "1")
    wait_for_page(machine)
    claims.claim("and its page answers again", service.shown("ActiveState") == "active")


class CameraEvening:
    """A game that only the camera sees, on the virtual camera behind picamera2 and libcamera."""

    def __init__(self, machine: Machine, claims: Claims, rng: random.Random) -> None:
        self._machine, self._claims, self._rng = machine, claims, rng

    def play(self) -> None:
        """Let it see the table, then a move; then the power is gone."""
        machine, claim = self._machine, self._claims.claim
        service = Service(machine)
        machine.ask(f'{PYTHON} "{FILM}"')
        service.change(*SMALL)
        service.restart(START_S)
        url, key = f"http://127.0.0.1:{machine.port}", service.key()
        phone = Phone(url, key, Known())
        began_s = time.monotonic()
        board = phone.wait_until(self._has_learned, READ_S, "a picture to learn from")
        phone.follow()
        took_s = time.monotonic() - began_s
        claim(
            f"picamera2 runs within the unit's limits; its colours are known in {took_s:.0f} s",
            True,
        )
        claim("the page warns of nothing", not board["warnings"], board["warnings"])
        machine.ask("echo 1 >/run/tiki-scene.new; mv /run/tiki-scene.new /run/tiki-scene")
        phone.wait_until(lambda _: _seen(phone.known.shown), READ_S, "a move that the camera saw")
        claim(f"the camera sees {_seen(phone.known.shown)[0]}", True)
        claim("nothing was forbidden that it wants", not (now := service.denials()), now)
        phone.put_away()
        machine.pull(self._rng)
        machine.power_up()
        phone = Phone(url, key, phone.known)
        phone.wait_until(lambda _: True, START_S, "the page")
        _, rows = phone.record()
        wrong = faults(phone.known, rows)
        claim(f"its plug pulled, all {len(rows)} rows are there", not wrong, wrong)

    def _has_learned(self, board: dict[str, Any]) -> bool:
        # Looked for last: it takes the terminal a while.
        return not board["waiting"] and self._machine.command(f"ls {LEARNED}")[0] == 0


def _seen(rows: list[Row]) -> list[str]:
    """Return the moves that a picture has shown."""
    return [doing(row) for row in rows if row["type"] in DOINGS and row.get("frame")]
