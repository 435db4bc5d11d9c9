"""What is said where the libraries compute wrongly, in place of blaming the table for it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from companion.language.message import Message, listed, say
from vision.inference import is_loaded
from vision.numeric_check import (
    QUICK,
    find_faulty_libraries,
    find_odd_networks,
    name_processor,
)

LOOK_S: Final = 0.5


def find_numeric_fault() -> Message | None:
    """Return that numpy or OpenCV computes wrongly here and what to do, or None; takes 2 ms."""
    return describe_numeric_fault(find_faulty_libraries())


def find_network_fault(networks: Sequence[str]) -> Message | None:
    """Return the same of *networks*, by name; it loads them."""
    return describe_numeric_fault([say("the networks")] if find_odd_networks(networks) else [])


async def check_networks(report: Callable[[str, str], None]) -> None:
    """Once a reader has loaded the networks, report under *reading* if they compute wrongly."""
    while not is_loaded():  # noqa: ASYNC110 - loading a module tells nobody
        await asyncio.sleep(LOOK_S)
    if (fault := await asyncio.to_thread(find_network_fault, QUICK)) is not None:
        report("reading", fault)


def describe_numeric_fault(faulty: Sequence[str]) -> Message | None:
    """Return what *faulty* libraries mean for the table, in one line; None if there are none.

    >>> describe_numeric_fault(["numpy"])
    'wrong results from numpy on this processor (...), so no picture can be read. Enter moves by ...
    """
    if not faulty:
        return None
    return say(
        "wrong results from {libraries} on this processor ({processor}), so no picture can be"
        " read. Enter moves by hand; tiki doctor says what to do.",
        libraries=listed(faulty),
        processor=name_processor(),
    )
