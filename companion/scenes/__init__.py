"""Scenes: the scoreboard as light, as a small picture and as sound, for people at the table.

Pure: the same scoreboard and beat give the same.  Nothing is said by colour alone, or by sound
alone, and nothing is said that the scoreboard does not have.
"""

from companion.scenes.faces import Invitation
from companion.scenes.performance import needs_beat, update_outputs

__all__ = ["Invitation", "needs_beat", "update_outputs"]
