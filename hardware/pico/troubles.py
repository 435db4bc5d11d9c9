"""What can be wrong with a Pico that is plugged in, each in one line with the remedy."""

from collections import deque
from typing import Final

from firmware.wire import PROTOCOL
from hardware.pico.session import Hello
from hardware.pins import PinPlan

STARTS: Final = 3
"""So many starts within WATCH_S are no accident."""
WATCH_S: Final = 20.0
UPDATE: Final = "run './run pico update'"
INSTALL: Final = "run './run pico install'"
REPLUG: Final = "unplug the Pico and plug it in again"


def deaf(node: str, *, rubbish: bool) -> str:
    """Return that what is at *node* does not answer as our Pico does."""
    how = "says something else" if rubbish else "does not answer"
    return (
        f"{node} {how}, so it is not our Pico: {INSTALL} if it is the Pico; if it is another"
        " device, set pins.port to the Pico's"
    )


def silent(node: str) -> str:
    """Return that the Pico does not answer any more; it has been greeted for so long."""
    return (
        f"the Pico at {node} has been silent for 2 s: unplug it and plug it in again; see"
        " './run pico status'"
    )


def foreign(hello: Hello) -> str:
    """Return that the Pico speaks another protocol."""
    return (
        f"the Pico's firmware {hello.firmware} speaks protocol {hello.protocol}, but this"
        f" companion speaks protocol {PROTOCOL}: {UPDATE}"
    )


def restless(starts: int, reason: str) -> str:
    """Return that the Pico starts again and again."""
    why = f", last by {reason}" if reason else ""
    return (
        f"the Pico has started {starts} times in {WATCH_S:.0f} s{why}: check its cable and its"
        " power; './run pico status' shows what its console says"
    )


def forgotten(edges: int) -> str:
    """Return that the Pico could not keep all edges."""
    changes = f"{edges} changes" if edges > 1 else "a change"
    return (
        f"the Pico has lost {changes} of its switches: check whether tower and score are"
        " right, and whether a switch chatters"
    )


def other_wiring(hello: Hello, plan: PinPlan, lights: int) -> str:
    """Return which wires of *plan* the Pico knows otherwise; "" if none.

    lights: how many there are at the end of the plan's wire for them; 0 leaves them out.
    """
    wanted, wrong = [], []
    for role, pin in plan.pins.items():
        if role.name in ("idol_a", "idol_b"):
            place = role.name == "idol_b"
            known = len(hello.idol) > place and hello.idol[place] == pin.number
        elif role.name == "pixels":
            known = not lights or hello.lights == f"{pin.number}x{lights}"
        else:
            known = pin.number in hello.keys
        wanted.append(role.name)
        if not known:
            wrong.append(f"{role.name} at GP{pin.number}")
    if not wrong:
        return ""
    if len(wrong) > 3:
        wrong = [*wrong[:2], f"{len(wrong) - 2} more"]
    names = f"{', '.join(wrong[:-1])} and {wrong[-1]}" if len(wrong) > 1 else wrong[0]
    return f"the Pico was set up for other wires and does not know {names}: {UPDATE}"


class Watch:
    """What a Pico that works may still be reproached with: it restarts, or has forgotten edges."""

    def __init__(self) -> None:
        self._starts: deque[float] = deque()
        self._reason = ""
        self._forgotten = 0
        self._forgot_s = 0.0

    def started(self, now_s: float, reason: str = "") -> None:
        """Note a start; without *reason* one that came to nothing."""
        self._starts.append(now_s)
        self._reason = "" if reason == "-" else reason or self._reason

    def forgot(self, edges: int, now_s: float) -> None:
        """Note that it could not keep *edges*."""
        self._forgotten += edges
        self._forgot_s = now_s

    def restarts(self, now_s: float) -> str:
        """Return that it starts again and again, in one line; "" if not, or not any more."""
        while self._starts and now_s - self._starts[0] > WATCH_S:
            self._starts.popleft()
        starts = len(self._starts)
        return restless(starts, self._reason) if starts >= STARTS else ""

    def losses(self, now_s: float) -> str:
        """Return what it could not keep of late, in one line; "" if there is nothing."""
        if now_s - self._forgot_s > WATCH_S:
            self._forgotten = 0
        return forgotten(self._forgotten) if self._forgotten else ""
