"""What the companion and its libraries say of the emulated Raspberry Pi 4 on which this runs."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

DOCTOR: Final = "import sys; from companion.cli import main; sys.exit(main())"
ROOT: Final = Path(__file__).parents[3]
MODEL: Final = Path("/proc/device-tree/model")
CHIPS: Final = Path("/sys/bus/gpio/devices")
WIRED: Final = (
    ("sensors", 'kind = "fake"', 'kind = "wired"'),
    ("buttons", 'kind = "fake"', 'kind = "wired"'),
)


def wired(settings: str) -> str:
    """Return *settings* with sensors and buttons on the header's wires."""
    parts = settings.split("\n[")
    for section, before, after in WIRED:
        parts = [
            part.replace(before, after, 1) if part.startswith(f"{section}]") else part
            for part in parts
        ]
    changed = "\n[".join(parts)
    assert changed.count('kind = "wired"') >= len(WIRED), "deploy/tiki.toml has changed"
    pins = "tilt_0 = true\nidol_a = true\nidol_b = true\ndone_0 = true\nundo = true\n"
    return changed.replace("[pins]\n", f"[pins]\n{pins}", 1)


def say_pins() -> bool:
    """Say what gpiozero finds on the chip of the header; return whether it is a Raspberry Pi 4."""
    from gpiozero import Button  # noqa: PLC0415

    from hardware.header import header_chip, pin_factory  # noqa: PLC0415

    chip, factory = header_chip(), pin_factory()
    print(f"the header's chip: {chip}")
    board = factory.board_info
    print(
        f"LGPIOFactory: Raspberry Pi {board.model}, revision {board.revision}, chip {factory.chip}"
    )
    # QEMU's pins have no resistors, so what it reads tells nothing.
    Button(4, pin_factory=factory, bounce_time=0.01).close()
    print("a button on GPIO4 opens and closes")
    factory.close()
    return str(board.model) == "4B" and chip is not None and chip.number == factory.chip


def chips() -> list[str]:
    """Return the labels of the kernel's GPIO chips that are a Raspberry Pi's."""
    import lgpio  # noqa: PLC0415

    found = []
    for number in range(len(list(CHIPS.glob("gpiochip*")))):
        handle = lgpio.gpiochip_open(number)
        _, lines, name, label = lgpio.gpio_get_chip_info(handle)
        print(f"{name}: {label}, {lines} lines")
        lgpio.gpiochip_close(handle)
        found.append(str(label))
    return found


def main() -> int:
    """Say all of it; return 1 if the board is not what it should be."""
    os.environ["LG_WD"] = "/tmp"  # where lgpio keeps small files
    print(f"model: {MODEL.read_bytes().decode().rstrip(chr(0))}")
    is_right = "pinctrl-bcm2711" in chips()
    is_right &= say_pins()
    settings = Path("/tmp/wired.toml")
    settings.write_text(wired((ROOT / "deploy" / "tiki.toml").read_text()))
    sys.stdout.flush()
    doctor = [sys.executable, "-P", "-c", DOCTOR, "doctor", "--config", str(settings)]
    subprocess.run(doctor, check=False, cwd=ROOT)  # lgpio has gone to its own folder
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
