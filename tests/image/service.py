"""The service on the table's machine, as somebody sees it who sits down at its terminal."""

import base64
import gzip
import json
import re
from typing import Any, Final

from tests.hil.inside.table import replaced
from tests.image.container import Container
from tests.image.machine import Machine, NoAnswer

CONFIG: Final = "/etc/tiki/tiki.toml"
MAX_EXPOSURE: Final = 2.0
BROKEN: Final = "Traceback|PermissionError|Operation not permitted|Errno 1\\]"
SHOW: Final = "systemctl show tiki --value -p "


class Service:
    """tiki.service on *machine*."""

    def __init__(self, machine: Machine | Container) -> None:
        self._ask, self._command = machine.ask, machine.command

    def shown(self, name: str) -> str:
        """Return a property, as `systemctl show` has it."""
        return self._ask(SHOW + name)

    @property
    def failed_units(self) -> str:
        """All units of the machine that have failed."""
        return self._ask("systemctl list-units --failed --no-legend --plain --no-pager")

    def restart(self, within_s: float) -> None:
        """Restart it, and wait until systemd calls it started."""
        self._ask("systemctl restart tiki", within_s)

    def stop(self) -> None:
        """Stop it."""
        self._ask("systemctl stop tiki")

    def key(self) -> str:
        """Return the host's key, from the address in the journal; raises NoAnswer."""
        said = self.journal()
        found = re.search(r"http\S+[?&]key=([^\s&]+)", said)
        if not found:
            raise NoAnswer(f"the journal has no host's address: {said[-1000:]}")
        return found[1]

    def journal(self) -> str:
        """Return what it has said since the machine started."""
        return self._ask("journalctl -b -u tiki -o cat --no-pager")

    def exposure(self) -> float:
        """Return what systemd-analyze says of the running unit, 0 to 10."""
        found = re.search(r"exposure level for \S+: ([\d.]+)", said := self._security())
        if not found:
            raise NoAnswer(f"no exposure level: {said[-500:]}")
        return float(found[1])

    def _security(self) -> str:
        return self._command("systemd-analyze security tiki --no-pager")[1]

    def limits(self) -> dict[str, str]:
        """Return what the kernel says of its main process, by name."""
        text = self._ask(f"cat /proc/$({SHOW}MainPID)/status")
        lines = re.findall(r"^(\w+):(.*)$", text, re.MULTILINE)
        return {name: value.strip() for name, value in lines}

    def user(self) -> str:
        """Return who its main process is."""
        return self._ask(f"stat -c %U /proc/$({SHOW}MainPID)")

    def denials(self) -> str:
        """Return what the kernel, or it itself, says of things that it may not do."""
        said = self._command(
            f"journalctl -b -u tiki -o cat --no-pager | grep -E '{BROKEN}';"
            " journalctl -b -k -o cat --no-pager | grep -E 'type=1326|apparmor=\"DENIED\"'"
        )[1]
        return said.strip()

    def doctor(self) -> dict[str, str]:
        """Return what `tiki doctor` says, by the name of the line."""
        said = self._command(f"tiki doctor --json --config {CONFIG}", 300)[1]
        try:
            checks: list[dict[str, Any]] = json.loads(said.splitlines()[-1])["checks"]
        except (LookupError, ValueError):
            raise NoAnswer(f"the doctor says: {said[-1000:]}") from None
        return {each["name"]: f"{each['status']}: {each['detail']}" for each in checks}

    def change(self, *changes: tuple[str, str]) -> None:
        """Change the settings: the first of each pair becomes the second; all have to be there."""
        text = replaced(without_comments(self._ask(f"cat {CONFIG}")), *changes)
        packed = base64.b64encode(gzip.compress(text.encode())).decode()
        self._ask(f"echo {packed} | base64 -d | gunzip >{CONFIG}")

    def check_games(self) -> str:
        """Return what is wrong with the saved games; the service stands still meanwhile."""
        self.stop()
        status, said = self._command("tiki log check /var/lib/tiki/games.db", 300)
        return said if status else ""


def without_comments(settings: str) -> str:
    """Return *settings* without the lines that are comments."""
    lines = [line for line in settings.splitlines() if not line.startswith("#")]
    return "\n".join(lines) + "\n"
