"""The rules of a game as a conversation: one JSON object in, one JSON object out.

Any program can play or referee through it; `tiki rules GAME` puts it on stdin and stdout.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn, Protocol, TypeVar

from companion.rules.base import IllegalAction, Outcome, Rules, RulesError

S = TypeVar("S")
A = TypeVar("A")

MAX_LINE_CHARS: Final = 1_000_000  # a line longer than this is refused unread
MAX_MESSAGE_CHARS: Final = 300
REQUESTS: Final[dict[str, frozenset[str]]] = {
    "new": frozenset(("seats", "options", "setup")),
    "legal": frozenset(),
    "apply": frozenset(("action",)),
    "state": frozenset(),
    "view": frozenset(("seat",)),
    "undo": frozenset(),
}


class InvalidRequest(RulesError):
    """A line that is no request of this protocol."""


class NoGame(RulesError):
    """A request that needs a game, before `new` began one."""


class NothingToUndo(RulesError):
    """An `undo` with no action left to take back."""


class Spoken(Rules[S, A], Protocol[S, A]):
    """A game's rules with its name, its JSON forms and the state as a seat sees it."""

    NAME: str

    def action_from_json(self, thing: object) -> A:
        """Return the action given as its text or as an object, or raise InvalidAction."""

    def action_to_json(self, action: A) -> dict[str, Any]:
        """Return *action* as an object with a `type`."""

    def state_to_json(self, state: S) -> dict[str, Any]:
        """Return all that the engine knows of *state*, secrets included."""

    def seen_by(self, state: S, seat: int | None) -> S:
        """Return *state* with all that *seat* may not know unknown; None is a bystander."""


class Conversation:
    """One game on request, with every state since `new` for `undo`."""

    def __init__(self, rules: Spoken[Any, Any], defaults: Mapping[str, Any] | None = None) -> None:
        """Begin with no game; *defaults* are options that hold unless `new` gives others."""
        self._rules = rules
        self._defaults = dict(defaults or {})
        self._states: list[Any] = []

    def answer(self, line: str | bytes) -> str:
        """Return the one line, in ASCII, that answers *line*; a refusal changes nothing.

        >>> from companion.registry import GAMES, game_of
        >>> Conversation(game_of(next(iter(GAMES))).rules).answer('{"op":"legal"}')
        '{"ok":false,"error":"NoGame","message":"no game yet; begin one with op new"}'
        """
        try:
            return _line({"ok": True, **self._reply(_request(line))})
        except RulesError as error:
            return _line(_refusal(error))
        except RecursionError:
            return _line(_refusal(InvalidRequest("the line is nested too deeply")))

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        op = request["op"]
        if op == "new":
            options = {**self._defaults, **(request.get("options") or {})}
            self._states = [self._rules.initial(request["seats"], options, request.get("setup"))]
        elif not self._states:
            raise NoGame("no game yet; begin one with op new")
        elif op == "apply":
            action = self._rules.action_from_json(request["action"])
            self._states.append(self._rules.apply(self._states[-1], action))
        elif op == "undo":
            if len(self._states) == 1:
                raise NothingToUndo("this is the start of the game")
            self._states.pop()
        state = self._states[-1]
        if op == "legal":
            actions = self._rules.legal_actions(state)
            return {"actions": [self._rules.action_to_json(action) for action in actions]}
        if op == "view":
            return {"view": self._rules.view(state, _seat(request.get("seat"), self._rules, state))}
        return {
            "state": self._rules.state_to_json(state),
            "turn": self._rules.turn(state),
            "outcome": _outcome_to_json(self._rules.outcome(state)),
        }


def _seat(seat: object, rules: Spoken[S, A], state: S) -> int | None:
    seats = len(rules.state_to_json(state)["scores"])
    if seat is None or (type(seat) is int and 0 <= seat < seats):
        return seat
    raise InvalidRequest(f"seat is a number from 0 to {seats - 1} or null, not {seat!r}")


def _request(line: str | bytes) -> dict[str, Any]:
    if isinstance(line, bytes):
        try:
            line = line.decode()
        except UnicodeDecodeError:
            raise InvalidRequest("the line is not valid UTF-8") from None
    if len(line) > MAX_LINE_CHARS:
        raise InvalidRequest(f"the line is longer than {MAX_LINE_CHARS} characters")
    try:
        request = json.loads(line, parse_constant=_no_constant)
    except ValueError as error:
        raise InvalidRequest(f"the line is not JSON: {error}") from None
    if not isinstance(request, dict):
        raise InvalidRequest('a request is an object such as {"op":"new","seats":4}')
    op = request.get("op")
    if not isinstance(op, str) or op not in REQUESTS:
        raise InvalidRequest(f"op is one of {', '.join(REQUESTS)}, not {op!r}")
    for key in request:
        if key != "op" and key not in REQUESTS[op]:
            takes = ", ".join(sorted(REQUESTS[op])) or "nothing else"
            raise InvalidRequest(f"op {op} takes {takes}, not '{key}'")
    for key in ("options", "setup"):
        if not isinstance(request.get(key), dict | None):
            raise InvalidRequest(f"{key} is an object, not {request[key]!r}")
    for key in {"new": ("seats",), "apply": ("action",)}.get(op, ()):
        if key not in request:
            raise InvalidRequest(f"op {op} needs '{key}'")
    return request


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _refusal(error: RulesError) -> dict[str, Any]:
    message = " ".join(str(error).split())
    if len(message) > MAX_MESSAGE_CHARS:
        message = message[:MAX_MESSAGE_CHARS] + "..."
    refusal: dict[str, Any] = {"ok": False, "error": type(error).__name__, "message": message}
    if isinstance(error, IllegalAction):
        refusal["clause"] = error.clause
    return refusal


def _outcome_to_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "ended_by": outcome.ended_by,
    }


def _line(answer: dict[str, Any]) -> str:
    return json.dumps(answer, separators=(",", ":"), allow_nan=False)
