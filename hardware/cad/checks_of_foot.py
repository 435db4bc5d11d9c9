"""What the foot's measures must fulfil together; each check has its like in idol_foot.scad."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hardware.cad.parameters import Values

MIN_WALL_MM: Final = 1.2
"""Three lines of a 0.4 mm nozzle."""
BRIM_MM: Final = 6
"""So much of the bed a slicer's brim and the bed's clips take."""
PICO_LENGTH_MM: Final = 51
PICO_WIDTH_MM: Final = 21
PICO_HOLES_MM: Final = (47, 11.4)
"""Length, width and pitch of the holes: Raspberry Pi Pico datasheet, mechanical specification."""
PICO_BOARD_MM: Final = 1
USB_OUT_MM: Final = 1.3
USB_MIDDLE_MM: Final = 1.35
"""The socket stands out over the board's end, and its middle is above the board, by so much."""
BOSS_ANGLES_DEG: Final = (75, 165, 255, 345)
BOSS_MM: Final = 4
CHAMBER_DEG: Final = 150
PLA_G_CM3: Final = 1.24
GRAVITY_M_S2: Final = 9.81


@dataclass(frozen=True, slots=True)
class Foot:
    """What follows from the foot's measures; all in mm.

    radius, inner: of the outer wall's outer and inner face.  top: thickness of its top.
    inside: height between top and bottom.  pocket_corner: how far the encoder's recess reaches
    from the middle.  groove_inner, groove_outer: radii of the ring's groove.
    pico_y: distance of the Pico's middle line from the encoder's.  pico_end: how far from the
    middle, along that line, the board ends at its USB socket.
    chamber_inner: radius of the chamber's inner face.
    hub_gap: from the foot's top to the hub.  hub_grip: so deep the shaft is in the hub.
    hub_floor: from the hub's lower face to where the idol stands in it.
    height: of the whole foot.
    """

    radius: float
    inner: float
    top: float
    inside: float
    pocket_corner: float
    groove_inner: float
    groove_outer: float
    pico_y: float
    pico_end: float
    chamber_inner: float
    hub_gap: float
    hub_grip: float
    hub_floor: float
    hub_radius: float
    height: float


class Lengths:
    """The measures that are numbers, by attribute: `Lengths(values).wall_mm`."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def __getattr__(self, name: str) -> float:
        """Return the measure *name*."""
        return float(self._values[name])


def derive(values: Values) -> Foot:
    """Return what follows from *values*."""
    m = Lengths(values)
    inner = m.foot_diameter_mm / 2 - m.wall_mm
    needed = m.ring_height_mm + 1.6 if m.ring_outer_diameter_mm else 0.0
    top = max(m.panel_mm, needed, 2.4)
    pocket = m.encoder_width_mm / 2 + m.clearance_mm
    above_pico = m.post_height_mm + PICO_BOARD_MM + m.pico_headroom_mm
    pico_y = m.encoder_width_mm / 2 + 2 + PICO_WIDTH_MM / 2
    reach = (inner - 1) ** 2 - (pico_y + PICO_WIDTH_MM / 2 + 0.5) ** 2
    hub_gap = max(m.bush_length_mm - m.panel_mm, m.nut_height_mm) + 1
    hub_grip = m.shaft_length_mm - m.panel_mm - hub_gap
    inside = max(m.encoder_depth_mm - (top - m.panel_mm), above_pico)
    pocket_corner = pocket * (math.sqrt(2) if values["encoder_shape"] == "square" else 1)
    return Foot(
        radius=m.foot_diameter_mm / 2,
        inner=inner,
        top=top,
        inside=inside,
        pocket_corner=pocket_corner,
        groove_inner=m.ring_inner_diameter_mm / 2 - m.clearance_mm,
        groove_outer=m.ring_outer_diameter_mm / 2 + m.clearance_mm,
        pico_y=pico_y,
        pico_end=math.sqrt(max(0.0, reach)),
        chamber_inner=pocket_corner + 2 + 1.6,
        hub_gap=hub_gap,
        hub_grip=hub_grip,
        hub_floor=hub_grip + 1.6,
        hub_radius=m.idol_base_diameter_mm / 2 + m.clearance_mm + 2,
        height=m.bottom_mm + inside + top,
    )


def encoder_faults(values: Values) -> Iterator[str]:
    """Yield why the encoder cannot be mounted or the hub not put on its shaft."""
    m, foot = Lengths(values), derive(values)
    if m.bush_length_mm and m.panel_mm + m.nut_height_mm > m.bush_length_mm:
        yield (
            f"panel_mm={m.panel_mm:g}: the bush is {m.bush_length_mm:g} mm long and its nut takes "
            f"{m.nut_height_mm:g}; make panel_mm {m.bush_length_mm - m.nut_height_mm:g} or less"
        )
    if not m.bush_length_mm and m.encoder_screws < 2:
        yield (
            f"encoder_screws={m.encoder_screws:g}: without a bush (bush_length_mm=0) two screws or "
            "more must hold the encoder; give encoder_screws=2, 3 or 4"
        )
    least = m.bush_diameter_mm + m.encoder_screw_diameter_mm + 2 * MIN_WALL_MM
    if m.encoder_screws and m.encoder_screw_circle_mm < least:
        yield (
            f"encoder_screw_circle_mm={m.encoder_screw_circle_mm:g}: too close to the boss of "
            f"{m.bush_diameter_mm:g} mm; it must be {least:g} or more"
        )
    low = 0.6 * m.shaft_diameter_mm
    if not low <= m.shaft_flat_mm <= m.shaft_diameter_mm:
        yield (
            f"shaft_flat_mm={m.shaft_flat_mm:g}: on a shaft of {m.shaft_diameter_mm:g} mm it is "
            f"{low:g} to {m.shaft_diameter_mm:g}; measure H again"
        )
    if foot.hub_grip < 5:
        yield (
            f"shaft_length_mm={m.shaft_length_mm:g}: only {max(0, foot.hub_grip):g} mm of it are "
            f"left for the hub, which needs 5; take a shaft of "
            f"{m.shaft_length_mm + 5 - foot.hub_grip:g} mm or more"
        )


def ring_faults(values: Values) -> Iterator[str]:
    """Yield why the ring of lights has no place."""
    m, foot = Lengths(values), derive(values)
    given = f"ring_inner_diameter_mm={m.ring_inner_diameter_mm:g}"
    if not m.ring_outer_diameter_mm:
        return
    if m.ring_outer_diameter_mm - m.ring_inner_diameter_mm < 4:
        yield (
            f"{given}: the ring's outer diameter is {m.ring_outer_diameter_mm:g}; the inner "
            f"one must be {m.ring_outer_diameter_mm - 4:g} or less "
            "(ring_outer_diameter_mm=0 for no ring)"
        )
    inside = {
        "the encoder's body": foot.pocket_corner,
        "the encoder's nut": m.bush_diameter_mm / 2 + 4,
        "the heads of the encoder's screws": m.encoder_screw_circle_mm / 2 + 3,
    }
    if not m.encoder_screws:
        del inside["the heads of the encoder's screws"]
    what = max(inside, key=lambda each: inside[each])
    if foot.groove_inner < inside[what] + MIN_WALL_MM:
        least = 2 * (inside[what] + MIN_WALL_MM + m.clearance_mm)
        yield (
            f"{given}: the ring is too close to {what}; take a ring with "
            f"{math.ceil(10 * least) / 10:g} or more (ring_outer_diameter_mm=0 for no ring)"
        )
    if foot.groove_outer + 4 > foot.inner:
        least = 2 * (foot.groove_outer + 4 + m.wall_mm)
        yield (
            f"ring_outer_diameter_mm={m.ring_outer_diameter_mm:g}: too large for a foot of "
            f"{m.foot_diameter_mm:g} mm; make foot_diameter_mm {math.ceil(least)} or more"
        )


def boss_gap_mm(foot: Foot) -> float:
    """Return how far the Pico's board is from the nearest column for a screw; below 0 in it."""
    gaps = []
    for angle in map(math.radians, BOSS_ANGLES_DEG):
        x, y = (foot.inner - 3) * math.cos(angle), (foot.inner - 3) * math.sin(angle)
        across = max(0.0, x - foot.pico_end, foot.pico_end - PICO_LENGTH_MM - x)
        gaps.append(math.hypot(across, max(0.0, abs(y - foot.pico_y) - PICO_WIDTH_MM / 2)))
    return min(gaps) - BOSS_MM


def pico_faults(values: Values) -> Iterator[str]:
    """Yield why the Pico, its plug or its wires have no place."""
    m, foot = Lengths(values), derive(values)
    edge = foot.pico_y + PICO_WIDTH_MM / 2
    other_end = math.hypot(PICO_LENGTH_MM - foot.pico_end, edge + 0.5)
    if edge + 1.5 > foot.inner or other_end > foot.inner - 1 or boss_gap_mm(foot) < 0.5:
        yield (
            f"foot_diameter_mm={m.foot_diameter_mm:g}: a Pico does not fit in beside an encoder of "
            f"{m.encoder_width_mm:g} mm; make the foot wider, its wall thinner, or "
            "take a smaller encoder"
        )
        return
    depth = (
        foot.radius * math.cos(math.asin(foot.pico_y / foot.radius)) - foot.pico_end - USB_OUT_MM
    )
    if depth + 3 > m.usb_plug_length_mm:
        yield (
            f"usb_plug_length_mm={m.usb_plug_length_mm:g}: the Pico's socket is {depth:.1f} mm "
            f"inside the wall; use a cable whose plug and housing are {depth + 3:.1f} mm or longer"
        )
    middle = m.post_height_mm + PICO_BOARD_MM + USB_MIDDLE_MM
    half = m.usb_plug_height_mm / 2 + m.clearance_mm
    if middle < half:
        yield (
            f"post_height_mm={m.post_height_mm:g}: a USB plug {m.usb_plug_height_mm:g} mm high "
            f"would touch the bottom; make post_height_mm "
            f"{m.post_height_mm + half - middle:.2g} or more"
        )
    if middle + half + 2 > foot.inside:
        yield (
            f"pico_headroom_mm={m.pico_headroom_mm:g}: a USB plug {m.usb_plug_height_mm:g} mm high "
            f"would touch the top; add {middle + half + 2 - foot.inside:.1f} mm"
        )
    if m.wire_opening_mm + 3 > foot.inside:
        yield (
            f"wire_opening_mm={m.wire_opening_mm:g}: the foot is {foot.inside:g} mm high inside; "
            f"make it {foot.inside - 3:g} or less"
        )


def bed_faults(values: Values) -> Iterator[str]:
    """Yield what the printer's bed is too small for."""
    m, foot = Lengths(values), derive(values)
    if m.foot_diameter_mm + BRIM_MM > m.bed_mm:
        yield (
            f"foot_diameter_mm={m.foot_diameter_mm:g}: the bed is {m.bed_mm:g} mm wide (bed_mm); "
            f"make the foot {m.bed_mm - BRIM_MM:g} or less"
        )
    if 2 * foot.hub_radius + BRIM_MM > m.bed_mm:
        yield (
            f"idol_base_diameter_mm={m.idol_base_diameter_mm:g}: the bed is {m.bed_mm:g} mm wide "
            f"(bed_mm), too small for its hub of {2 * foot.hub_radius:g} mm"
        )


def chamber_cm3(values: Values) -> float:
    """Return how much the chamber for the weight holds."""
    foot = derive(values)
    area = math.radians(CHAMBER_DEG) / 2 * (foot.inner**2 - foot.chamber_inner**2)
    return (area - 2 * math.pi * BOSS_MM**2) * foot.inside / 1000


def tipping_push_n(values: Values) -> float:
    """Return the push against the idol's hand that just tips the foot over, where it is weakest.

    Counted are the idol, the filling and the plastic at 60 % of a solid foot; neither encoder nor
    Pico.  The foot tips about the line between two rubber feet, below the filled side of which the
    centre of mass is.
    """
    m, foot = Lengths(values), derive(values)
    solid = math.pi * foot.radius**2 * (foot.top + m.bottom_mm)
    solid += 2 * math.pi * foot.radius * m.wall_mm * foot.inside
    plastic_g = 0.6 * PLA_G_CM3 * solid / 1000
    fill_g = chamber_cm3(values) * m.fill_density_g_cm3
    inner, half = foot.chamber_inner, math.radians(CHAMBER_DEG) / 2
    fill_at = 2 / 3 * (foot.inner**3 - inner**3) / (foot.inner**2 - inner**2)
    fill_at *= math.sin(half) / half
    total_g = plastic_g + fill_g + m.idol_mass_g
    edge = (foot.radius - 8) * math.cos(math.pi / m.rubber_feet)
    lever = edge - fill_at * fill_g / total_g
    hand = foot.height + foot.hub_gap + foot.hub_floor + m.idol_arm_height_mm
    return max(0.0, total_g / 1000 * GRAVITY_M_S2 * lever / hand)


def weight_faults(values: Values) -> Iterator[str]:
    """Yield why the foot would tip over when the idol is spun."""
    m, push = Lengths(values), tipping_push_n(values)
    if push < m.push_n:
        yield (
            f"push_n={m.push_n:g}: a push of {push:.2f} N at the idol's hand tips this foot over; "
            "make it wider (foot_diameter_mm), fill it with something heavier (fill_density_g_cm3) "
            "or take more rubber_feet"
        )


def foot_faults(values: Values) -> Iterator[str]:
    """Yield, as sentences of one line, why no good foot can be made of *values*."""
    for check in (encoder_faults, ring_faults, pico_faults, bed_faults, weight_faults):
        yield from check(values)
