"""The rules of a game, asked as any other program asks them: through `tiki rules`.

Eyes never import the companion, and neither does what trains them; a game that is played at random
to be filmed is refereed by a process of its own, a line of JSON at a time.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self, TypeAlias

Action: TypeAlias = dict[str, Any]
"""An action as an object with a `type`."""


class Refused(ValueError):
    """An action that the rules forbid; says why."""


class RulesProcess:
    """One game of *game*, with what nobody shows hidden from the rules as well.

    state: as the rules tell it after the last action.  actions: the texts of all actions so far.
    """

    def __init__(self, game: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own rules
            [sys.executable, "-m", "companion.cli.rules", game],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.state: dict[str, Any] = {}
        self.outcome: dict[str, Any] | None = None
        self.actions: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the conversation."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def begin(self, seats: int, options: Mapping[str, Any], setup: Mapping[str, Any]) -> None:
        """Begin a game."""
        request = {"op": "new", "seats": seats, "options": options, "setup": setup}
        self._take(self._ask(request))
        self.actions = []

    def apply(self, text: str) -> None:
        """Play *text*; raises Refused, and then nothing has changed."""
        self._take(self._ask({"op": "apply", "action": text}))
        self.actions.append(text)

    def reason(self, text: str) -> str | None:
        """Return why *text* may not be played now, None if it may."""
        try:
            self._ask({"op": "apply", "action": text})
        except Refused as refused:
            return str(refused)
        self._ask({"op": "undo"})
        return None

    def legal(self, kind: str) -> list[Action]:
        """Return what may happen next, of the type *kind*."""
        found: list[Action] = self._ask({"op": "legal"})["actions"]
        return [action for action in found if action["type"] == kind]

    def _take(self, answer: dict[str, Any]) -> None:
        self.state, self.outcome = answer["state"], answer["outcome"]

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        if not answer.pop("ok"):
            raise Refused(answer["message"])
        return answer
