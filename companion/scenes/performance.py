"""The performance: lights, display and sound show the scoreboard."""

from companion.scenes.calls import call_of
from companion.scenes.faces import display_picture
from companion.scenes.lamps import light_zones
from companion.scoreboard import Scoreboard
from hardware.hands import Hands
from hardware.lights import within_budget


def perform(hands: Hands, board: Scoreboard, beat: int = 0) -> None:
    """Let the *hands* show *board*; what they show already is not sent again.

    A scene that would draw more than the strip may is dimmed evenly until it does not.
    """
    strip = hands.strip
    zones = light_zones(board, hands.zones, beat)
    colours = within_budget(
        hands.zones.lay_out(zones, strip.lights), strip.budget_ma, strip.brightness
    )
    if strip.value != colours:
        strip.value = colours
    picture = display_picture(board, hands.display.size, hands.display.form)
    if hands.display.value.tobytes() != picture.tobytes():
        hands.display.value = picture
    cue = call_of(board)
    if hands.sound.value != cue:
        hands.sound.value = cue
