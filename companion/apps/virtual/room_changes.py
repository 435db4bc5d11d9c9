"""What could be changed in a room so that more is read: camera, lens, lamp and tiles."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from companion.apps.virtual.room import Room
from companion.language.message import Message, say

STEP_MM: Final = 100.0
LEAST_MM, MOST_MM = 300.0, 1200.0
"""Between which heights a camera is tried."""
STEP_DEG: Final = 10.0
MOST_DEG: Final = 45.0
LENSES_DEG: Final = (52.0, 66.0, 80.0)
ALIKE_DEG: Final = 8.0
"""Lenses that differ by less are not worth a purchase."""
SIZES_PX: Final = ((1280, 720), (1536, 864))
BRIGHTER, DIMMER = 2.0, 0.6
BRIGHT: Final = 1.3
"""A brighter room is not made brighter yet."""
LOW_DEG, HIGH_DEG = 50.0, 75.0
SHADOWY: Final = 0.3
SHARP_PX: Final = 0.6
CLEAN_LEVELS: Final = 2.0
WARM_KELVIN, WHITE_KELVIN, COLD_KELVIN = 3200.0, 4500.0, 6600.0
BENT: Final = 0.05
"""How much a lens may bend lines that is not to be changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that could be changed: *words* name it, *entries* are of the room then."""

    words: Message
    entries: dict[str, Any]


def list_changes(room: Room) -> list[Change]:
    """Return what could be changed in *room*, one thing at a time; what costs nothing first."""
    return [*_around(room), *_of_lamp(room), *_of_stand(room), *_of_camera(room)]


def _of_stand(room: Room) -> Iterator[Change]:
    """Yield other places for the same camera; it still looks at the middle of the table."""
    if room.camera_height - STEP_MM >= LEAST_MM:
        lower = {"camera_height": room.camera_height - STEP_MM}
        yield Change(say("The camera {cm} cm lower", cm=round(STEP_MM / 10)), lower)
    if room.camera_height + STEP_MM <= MOST_MM:
        higher = {"camera_height": room.camera_height + STEP_MM}
        yield Change(say("The camera {cm} cm higher", cm=round(STEP_MM / 10)), higher)
    if room.camera_tilt >= STEP_DEG:
        tilt = {"camera_tilt": room.camera_tilt - STEP_DEG}
        yield Change(
            say("The camera nearer to the middle, {deg} degrees steeper", deg=round(STEP_DEG)), tilt
        )
    if room.camera_tilt + STEP_DEG <= MOST_DEG:
        tilt = {"camera_tilt": room.camera_tilt + STEP_DEG}
        yield Change(
            say("The camera further aside, {deg} degrees flatter", deg=round(STEP_DEG)), tilt
        )


def _of_camera(room: Room) -> Iterator[Change]:
    """Yield other lenses and sensors."""
    if room.blur > SHARP_PX:
        yield Change(say("A lens that is in focus"), {"blur": SHARP_PX})
    if room.noise > CLEAN_LEVELS:
        yield Change(say("A camera whose picture is less grainy"), {"noise": CLEAN_LEVELS})
    if abs(room.k1) > BENT:
        yield Change(say("A lens that bends lines less"), {"k1": 0.0})
    for width, height in SIZES_PX:
        if width > room.width:
            words = say("A picture of {width} × {height} pixels", width=width, height=height)
            yield Change(words, {"width": width, "height": height})
    for hfov in LENSES_DEG:
        if abs(hfov - room.hfov) > ALIKE_DEG:
            yield Change(say("A lens of {deg} degrees", deg=round(hfov)), {"hfov": hfov})


def _of_lamp(room: Room) -> Iterator[Change]:
    if room.light < BRIGHT:
        yield Change(say("A brighter lamp"), {"light": min(room.light * BRIGHTER, BRIGHT)})
    else:
        yield Change(say("A dimmer lamp"), {"light": room.light * DIMMER})
    if room.shadow > 0.0:
        side = (room.lamp_side + 180.0) % 360.0
        yield Change(say("A lamp on the other side"), {"lamp_side": side})
    if room.shadow > SHADOWY:
        yield Change(say("A softer lamp, with a shade or towards the ceiling"), {"shadow": 0.0})
    if room.lamp_height < LOW_DEG:
        yield Change(say("A lamp higher up"), {"lamp_height": HIGH_DEG})
    if not WARM_KELVIN <= room.kelvin <= COLD_KELVIN:
        yield Change(say("A whiter lamp"), {"kelvin": WHITE_KELVIN})


def _around(room: Room) -> Iterator[Change]:
    """Yield what can be changed on the table."""
    if room.tile_scale != 1.0:
        yield Change(say("Corner tiles printed at 100 %"), {"tile_scale": 1.0})
    if room.sleeves:
        yield Change(say("Cards without sleeves"), {"sleeves": False})
    if room.cups:
        yield Change(say("Nothing else standing around"), {"cups": 0})
