"""The performance: lights, display and sound show the scoreboard."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from companion.language.speech import spoken
from companion.scenes.calls import call_of
from companion.scenes.faces import (
    Invitation,
    display_picture,
    invitation_picture,
    pages_of_display,
)
from companion.scenes.light_patterns import light_zones
from companion.scenes.scene import is_lively, scene_of
from companion.scoreboard import Scoreboard
from hardware.display import HEIGHT, WIDTH
from hardware.lights import within_budget
from hardware.output_devices import OutputDevices

INVITATION_BEATS: Final = 16
"""A phone has read a code long before the next one is shown."""
QUIET: Final = ("turn", "calm", "reveal", "clock")
"""Scenes that can wait until phones have joined."""


def update_outputs(
    outputs: OutputDevices,
    board: Scoreboard,
    beat: int = 0,
    invitations: Sequence[Invitation] = (),
) -> None:
    """Let the *outputs* show *board*; what they show already is not sent again.

    invitations: shown by a display that is large enough, one after the other, while nothing else is
    the matter.
    A scene that would draw more than the strip may is dimmed evenly until it does not.
    """
    strip = outputs.strip
    zones = light_zones(board, outputs.zones, beat)
    colours = within_budget(
        outputs.zones.lay_out(zones, strip.lights), strip.budget_ma, strip.brightness
    )
    if strip.value != colours:
        strip.value = colours
    plain = display_picture(board, outputs.display.size, outputs.display.form, beat)
    shown = beat // INVITATION_BEATS % len(invitations) if invitations else 0
    invited = _invited(outputs, board, invitations[shown]) if invitations else None
    # Whoever is not in the room may look at pages: they never have the code, nor a mark of it.
    outputs.display.stand_in = plain if invited is not None else None
    picture = plain if invited is None else invited
    if outputs.display.value.tobytes() != picture.tobytes():
        outputs.display.value = picture
    cue = call_of(board)
    if outputs.sound.value != cue:
        outputs.sound.value = cue


def _invited(
    outputs: OutputDevices, board: Scoreboard, invitation: Invitation
) -> Image.Image | None:
    is_large = outputs.display.size == (WIDTH, HEIGHT) and outputs.display.form == "pixels"
    if not is_large or scene_of(board).kind not in QUIET:
        return None
    return invitation_picture(invitation, spoken())


def needs_beat(
    outputs: OutputDevices, board: Scoreboard, invitations: Sequence[Invitation] = ()
) -> bool:
    """Return whether the *outputs* change with the beat: moving lights, scores or codes in turn."""
    display = outputs.display
    return (
        len(invitations) > 1
        or is_lively(board)
        or pages_of_display(board, display.size, display.form) > 1
    )
