"""The seats' links and the table's code, in step with the session in play."""

from typing import Any

from companion.referee.live_session import LiveSession
from companion.session.session import Session
from companion.web.http.attempts import CODES_IN_ALL, CODES_PER_SOURCE, WrongKeys
from companion.web.http.keys import Keys


class SeatLinks:
    """Opens the seats of each session, and lets the code end once the game has begun.

    staying: of the next session, the seat before of each seat whose phone stays.
    wrong_codes: that were tried for the table's code.
    """

    def __init__(self, live_session: LiveSession, keys: Keys) -> None:
        self.staying: dict[int, int] = {}
        self.wrong_codes = WrongKeys(CODES_PER_SOURCE, CODES_IN_ALL)
        self._live_session = live_session
        self._keys = keys
        self._session = 0
        self._moves_before: int | None = None
        self._trouble = ""

    def follow(self) -> None:
        """Open the seats of another session; on a full disk, save them as soon as there is room."""
        trouble, session = "", self._live_session.session
        moves = count_moves(session)
        try:
            if session.number != self._session:
                self._moves_before = moves
                self._session, staying, self.staying = session.number, self.staying, {}
                header = session.header
                self.wrong_codes.begin()
                seats = len(header.players)
                closed, resumes = header.computer_seats, header.resumes
                self._keys.open_seats(session.number, seats, staying, resumes, closed)
            elif self._moves_before is not None and moves > self._moves_before:
                self._moves_before = None
                self._keys.end_code()
            else:
                self._keys.save()
        except OSError as error:
            reason = error.strerror or error
            trouble = f"they cannot be saved ({reason}); after a restart every phone joins again"
        if trouble != self._trouble:
            self._trouble = trouble
            self._live_session.report("the seats' links", trouble)


def count_moves(session: Session[Any, Any]) -> int:
    """Return how many moves of players count; with the first nobody is waited for any more."""
    return sum(act.seat is not None for act in session.history.acts)
