"""The room around the virtual table: light, camera and what stands about, as sliders have it."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Number = float


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What homes have; `static/room.js` has the same defaults.

    light: exposure.  kelvin: the lamp's colour.  lamp_side, lamp_height: where it stands, in
    degrees.  shadow: 0 for none, 1 for a hard one.  blur: of the picture, in pixels.  noise: in
    grey levels.  width, height: of the picture.  quality: of the JPEG.  hfov: of the lens, in
    degrees.  k1: its distortion, as OpenCV has it.  camera_height: above the middle, in mm.
    camera_tilt: from straight above.  camera_side: where it stands; 180 is the near side.
    roll: about its axis.  bump: mm, mm and degrees by which it was bumped.
    tile_scale: 0.97 for tiles printed too small.  cups: things around.  sleeves: on the cards.
    """

    light: Annotated[float, Meta(ge=0.1, le=3)] = 1.0
    kelvin: Annotated[float, Meta(ge=2500, le=8000)] = 5000.0
    lamp_side: Annotated[float, Meta(ge=-360, le=360)] = 135.0
    lamp_height: Annotated[float, Meta(ge=5, le=90)] = 55.0
    shadow: Annotated[float, Meta(ge=0, le=1)] = 0.5
    blur: Annotated[float, Meta(ge=0, le=6)] = 0.6
    noise: Annotated[float, Meta(ge=0, le=40)] = 2.0
    width: Annotated[int, Meta(ge=320, le=1920)] = 960
    height: Annotated[int, Meta(ge=240, le=1080)] = 540
    quality: Annotated[int, Meta(ge=20, le=100)] = 85
    hfov: Annotated[float, Meta(ge=30, le=120)] = 66.0
    k1: Annotated[float, Meta(ge=-0.5, le=0.5)] = 0.0
    camera_height: Annotated[float, Meta(ge=200, le=2000)] = 560.0
    camera_tilt: Annotated[float, Meta(ge=0, le=60)] = 23.0
    camera_side: Annotated[float, Meta(ge=-360, le=360)] = 180.0
    roll: Annotated[float, Meta(ge=-180, le=180)] = 0.0
    bump: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tile_scale: Annotated[float, Meta(ge=0.8, le=1.2)] = 1.0
    cups: Annotated[int, Meta(ge=0, le=8)] = 0
    sleeves: bool = False
    ground: Literal["wood", "cloth", "white", "dark"] = "wood"


USUAL = Room()
MOST_BUMP: Number = 300.0


def changed(room: Room, entries: dict[str, object]) -> Room:
    """Return *room* with other *entries*; raises msgspec.ValidationError, which says what fits."""
    found = msgspec.convert({**msgspec.to_builtins(room), **entries}, Room, strict=False)
    if not all(abs(each) <= MOST_BUMP for each in found.bump):
        raise msgspec.ValidationError(f"Expected at most {MOST_BUMP:g} - at `$.bump`")
    return found
