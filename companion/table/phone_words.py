"""What is said of a phone that is the camera and gives no picture, each with its remedy."""

from typing import Final

from companion.language.message import Message, say
from vision.capture.phone_camera import PhoneFault

WORDS: Final = {
    PhoneFault.ABSENT: say(
        "no phone sends pictures yet; open the page on it that the host’s set-up page names, and"
        " press Start there"
    ),
    PhoneFault.SILENT: say(
        "no picture from the phone; see that it is switched on, has its page open, and is in the"
        " network"
    ),
    PhoneFault.HIDDEN: say(
        "the phone’s screen is locked, or something else is in front of its page; unlock it, and"
        " open the page again"
    ),
    PhoneFault.INTERRUPTED: say(
        "the phone’s camera has stopped, as during a call; end whatever uses it, or press Start"
        " again on the phone"
    ),
    PhoneFault.TURNED: say(
        "the phone was turned; turn it back, or press Start again on it and calibrate the"
        " camera again"
    ),
    PhoneFault.CROPPED: say(
        "the phone shows another part of the view than before; press Start again on it, and"
        " calibrate the camera again"
    ),
    PhoneFault.SMALL: say(
        "the phone’s pictures are too small to be read; use another browser or another phone"
    ),
    PhoneFault.NO_JPEG: say(
        "the phone does not send whole JPEG pictures; open its page again, in another browser if"
        " that does not help"
    ),
    PhoneFault.BLACK: say(
        "the phone gives black pictures; see that nothing covers its lens, or switch a light on"
    ),
}


def explain_phone(fault: PhoneFault) -> Message:
    """Return in one line why the phone gives no picture, with the remedy."""
    return WORDS[fault]
