"""How a page is printed at true size by hand: what the usual systems call it in their dialogues."""

from typing import Final

from companion.language.message import Message, say

DIALOGUES: Final[tuple[tuple[str, Message], ...]] = (
    (
        "Windows",
        say(
            "“Actual size” in Adobe Reader and Edge; in Chrome and Firefox a scale of 100, not one"
            " of the kinds of “Fit”."
        ),
    ),
    ("macOS", say("in Preview “Scale: 100 %”, not “Scale to Fit”.")),
    (
        "Linux",
        say(
            "“Page Scaling: None” under “Page Handling”; in a terminal: {command}",
            command="lp -o print-scaling=none -o media=A4 FILE.pdf",
        ),
    ),
    (
        "Android, iPhone, iPad",
        say(
            "most of them offer no scale, only the paper. If the rulers are short, print from a"
            " computer."
        ),
    ),
)
"""The system, and what to choose there beside the paper."""
