"""Mix-ins for what a game does not have: parts to make a `Game` of."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from companion.referee.facts import Fact
from companion.referee.game import (
    Opening,
    People,
    Reaction,
    Reason,
    RoundEnd,
    Table,
)
from companion.session.events import RoundScored


class NoCosts:
    """For a game in which a move costs nothing that the table does not show."""

    def adoption_costs(self, state: Any, seat: int | None) -> Mapping[str, str]:
        """Return nothing."""
        del state, seat
        return {}


class OwnKey:
    """For a game whose different states always differ in what may follow."""

    def key(self, state: Any) -> Hashable:
        """Return *state* itself."""
        return (state,)


class PlainlyRecorded:
    """For a game whose recordings have options and set-up as the rules want them."""

    def recorded(self, replay: Mapping[str, Any], seats: int) -> Opening:
        """Return both as they stand there."""
        del seats
        return Opening(replay.get("options") or {}, replay.get("setup") or {})


class NoDeck:
    """For a game whose cards or pieces need no file."""

    def usual_options(self) -> dict[str, Any]:
        """Return nothing."""
        return {}


class PlainOptions(NoDeck):
    """For a game whose rules read its options by the number of seats.

    rules: with `parse_options` and `options_to_json`.
    """

    rules: Any

    def parse_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return every option with its value, the usual one where none is given.

        Raises InvalidSetup.
        """
        given = self.usual_options() | dict(options)
        found: dict[str, Any] = self.rules.options_to_json(self.rules.parse_options(given, seats))
        return found


class NoStart:
    """For a game whose rounds do not begin from a table that has to be read."""

    def start(self, seen: Table) -> tuple[str, ...]:
        """Return nothing."""
        del seen
        return ()

    def expects_start(self, state: Any) -> bool:
        """Return that nothing has to be read."""
        del state
        return False

    def is_unusual_start(self, state: Any) -> bool:
        """Return that nothing has begun."""
        del state
        return False


class Untimed:
    """For a game in which nobody has to hurry."""

    def time_limit_s(self, state: Any) -> float | None:
        """Return that it has no clock."""
        del state
        return None


class Unsensed(Untimed):
    """For a game that has neither tower, idol, buttons nor clock."""

    def on_fact(self, state: Any, fact: Fact, people: People) -> Reaction | None:
        """Return that it has no such device."""
        del state, fact, people
        return None


class AnyColours:
    """For a game whose pieces belong to nobody: players choose their colours."""

    def colours(self, state: Any) -> Sequence[str]:
        """Return that the game has none."""
        del state
        return ()


class Unexplained:
    """For a game that explains nothing of its scores."""

    def reason(self, before: Any, action: Any, players: Sequence[str]) -> Reason | None:
        """Return nothing."""
        del before, action, players
        return None

    def round_end(self, before: Any, action: Any, players: Sequence[str]) -> RoundEnd | None:
        """Return nothing."""
        del before, action, players
        return None

    def clause_words(self, clause: str) -> str:
        """Return nothing."""
        del clause
        return ""


class OneForm:
    """For a game whose actions are entered as they are."""

    def forms(self, state: Any, action: Any) -> tuple[Any, ...]:
        """Return *action* alone."""
        del state
        return (action,)


class NothingKept:
    """For a game in which no seat enters a secret of its own."""

    def is_kept(self, action: Any) -> bool:
        """Return that nothing is kept."""
        del action
        return False

    def disclosed(self, before: Any, action: Any) -> tuple[Any, ...]:
        """Return that no action shows more than it says."""
        del before, action
        return ()

    def secrets_due(self, state: Any) -> tuple[int, ...]:
        """Return that nobody has one."""
        del state
        return ()

    def secrets_entered(self, state: Any) -> tuple[int, ...]:
        """Return that nobody has one."""
        del state
        return ()


class ClosedHands(NothingKept):
    """For a game whose hands of cards are counted, and known to the engine at most."""

    def public(self, action: str) -> str:
        """Return *action* without the cards of a hand."""
        match action.split():
            case ["drew", _]:
                return "drew hidden"
            case ["hand", seat, *_]:
                return f"hand {seat}"
        return action

    def playing(self, state: Any) -> tuple[int, ...]:
        """Return all seats: each has a hand."""
        return tuple(range(len(state.hands)))


class NoSecrets(OneForm, NothingKept):
    """For a game in which everything lies open."""

    def plays_by_secrets(self, state: Any) -> bool:
        """Return that there is none."""
        del state
        return False

    def is_secret(self, state: Any, action: Any) -> bool:
        """Return that nothing is secret."""
        del state, action
        return False

    def public(self, action: str) -> str:
        """Return *action* itself."""
        return action


class OpenEnded:
    """For a game whose number of rounds depends on how it goes."""

    def rounds(self, state: Any) -> int:
        """Return that nobody knows."""
        del state
        return 0


class OneRound:
    """For a game that is one round, with nothing scored before its end."""

    def rounds(self, state: Any) -> int:
        """Return 1."""
        del state
        return 1

    def round_number(self, state: Any) -> int:
        """Return 1."""
        del state
        return 1

    def last_round(self, state: Any) -> RoundScored | None:
        """Return that none is scored."""
        del state
        return None
