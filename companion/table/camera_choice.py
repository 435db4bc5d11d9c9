"""Which of several cameras is watched, and how another one is chosen."""

from collections.abc import Mapping

from companion.language.message import Message, listed, say
from vision.capture.device import DeviceSettings


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
