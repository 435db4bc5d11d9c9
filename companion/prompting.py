"""The prompter: what people and sensors of a recording said, entered at its time."""

from collections.abc import Iterator, Sequence

from companion.recording import Said
from companion.referee.sitting import Sitting
from companion.rules.base import RulesError
from companion.session.history import ReplayError


class Prompter:
    """Enters what was said, in order, as soon as the game allows it.

    What was said of a table that the referee has not seen yet waits until it has: a goal that lay
    open from the start, a colour of a card whose picture was missed.
    """

    def __init__(self, sitting: Sitting, script: Sequence[Said]) -> None:
        self._sitting = sitting
        # A game that is taken up again has in its log what was said so far.
        known = sum(bool(getattr(entry.event, "by", "")) for entry in sitting.session.entries)
        self._coming = list(script)[known:]
        self._due: list[Said] = []
        self._refused = ""

    def pass_frame(self, frame: str) -> None:
        """Enter what was said after *frame*, and what still waits."""
        self._due += [said for said in self._coming if said.after_frame == frame]
        self._coming = [said for said in self._coming if said.after_frame != frame]
        while self._due:
            said = self._due[0]
            try:
                self._sitting.referee.enter(said.action, said.by)
            except (RulesError, ReplayError) as error:
                self._refused = str(error)
                return
            self._due.pop(0)

    def left(self) -> Iterator[str]:
        """Yield what could never be entered, and why, a line each."""
        for said in (*self._due, *self._coming):
            yield f"'{said.action}', said after {said.after_frame}, was refused: {self._refused}"
