"""The wires of a pin plan, for people: a table, and a drawing to print."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from hardware.pins import HEADER, Board, Pin, PinPlan, Role

WIDTH_MM: Final = 210
HEIGHT_MM: Final = 297
_GROUND: Final = "GND"
_ROWS: Final = 20

# Okabe and Ito's colours, which colour-blind people can tell apart; every wire is named as well.
_COLOURS: Final = {
    "tilt": "#d55e00", "idol": "#0072b2", "done": "#009e73", "uno": "#009e73", "me": "#009e73",
    "undo": "#a0508a", "pause": "#a0508a", "pixels": "#c98500", "bus": "#2a9fd6", "GND": "#000000",
    "3V3": "#b3005e", "5V": "#c00000", "free": "#7a7a7a",
}  # fmt: skip
_BUSES: Final = {
    0: "leave it free for add-on boards", 1: "leave it free for add-on boards",
    2: "OLED display: SDA", 3: "OLED display: SCL",
    8: "matrix display: CS", 10: "matrix display: DIN", 11: "matrix display: CLK",
}  # fmt: skip
"""What hangs on the header's pins that no device of ours may have, by BCM number."""
_RAILS: Final = {
    1: "3.3 V for the OLED", 17: "3.3 V for an encoder's board",
    2: "5 V for a matrix display", 4: "5 V, never for more than a few lights",
}  # fmt: skip
_NOTES: Final = {
    "header": (
        "Raspberry Pi: the wires on its header",
        "Seen from above; the right row lies at the edge. Settings use the GPIO numbers.",
    ),
    "pico": (
        "Raspberry Pi Pico: the wires on its edges",
        "Seen from above, the chip facing you. Settings use the GP numbers.",
    ),
}


@dataclass(frozen=True, slots=True)
class _Wire:
    """A terminal of a device, where it goes, and the kind of wire that goes there."""

    terminal: str
    where: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Box:
    """A device: its name, its terminals, and what to note."""

    name: str
    wires: tuple[_Wire, ...]
    notes: tuple[str, ...]


def wiring_table(plan: PinPlan) -> str:
    """Return the wires of *plan* as a table in Markdown, its last line ended."""
    lines = ["| wire | what for | from | to |", "|---|---|---|---|"]
    for role, pin in plan.pins.items():
        label = plan.board.label(pin)
        lines.append(f"| `{role.name}` | {role.what} | {label} | {_other_end(plan, role, pin)} |")
    if plan.board is HEADER:
        for pin in HEADER.pins:
            device, _, terminal = _BUSES.get(pin.number, "").partition(": ")
            if "display" in device:
                lines.append(f"| | {device} | {HEADER.label(pin)} | its {terminal} |")
    return "\n".join(lines) + "\n"


def _other_end(plan: PinPlan, role: Role, pin: Pin) -> str:
    kind = _kind(role)
    if kind == "pixels":
        return "the level shifter's input"
    ground = f"ground, nearest is pin {_nearest_ground(plan.board, pin)}"
    if kind == "idol":
        output = {"idol_a": "A", "idol_b": "B", "idol_index": "Z, if it has one"}[role.name]
        return f"the encoder's {output}"
    return f"the {'switch' if kind == 'tilt' else 'button'}, then {ground}"


def _kind(role: Role) -> str:
    return role.name.partition("_")[0]


def _nearest_ground(board: Board, pin: Pin) -> int:
    column, row = _place(board, pin.physical)

    def distance(physical: int) -> int:
        other_column, other_row = _place(board, physical)
        return abs(row - other_row) + abs(column - other_column) * (1 if board is HEADER else 40)

    return min((each for each, rail in board.rails.items() if rail == _GROUND), key=distance)


def _place(board: Board, physical: int) -> tuple[int, int]:
    """Return column, 0 left and 1 right, and row from the top of a pin seen from above."""
    if board is HEADER:
        return (physical - 1) % 2, (physical - 1) // 2
    return (0, physical - 1) if physical <= _ROWS else (1, 2 * _ROWS - physical)


def draw_wiring(plan: PinPlan) -> str:
    """Return the wires of *plan* as a drawing in SVG, one A4 page upright, its last line ended."""
    title, subtitle = _NOTES[plan.board.name]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_MM}mm" height="{HEIGHT_MM}mm"',
        f'viewBox="0 0 {WIDTH_MM} {HEIGHT_MM}" font-family="DejaVu Sans, Verdana, sans-serif">',
        f'<rect width="{WIDTH_MM}" height="{HEIGHT_MM}" fill="#ffffff"/>',
        _text(WIDTH_MM / 2, 14, title, size=6, anchor="middle", bold=True),
        _text(WIDTH_MM / 2, 20.5, subtitle, anchor="middle"),
        *_draw_board(plan),
        *_draw_boxes(_boxes(plan)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


_TOP_MM: Final = 33.0
_PITCH_MM: Final = 7.2
_HALF_MM: Final = {"header": 3.6, "pico": 13.0}
"""From the middle of the board to a column of pins."""
_EDGE_MM: Final = 8.0
_LABEL_MM: Final = 34.0
"""From the middle of the board to the labels."""


def _draw_board(plan: PinPlan) -> Iterator[str]:
    middle, half = WIDTH_MM / 2, _HALF_MM[plan.board.name]
    width = 2 * half + _EDGE_MM
    yield (
        f'<rect x="{middle - width / 2:g}" y="{_TOP_MM - 6:g}" width="{width:g}"'
        f' height="{_PITCH_MM * (_ROWS - 1) + 12:g}" rx="2" fill="#e9efe9" stroke="#555555"'
        ' stroke-width="0.4"/>'
    )
    if plan.board is not HEADER:
        yield f'<rect x="{middle - 4:g}" y="{_TOP_MM - 9:g}" width="8" height="6" fill="#b9b9b9"/>'
        yield _text(middle, _TOP_MM - 5, "USB", anchor="middle", size=2.4)
    for physical in range(1, 2 * _ROWS + 1):
        yield from _draw_pin(plan, physical, middle, half)


def _draw_pin(plan: PinPlan, physical: int, middle: float, half: float) -> Iterator[str]:
    column, row = _place(plan.board, physical)
    side = 1 if column else -1
    x, y = middle + side * half, _TOP_MM + row * _PITCH_MM
    name, what, kind = _end(plan, physical)
    colour = _COLOURS[kind]
    if kind != "free":
        stroke = 1.3 if kind in ("GND", "3V3", "5V") else 0.9
        end = middle + side * _LABEL_MM
        yield (
            f'<line x1="{x:g}" y1="{y:g}" x2="{end:g}" y2="{y:g}" stroke="{colour}"'
            f' stroke-width="{stroke:g}"/>'
        )
    corner = 0.4 if physical == 1 else 2.5  # pin 1 has a square pad
    yield (
        f'<rect x="{x - 2.5:g}" y="{y - 2.5:g}" width="5" height="5" rx="{corner:g}"'
        f' fill="#ffffff" stroke="{colour}" stroke-width="0.6"/>'
    )
    yield _text(x, y + 0.9, str(physical), anchor="middle", size=2.5)
    anchor = "start" if column else "end"
    edge = middle + side * (half + _EDGE_MM / 2 + 1)
    yield _text(edge, y - 1.1, name, anchor=anchor, size=2.3)
    faint = colour if kind == "free" else "#000000"
    yield _text(middle + side * (_LABEL_MM + 1.5), y + 1, what, anchor=anchor, colour=faint)


def _end(plan: PinPlan, physical: int) -> tuple[str, str, str]:
    """Return what a pin is called, what it is for, and the kind of its wire."""
    board = plan.board
    if rail := board.rails.get(physical):
        if rail == _GROUND:
            return rail, "ground", rail
        if board is HEADER:
            return rail, _RAILS[physical], rail
        wanted = {"3V3": "3.3 V for an encoder's board"}.get(rail, "")
        return rail, wanted, rail if wanted else "free"
    pin = next(pin for pin in board.pins if pin.physical == physical)
    name = f"{board.prefix}{pin.number}"
    for role, planned in plan.pins.items():
        if planned == pin:
            return name, role.what, _kind(role)
    if pin.held:
        kind = "bus" if "display" in _BUSES[pin.number] else "free"
        return name, _BUSES[pin.number], kind
    return name, "free", "free"


def _boxes(plan: PinPlan) -> list[_Box]:
    ground = _Wire(_GROUND, "any ground", _GROUND)
    boxes = []
    if plan.named("done", "uno", "me", "undo", "pause"):
        wires = (_Wire("one leg", "its pin", "done"), _Wire("the other", "any ground", _GROUND))
        notes = ("Pressed, it ties its pin to ground.", "The resistor is inside the board.")
        boxes.append(_Box("Each button", wires, notes))
    if plan.named("tilt"):
        wires = (_Wire("one leg", "its pin", "tilt"), _Wire("the other", "any ground", _GROUND))
        notes = ("Upright on its legs, below the playing", "board: it conducts while that stands.")
        boxes.append(_Box("Each ball switch (SW-520D)", wires, notes))
    if idol := plan.named("idol"):
        ends = [_Wire(_output(role), plan.board.label(pin), "idol") for role, pin in idol]
        notes = ("+ to 3.3 V, never to 5 V: its outputs", "would then harm the pins.")
        power = _Wire("+", "3V3", "3V3")
        boxes.append(_Box("The idol's encoder", (*ends, power, ground), notes))
    if pixels := plan.find("pixels"):
        boxes += _light_boxes(plan.board.label(pixels))
    boxes.append(_oled_box() if plan.board is HEADER else _CABLE)
    return boxes


def _output(role: Role) -> str:
    return {"idol_a": "A", "idol_b": "B"}.get(role.name, "Z (index)")


def _light_boxes(label: str) -> tuple[_Box, _Box]:
    supply, both = "+5 V of the lights' supply", "ground of board and supply"
    shifter = (
        _Wire("1A (2)", label, "pixels"), _Wire("1Y (3)", "330 ohms, then DIN", "pixels"),
        _Wire("1OE (1)", "ground", _GROUND), _Wire("VCC (14)", supply, "5V"),
        _Wire("GND (7)", both, _GROUND),
    )  # fmt: skip
    strip = (
        _Wire("DIN", "1Y of the shifter", "pixels"), _Wire("5V", supply, "5V"),
        _Wire(_GROUND, both, _GROUND),
    )  # fmt: skip
    why = ("Why: a pin gives 3.3 V; lights at 5 V", "ask for 3.5 V (0.7 x 5 V) to be sure.")
    heed = ("1000 uF across 5V and GND at the strip.", "The two grounds must be joined.")
    return _Box("Level shifter 74AHCT125", shifter, why), _Box("First light", strip, heed)


def _oled_box() -> _Box:
    wires = (
        _Wire("VCC", "3V3 (physical pin 1)", "3V3"), _Wire(_GROUND, "physical pin 6", _GROUND),
        *(_Wire(_BUSES[pin.number].rpartition(" ")[2], HEADER.label(pin), "bus")
          for pin in HEADER.pins if "OLED" in _BUSES.get(pin.number, "")),
    )  # fmt: skip
    return _Box("OLED display", wires, ("Read the names on its own board: the", "order differs."))


_CABLE: Final = _Box(
    "To the Raspberry Pi",
    (_Wire("USB", "any USB socket of the Pi", "5V"),),
    ("One cable carries data and the Pico's own", "power; the lights have their own supply."),
)

_BOX_WIDTH_MM: Final = 62.0
_BOX_HEIGHT_MM: Final = 47.0
_BOX_TOP_MM: Final = 184.0


def _draw_boxes(boxes: Sequence[_Box]) -> Iterator[str]:
    for number, box in enumerate(boxes):
        left = 8 + number % 3 * (_BOX_WIDTH_MM + 4)
        top = _BOX_TOP_MM + number // 3 * (_BOX_HEIGHT_MM + 5)
        yield from _draw_box(box, left, top)


def _draw_box(box: _Box, left: float, top: float) -> Iterator[str]:
    yield (
        f'<rect x="{left:g}" y="{top:g}" width="{_BOX_WIDTH_MM:g}" height="{_BOX_HEIGHT_MM:g}"'
        ' rx="1.5" fill="none" stroke="#bbbbbb" stroke-width="0.3"/>'
    )
    yield _text(left + 3, top + 6, box.name, size=3.2, bold=True)
    step, first = 5.0, top + 12
    yield (
        f'<rect x="{left + 3:g}" y="{first - 3.2:g}" width="17"'
        f' height="{step * len(box.wires) + 1:g}" rx="1" fill="#e9efe9" stroke="#555555"'
        ' stroke-width="0.3"/>'
    )
    for number, wire in enumerate(box.wires):
        y = first + number * step
        colour = _COLOURS[wire.kind]
        yield _text(left + 4.5, y + 0.9, wire.terminal, size=2.6)
        yield (
            f'<line x1="{left + 20:g}" y1="{y:g}" x2="{left + 25:g}" y2="{y:g}" stroke="{colour}"'
            ' stroke-width="1"/>'
        )
        yield _text(left + 26, y + 0.9, wire.where, size=2.4)
    for number, note in enumerate(box.notes):
        yield _text(left + 3, top + _BOX_HEIGHT_MM - 6 + 3.7 * number, note, size=2.5)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: float = 2.8,
    anchor: str = "start",
    bold: bool = False,
    colour: str = "#000000",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
        f' fill="{colour}"{weight}>{escape(text, quote=False)}</text>'
    )
