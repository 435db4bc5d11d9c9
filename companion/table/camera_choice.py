"""What is said of a camera: which of several is watched, and what its pictures lack."""

from collections.abc import Mapping

from companion.language.message import Message, listed, say
from vision.capture.device import DeviceSettings
from vision.capture.sensor_mode import LostView


def describe_choice(settings: DeviceSettings, nodes: Mapping[str, str]) -> Message | None:
    """Return which camera is watched if there are others; None if there is no choice.

    nodes: the names of the V4L2 cameras by their nodes.

    >>> settings = DeviceSettings("video", "0")
    >>> print(describe_choice(settings, {"/dev/video0": "C270"}))
    None
    >>> describe_choice(settings, {"/dev/video0": "C270", "/dev/video2": "C920"})[:42]
    'This is C270 (/dev/video0). Also connected'
    """
    node = str(settings.node.resolve())
    if settings.kind != "video" or node not in nodes or len(nodes) < 2:
        return None
    return say(
        "This is {camera} ({node}). Also connected: {others}. To use another one, enter it in"
        " the settings: device under [camera].",
        camera=nodes[node],
        node=node,
        others=listed(f"{name} ({other})" for other, name in nodes.items() if other != node),
    )


def describe_lost_view(lost: LostView) -> Message:
    """Return that a picture shows less than its camera could, with the remedy."""
    if lost.percent is None:
        return say(
            "The camera does not say which part of its view it shows. Look whether the picture is"
            " as wide as it should be; if not: sudo apt full-upgrade, then restart."
        )
    if lost.fitting_px is None:
        return say(
            "The camera shows only {percent} % of the width that was asked for, so the table may"
            " not fit into the picture: sudo apt full-upgrade, then restart.",
            percent=lost.percent,
        )
    width, height = lost.size_px
    return say(
        "A picture of {width} × {height} shows {percent} % of what the camera sees. For all of it"
        " set height_px = {fitting} under [camera] in the settings.",
        width=width,
        height=height,
        percent=lost.percent,
        fitting=lost.fitting_px,
    )
