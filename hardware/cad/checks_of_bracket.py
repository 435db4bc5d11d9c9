"""What the bracket's measures must fulfil together; tilt_bracket.scad has the same checks."""

from collections.abc import Iterator
from typing import Final

from hardware.cad.checks_of_foot import Lengths
from hardware.cad.parameters import Values

LEDGE_MM: Final = 1.6
FOAM_MM: Final = 0.5


def length_mm(values: Values) -> float:
    """Return how long the bracket is."""
    m = Lengths(values)
    sleeve = m.can_diameter_mm / 2 + m.can_clearance_mm + m.sleeve_wall_mm
    hole = m.stem_diameter_mm / 2 + m.stem_clearance_mm
    end = max((m.wire_diameter_mm + 5) / 2 + 1.5, sleeve + 1.5)
    return 2 * (hole + 1.5 + 2 * sleeve + 3 + (m.tie_width_mm + 3.8) / 2 + end)


def bracket_faults(values: Values) -> Iterator[str]:
    """Yield, as sentences of one line, why no good bracket can be made of *values*."""
    m = Lengths(values)
    most = m.can_diameter_mm - 1.2 - m.pin_diameter_mm
    if m.pin_pitch_mm > most + 1e-9:
        yield (
            f"pin_pitch_mm={m.pin_pitch_mm:g}: too far apart below a can of "
            f"{m.can_diameter_mm:g} mm, at most {most:g}; measure K and M again"
        )
    most = m.can_diameter_mm + 2 * m.can_clearance_mm - 3
    if m.pin_diameter_mm > most + 1e-9:
        yield (
            f"pin_diameter_mm={m.pin_diameter_mm:g}: the pins' slot leaves no ledge for a can of "
            f"{m.can_diameter_mm:g} mm; at most {most:g}"
        )
    length = length_mm(values)
    if length > m.board_mm - 20:
        yield (
            f"board_mm={m.board_mm:g}: the bracket is {length:g} mm long and must end 10 mm "
            f"before the board does; it suits boards of {length + 20:g} mm or more"
        )
    height = m.can_length_mm + FOAM_MM + LEDGE_MM
    room = height - m.wire_diameter_mm / 2 - 3.4 - m.plate_mm - 0.8
    if room < -1e-9:
        yield (
            f"can_length_mm={m.can_length_mm:g}: too short for a wire of "
            f"{m.wire_diameter_mm:g} mm and its cable tie; make wire_diameter_mm or plate_mm "
            f"{-room:.1f} mm smaller"
        )
