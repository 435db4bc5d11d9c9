"""What is told of a Topple table, and a board that has fallen."""

from typing import Final

from vision.observation import Observation, Status, Tilted

FALLEN: Final = Tilted(20.0, 90.0, True)
PLACING: Final = ("roll 3", "place 20 pink", "roll 6")


def fallen(frame: str) -> Observation:
    """Return the observation of a board that hangs as it never does in play."""
    return Observation(frame, Status.OK, facts=(FALLEN,))
