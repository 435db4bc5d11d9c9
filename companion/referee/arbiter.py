"""What every referee can be asked and told, whether it sees the table or hears of it."""

from typing import Any, Protocol

from companion.referee.notices import Ask, Illegal, Result, Waiting
from companion.session.history import Act
from companion.session.session import Session


class Arbiter(Protocol):
    """The referee of one session.

    table: the game, see `Game`.  question: what stands to be answered, None while all is well.
    waiting: what is waited for, None if only for the next move.
    """

    session: Session[Any, Any]
    question: Illegal | Ask | None
    waiting: Waiting | None

    @property
    def table(self) -> Any:
        """The game, see `Game` and what each referee wants of it beside that."""

    def choose(self, index: int) -> bool:
        """Take candidate *index* of the standing question; False if there is none such."""

    def newest(self) -> Act | None:
        """Return what would be taken back, None if there is nothing."""

    def undo(self) -> None:
        """Take back what happened last; raises ReplayError if nothing has."""

    def tell(self, action: str) -> None:
        """Take what people tell; raises RulesError or ReplayError if it is not legal."""

    def correct(self, seq: int, action: str) -> None:
        """Put *action* in place of entry *seq*; raises ReplayError if the rest does not follow."""

    def result(self) -> Result:
        """Return how the game stands now."""
