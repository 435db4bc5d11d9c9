"""What is said of a virtual camera that gives no picture, each with its remedy."""

from typing import Final

from companion.language.message import Message, say
from vision.capture.virtual_camera import VirtualFault

WORDS: Final = {
    VirtualFault.ABSENT: say(
        "no page draws the virtual table yet; open it as the host, by the address shown at the"
        " start, in a browser with WebGL"
    ),
    VirtualFault.CLOSED: say(
        "the page that drew the virtual table was closed; open it again as the host"
    ),
    VirtualFault.HIDDEN: say(
        "the page that draws the virtual table is in the background, where browsers draw nothing;"
        " bring it to the front"
    ),
    VirtualFault.STARTING: say(
        "the page that draws the virtual table is getting ready; on a slow computer that takes a"
        " while"
    ),
    VirtualFault.SILENT: say(
        "the page that draws the virtual table sends no pictures; load it again"
    ),
    VirtualFault.NO_JPEG: say(
        "what the page of the virtual table sends is no whole JPEG picture; load it again"
    ),
    VirtualFault.SIZE: say(
        "the virtual camera’s pictures are too large or too small; their shorter side needs 240"
        " pixels, the longer one has at most 1920"
    ),
    VirtualFault.BLACK: say(
        "the virtual camera’s pictures are black; give the room more light, or load the page again"
    ),
}


def explain_virtual(fault: VirtualFault) -> Message:
    """Return in one line why the virtual camera gives no picture, with the remedy."""
    return WORDS[fault]
