"""What the pages say of a game's rules: short sections in our own words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a game's help: its title and its paragraphs, all of them messages."""

    title: str
    paragraphs: tuple[str, ...]
