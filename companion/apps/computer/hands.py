"""The cards that the companion holds: face down in a row, known to it by their places.

A person deals them without looking, shows each one to the companion and lays it down beside the
last. So it can say "its third card from the left", and nobody has seen the others.
"""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from companion.files import write_whole
from companion.referee.live_session import LiveSession
from companion.referee.own_play import drew_text, hand_text
from companion.rules.base import RulesError
from companion.session.history import ReplayError

_hands: Final[WeakKeyDictionary[LiveSession, "Hands"]] = WeakKeyDictionary()


def hands_of(live_session: LiveSession) -> "Hands":
    """Return the companion's hands at the table of *live_session*."""
    if live_session not in _hands:
        _hands[live_session] = Hands(live_session, live_session.log.beside("computer.json"))
    return _hands[live_session]


class NotThatCard(ValueError):
    """A card that cannot be in the hand now."""


class Hands:
    """Where the cards of each seat of the companion's lie, and which have been shown so far.

    file: keeps over a restart what the log does not have: a hand that is being dealt; None keeps
    nothing.
    """

    def __init__(self, live_session: LiveSession, file: Path | None) -> None:
        self._live = live_session
        self._file = file
        self._dealt = (0, 0)  # in which session and round
        self._shown: dict[int, list[str]] = {}
        self._load()

    def row(self, seat: int) -> tuple[str, ...]:
        """Return the cards of *seat* from the left, as far as they are known or have been shown."""
        self._follow()
        lying = self._lying(seat)
        hand = self._live.game.own_hand(self._live.session.state, seat)
        return (*lying, *self._shown.get(seat, ())[: len(hand) - len(lying)])

    def place_of(self, seat: int, card: str) -> int:
        """Return which card from the left *card* is, from 1; 0 if it does not lie there."""
        row = self.row(seat)
        return row.index(card) + 1 if card in row else 0

    def missing(self, seat: int) -> int:
        """Return how many cards of *seat* have still to be shown, a drawn one included."""
        game, state = self._live.game, self._live.session.state
        if not self._live.header.is_computer(seat):
            return 0
        hand = game.own_hand(state, seat)
        shown = len(self.row(seat))
        return max(0, len(hand) - shown) + (game.is_drawing(state, seat))

    def show(self, seat: int, card: str) -> int:
        """Take *card*, which was shown for *seat*; return its place from the left.

        Raises NotThatCard, and LogError if the whole hand cannot be saved.
        """
        live, game = self._live, self._live.game
        state, row = live.session.state, self.row(seat)
        if not self.missing(seat):
            raise NotThatCard
        hand = game.own_hand(state, seat)
        lying, is_drawn = (*row, card), game.is_drawing(state, seat) and "" not in hand
        is_known = is_drawn or len(lying) == len(hand)
        try:
            if is_known:
                text = drew_text(card) if is_drawn else hand_text(seat, lying)
                live.referee.enter_secret(seat, text)
            elif not self._may_hold(seat, lying):
                raise NotThatCard
        except (RulesError, ReplayError):
            raise NotThatCard from None
        self._shown[seat] = [] if is_known else [*self._shown.get(seat, ()), card]
        self._save()
        live.changed()
        return len(lying)

    def may_take_back(self, seat: int) -> bool:
        """Return whether a card of *seat* has been shown that is in no hand yet."""
        return len(self.row(seat)) > len(self._lying(seat))

    def take_back(self, seat: int) -> None:
        """Forget the card shown last; raises NotThatCard if the hand is complete."""
        if not self.may_take_back(seat):
            raise NotThatCard
        self._shown[seat].pop()
        self._save()
        self._live.changed()

    def _may_hold(self, seat: int, lying: Sequence[str]) -> bool:
        """Return whether a hand with the cards *lying* there is possible."""
        kinds = self._live.game.hand_choices(self._live.session.state, seat)
        left = {card: copies for _, cards in kinds for card, _, copies in cards}
        return all(copies <= left.get(card, 0) for card, copies in Counter(lying).items())

    def _follow(self) -> None:
        """Forget what was shown in a deal that is over."""
        live, (session, round_number) = self._live, self._dealt
        now = (live.session.number, live.game.round_number(live.session.state))
        if now != self._dealt:
            if now[1] != round_number or session not in (now[0], live.header.resumes):
                self._shown = {}
            theirs = live.header.is_computer  # a person has taken up what lay there
            self._shown = {seat: row for seat, row in self._shown.items() if theirs(seat)}
            self._dealt = now

    def _lying(self, seat: int) -> list[str]:
        """Return the known cards of *seat* from the left, as the log has them.

        A card that was played leaves, and the others close up.
        """
        game, history = self._live.game, self._live.session.history
        dealt, row = f"{hand_text(seat, ())} ", list[str]()
        texts = [act.forms[0] for act in history.acts]
        last = next((at for at in reversed(range(len(texts))) if texts[at].startswith(dealt)), None)
        if last is not None:
            row = texts[last].removeprefix(dealt).split()
        for branch, *_ in history.positions[-1 if last is None else last + 1 :]:
            row = _matched(row, [card for card in game.own_hand(branch.state, seat) if card])
        return row

    def _load(self) -> None:
        if self._file is None:
            return
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            kept: dict[str, Any] = json.loads(self._file.read_text())
            self._shown = {int(seat): list(map(str, row)) for seat, row in kept["rows"].items()}
            session, round_number = kept["dealt"]
            self._dealt = (int(session), int(round_number))

    def _save(self) -> None:
        if self._file is not None:
            kept = {"dealt": self._dealt, "rows": self._shown}
            with suppress(OSError):  # it is told by the log, too, which has the hand
                write_whole(self._file, json.dumps(kept).encode())


def _matched(row: Sequence[str], hand: Sequence[str]) -> list[str]:
    """Return *row* as *hand* has it: without what is gone, and with what has come at its end.

    >>> _matched(["b", "a", "b", "c"], ["a", "b", "d"])
    ['a', 'b', 'd']
    """
    gone = Counter(row) - Counter(hand)
    kept = []
    for card in row:
        if gone[card]:
            gone[card] -= 1
        else:
            kept.append(card)
    return [*kept, *(Counter(hand) - Counter(kept)).elements()]
