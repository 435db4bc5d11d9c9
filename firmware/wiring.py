"""Where the wires end, by GP number; `tiki pico install` writes this file from your settings."""

KEYS: "tuple[int, ...]" = (5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)
"""Contacts to ground: tilt switches and buttons."""
IDOL: "tuple[int, int] | None" = (2, 3)
"""The encoder's A and B, which must be neighbours."""
LIGHTS: "tuple[int, int] | None" = (22, 9)
"""The lights' data wire, and how many lights there are."""
