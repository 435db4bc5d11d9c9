"""Recordings: a folder of pictures with a session.json that says what they are of.

Of `replay` only what people at the table would tell the companion is read: who plays, who begins,
where they sit, their secret cards, the cards each began with and the starting line. The outcome,
the truth of the pictures and how they were made are never looked at; of truth.jsonl only the known
line of the calibration frame is.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.rules import tiki_topple
from companion.rules.base import RulesError
from companion.session.events import Entry
from companion.session.session import Header

SIDES: Final = ("near", "right", "far", "left")


class BadRecording(ValueError):
    """A folder that is no recording; says which file or key is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A folder of pictures in order of time.

    description: the whole session.json, for the eyes' layout.  calibration: the frame whose truth
    is known, and that truth.  frames: the names of all other frames.
    """

    folder: Path
    game: str
    difficulty: str
    description: Mapping[str, Any]
    calibration: tuple[str, Mapping[str, Any]] | None
    frames: tuple[str, ...]

    @property
    def replay(self) -> Mapping[str, Any] | None:
        """What is told about the game that the frames show; None if they are single pictures."""
        found = self.description.get("replay")
        return found if isinstance(found, Mapping) else None

    def path(self, frame: str) -> Path:
        """Return where *frame* lies."""
        return self.folder / frame


def load_recording(folder: Path) -> Recording:
    """Read the session.json of *folder*; raises BadRecording."""
    source = folder / "session.json"
    if not folder.is_dir():
        raise BadRecording(f"{folder} is no folder; name one that holds a session.json")
    description = _load_json(source)
    game = description.get("game")
    if not isinstance(game, str):
        raise BadRecording(f"{source} names no game; it wants a key 'game', such as 'tiki_topple'")
    try:
        listed = [str(frame["frame"]) for frame in description["frames"]]
    except (KeyError, TypeError):
        raise BadRecording(
            f"{source} lists no frames; it wants 'frames': [{{'frame': '000.jpg'}}, ...]"
        ) from None
    for name in listed:
        if Path(name).name != name:
            raise BadRecording(f"{source}: the frame {name!r} is not a file name in this folder")
    first = description.get("calibration_frame")
    truth = _calibration_truth(folder, first, description) if first in listed else None
    return Recording(
        folder,
        game,
        str(description.get("difficulty", "unknown")),
        description,
        (first, truth) if isinstance(first, str) and truth else None,
        tuple(name for name in listed if not (truth and name == first)),
    )


def _load_json(source: Path) -> dict[str, Any]:
    try:
        found = json.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadRecording(f"{source.parent} has no session.json; it is no recording") from None
    except OSError as error:
        raise BadRecording(f"{source} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadRecording(f"{source} is not valid JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadRecording(f"{source} must hold a JSON object")
    return found


def _calibration_truth(
    folder: Path, frame: object, description: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return the truth of the calibration frame: from truth.jsonl, else the layout's names."""
    source = folder / "truth.jsonl"
    if source.is_file():
        for text in source.read_text(encoding="utf-8", errors="replace").splitlines():
            if '"calibration"' not in text:
                continue
            try:
                row = json.loads(text)
                if row["frame"] == frame and row["kind"] == "calibration":
                    return dict(row["truth"])
            except (ValueError, KeyError, TypeError):
                continue
    layout = description.get("layout")
    names = layout.get("names") if isinstance(layout, Mapping) else None
    return {"line": names} if isinstance(names, list) else None


def replay_header(recording: Recording) -> tuple[Header, list[str | None]]:
    """Return what opens a session for *recording*, and each seat's secret card as an action.

    Raises BadRecording if the folder does not tell of a game of Tiki Topple.
    """
    source = recording.folder / "session.json"
    if recording.game != tiki_topple.NAME:
        raise BadRecording(
            f"{source} is of {recording.game}; only {tiki_topple.NAME} can be replayed so far"
        )
    told = recording.replay
    if told is None:
        raise BadRecording(
            f"{source} has no 'replay'; these are single pictures: try tiki read {recording.folder}"
        )
    try:
        return _header(told)
    except (RulesError, KeyError, TypeError, ValueError) as error:
        words = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadRecording(f"{source}, 'replay': {words}") from None


def frames_left(recording: Recording, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the frames from the last one on that *entries* speak of; all if they know none.

    That one is shown again, so that the table looks as it did when the log was left.
    """
    seen = {getattr(entry.event, "frame", None) for entry in entries}
    places = [place for place, name in enumerate(recording.frames) if name in seen]
    return recording.frames[max(places, default=0) :]


def _header(told: Mapping[str, Any]) -> tuple[Header, list[str | None]]:
    players = tuple(str(name).capitalize() for name in told["players"])
    options: dict[str, Any] = {}
    if told.get("cards_each"):
        options["hand"] = list(told["cards_each"])
    setup: dict[str, Any] = {"first": told.get("first_player", 0)}
    if told.get("start_line"):
        setup["line"] = list(told["start_line"])
    start = tiki_topple.initial(len(players), options, setup)
    cards = told.get("secret_cards") or [None] * len(players)
    if len(cards) != len(players):
        raise ValueError(f"secret_cards has {len(cards)} cards for {len(players)} players")
    secrets = [
        card
        and tiki_topple.format_action(tiki_topple.Dealt(seat, tiki_topple.parse_secret_card(card)))
        for seat, card in enumerate(cards)
    ]
    header = Header(
        game=tiki_topple.NAME,
        players=players,
        options=tiki_topple.options_to_json(start.options),
        setup=setup,
        sides=_sides(told.get("seats"), len(players)),
    )
    return header, secrets


def _sides(words: object, seats: int) -> tuple[str, ...]:
    """Return where each seat sits, from words such as "player 0 near, 1 right"; () if not told."""
    found = dict(re.findall(rf"(\d+)\s+({'|'.join(SIDES)})", str(words)))
    sides = tuple(found.get(str(seat), "") for seat in range(seats))
    return sides if all(sides) else ()
