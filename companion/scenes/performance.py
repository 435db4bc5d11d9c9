"""The performance: lights, display and sound show the scoreboard."""

from companion.scenes.calls import call_of
from companion.scenes.faces import display_picture, pages_of_display
from companion.scenes.light_patterns import light_zones
from companion.scenes.scene import is_lively
from companion.scoreboard import Scoreboard
from hardware.lights import within_budget
from hardware.output_devices import OutputDevices


def update_outputs(outputs: OutputDevices, board: Scoreboard, beat: int = 0) -> None:
    """Let the *outputs* show *board*; what they show already is not sent again.

    A scene that would draw more than the strip may is dimmed evenly until it does not.
    """
    strip = outputs.strip
    zones = light_zones(board, outputs.zones, beat)
    colours = within_budget(
        outputs.zones.lay_out(zones, strip.lights), strip.budget_ma, strip.brightness
    )
    if strip.value != colours:
        strip.value = colours
    picture = display_picture(board, outputs.display.size, outputs.display.form, beat)
    if outputs.display.value.tobytes() != picture.tobytes():
        outputs.display.value = picture
    cue = call_of(board)
    if outputs.sound.value != cue:
        outputs.sound.value = cue


def needs_beat(outputs: OutputDevices, board: Scoreboard) -> bool:
    """Return whether the *outputs* change with the beat: moving lights, scores in pages."""
    display = outputs.display
    return is_lively(board) or pages_of_display(board, display.size, display.form) > 1
