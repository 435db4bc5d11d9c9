"""A log as the bare rules read it: its rows in order, without the session's fold."""

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion.registry import game_of
from companion.rules.base import Outcome, RulesError

UNPLAYED = ("round", "spin", "resolved", "closed")
"""Rows that tell of the game and change nothing in it."""


class Act(NamedTuple):
    """A row that the rules follow: the actions that it may have been; *kept* if a seat's secret.

    table: how it stood afterwards, as people said; None if nobody was asked.
    """

    seq: int
    forms: tuple[str, ...]
    kept: bool = False
    table: list[str | None] | None = None


def read_rows(log: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return header and rows of the newest session; of a copy, for a daemon holds its log alone."""
    with TemporaryDirectory() as folder:
        for file in log.parent.glob(f"{log.name}*"):
            shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder) / log.name)) as db:
            number, header = db.execute(
                "SELECT id, header FROM session ORDER BY id DESC LIMIT 1"
            ).fetchone()
            rows = db.execute(
                "SELECT seq, body FROM entry WHERE session = ? ORDER BY seq", (number,)
            ).fetchall()
    return json.loads(header), [{"seq": seq, **json.loads(body)} for seq, body in rows]


class Bare:
    """A game played by the rules alone; every way in which it may have gone is followed."""

    def __init__(self, header: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        self.game: Any = game_of(header["game"])
        self.rules: Any = self.game.rules
        start = self.rules.initial(len(header["players"]), header["options"], header["setup"])
        self.acts: list[Act] = []
        self.ways: list[list[Any]] = [[start]]
        self.seen = 0
        self.follow(rows)

    def follow(self, rows: list[dict[str, Any]]) -> None:
        """Follow those of *rows* that have come since."""
        for row in rows[self.seen :]:
            self._follow(row)
        self.seen = len(rows)

    def _follow(self, row: dict[str, Any]) -> None:
        match row["type"]:
            case "move" | "observed":
                forms = (row["action"], *row["also"])
                self._play(Act(row["seq"], forms, table=row.get("table")))
            case "secret":
                if self.game.is_kept(self.rules.parse_action(row["action"])):
                    self._play(Act(row["seq"], (row["action"],), kept=True))
            case "undo":
                place = [act.seq for act in self.acts].index(row["undone"])
                kept = [act for act in self.acts[place:] if act.kept]
                del self.acts[place:], self.ways[place + 1 :]
                for act in kept:
                    self._play(act)
            case other:
                assert other in UNPLAYED, row

    def _play(self, act: Act) -> None:
        after = self.after(*act.forms)
        if act.table is not None:
            after = [state for state in after if [*self.game.shown(state)] == act.table]
        assert after, f"the rules refuse {act}"
        self.acts.append(act)
        self.ways.append(after)

    def after(self, *forms: str) -> list[Any]:
        """Return the states to which any of *forms* may lead from here, of like ones the first."""
        found: dict[Any, Any] = {}
        for state in self.ways[-1]:
            for form in forms:
                with suppress(RulesError):
                    after = self.rules.apply(state, self.rules.parse_action(form))
                    found.setdefault(self.game.key(after), after)
        return list(found.values())

    def ends_with(self, action: str) -> bool:
        """Tell whether nobody has anything to do after *action*, but perhaps to show secrets."""
        after = self.after(action)
        return any(self.rules.outcome(state) or self.game.secrets_due(state) for state in after)

    def outcome(self) -> Outcome:
        """Return how the game ended; fails unless all ways end alike."""
        found = {self.rules.outcome(state) for state in self.ways[-1]}
        assert len(found) == 1, f"it may have gone several ways: {found}"
        (outcome,) = found
        assert isinstance(outcome, Outcome), "the game is not over"
        return outcome
