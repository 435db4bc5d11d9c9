"""What sensors feel of what is done at the virtual table."""

from typing import NamedTuple


class Spin(NamedTuple):
    """The idol was spun: where its arm points now, and how often it turned, clockwise."""

    angle: float
    turns: float


class Fall(NamedTuple):
    """The balance board fell."""


Happening = Spin | Fall
