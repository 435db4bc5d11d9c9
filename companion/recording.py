"""Recordings: a folder of pictures with a session.json that says what they are of.

Of `replay` only what people at the table would tell the companion is read: who plays, who begins,
where they sit, what the set-up was, their secret cards, and what they and the sensors said between
the pictures. The outcome, the truth of the pictures and how they were made are never looked at; of
truth.jsonl only the known table of the calibration frame is. `actions` is the game as people would
enter it without a camera, and is read for that alone.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.referee.game import Game
from companion.referee.referee import EntrySource
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.session.events import Entry
from companion.session.session import Header

SIDES: Final = ("near", "right", "far", "left")


class BadRecording(ValueError):
    """A folder that is no recording; says which file or key is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A folder of pictures in order of time.

    description: the whole session.json, for the reader's layout.  calibration: the frame whose
    truth is known, and that truth.  frames: the names of all other frames.
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

    @property
    def layout(self) -> Mapping[str, Any]:
        """What session.json says of how the table is laid out."""
        keys = ("mat", "image", "layout")
        return {key: self.description[key] for key in keys if key in self.description}

    def path(self, frame: str) -> Path:
        """Return where *frame* lies."""
        return self.folder / frame


def load_recording(folder: Path) -> Recording:
    """Read the session.json of *folder*; raises BadRecording."""
    source = folder / "session.json"
    if not folder.is_dir():
        raise BadRecording(f"{folder} is not a folder; name one that holds a session.json")
    description = _load_json(source)
    game = description.get("game")
    if not isinstance(game, str):
        raise BadRecording(
            f"{source} names no game; add a key 'game', such as '{next(iter(GAMES))}'"
        )
    try:
        listed = [str(frame["frame"]) for frame in description["frames"]]
    except (KeyError, TypeError):
        raise BadRecording(
            f"{source} lists no frames; add 'frames': [{{'frame': '000.jpg'}}, ...]"
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
        raise BadRecording(
            f"{source.parent} has no session.json, so it is not a recording"
        ) from None
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


@dataclass(frozen=True, slots=True)
class EnteredAction:
    """What people or sensors said after a picture: *action* in the words of the rules.

    seat: who entered it for itself alone, None for what everyone may know.
    number: in which order what followed one picture was said, if that was noted.
    """

    after_frame: str
    action: str
    by: EntrySource
    seat: int | None = None
    number: int = 0


def load_game(recording: Recording) -> Game[Any, Any]:
    """Return the game that *recording* is of; raises BadRecording if it is none of ours."""
    if recording.game not in GAMES:
        raise BadRecording(
            f"{recording.folder / 'session.json'} is for {recording.game}; the known games are"
            f" {', '.join(GAMES)}"
        )
    game: Game[Any, Any] = game_of(recording.game)
    return game


def replay_header(recording: Recording) -> tuple[Header, list[str | None]]:
    """Return what opens a session for *recording*, and what each seat enters for itself.

    Raises BadRecording if the folder does not tell of a game.
    """
    game, replay, source = load_game(recording), _replay(recording), recording.folder
    try:
        return _header(game, replay)
    except (RulesError, KeyError, TypeError, ValueError) as error:
        words = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
        words = " ".join(words.split())  # of whatever the file has in the place of an option
        raise BadRecording(f"{source / 'session.json'}, 'replay': {words}") from None


def load_script(recording: Recording) -> list[EnteredAction]:
    """Return what was said between the pictures, in order.

    After one picture sensors come first, unless `number` says otherwise.
    Raises BadRecording.
    """
    replay = _replay(recording)
    places = {name: place for place, name in enumerate(_every_frame(recording))}
    said = [
        *_entered_actions(recording, replay, "sensors", "fact", "sensor"),
        *_entered_actions(recording, replay, "told", "told", "hand"),
    ]
    for each in said:
        if each.after_frame not in places:
            raise BadRecording(
                f"{recording.folder / 'session.json'}, 'replay': '{each.action}' was said after"
                f" {each.after_frame!r}, which is not one of its frames"
            )
    return sorted(said, key=lambda each: (places[each.after_frame], each.number))


def load_actions(recording: Recording) -> list[str]:
    """Return the whole game as people would enter it without a camera; raises BadRecording."""
    actions = _replay(recording).get("actions")
    if not isinstance(actions, list) or not all(isinstance(each, str) for each in actions):
        raise BadRecording(
            f"{recording.folder / 'session.json'}, 'replay': no 'actions' to enter; they are a list"
            " of texts, as docs/rules/ has them"
        )
    return actions


def _replay(recording: Recording) -> Mapping[str, Any]:
    if recording.replay is None:
        raise BadRecording(
            f"{recording.folder / 'session.json'} has no 'replay'; these are single pictures: try"
            f" tiki read {recording.folder}"
        )
    return recording.replay


def _every_frame(recording: Recording) -> tuple[str, ...]:
    first = (recording.calibration[0],) if recording.calibration else ()
    return (*first, *recording.frames)


def _entered_actions(
    recording: Recording, replay: Mapping[str, Any], key: str, name: str, by: EntrySource
) -> list[EnteredAction]:
    try:
        return [
            EnteredAction(
                str(each["after_frame"]),
                str(each[name]),
                by,
                None if each.get("seat") is None else int(each["seat"]),
                int(each.get("number", 0)),
            )
            for each in replay.get(key, ())
        ]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadRecording(
            f"{recording.folder / 'session.json'}, 'replay': {key} is a list of objects with"
            f" after_frame and {name}"
        ) from None


def remaining_frames(recording: Recording, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the frames from the last one on that *entries* speak of; all if they know none.

    That one is shown again, so that the table looks as it did when the log was left.
    """
    seen = {getattr(entry.event, "frame", None) for entry in entries}
    places = [place for place, name in enumerate(recording.frames) if name in seen]
    return recording.frames[max(places, default=0) :]


def _header(game: Game[Any, Any], replay: Mapping[str, Any]) -> tuple[Header, list[str | None]]:
    players = tuple(str(name)[:1].upper() + str(name)[1:] for name in replay["players"])
    opening = game.recorded(replay, len(players))
    given = {**opening.options, **(replay.get("options") or {})}
    options = game.parse_options(given, len(players))
    setup = {**opening.setup, **(replay.get("setup") or {})}
    game.rules.initial(len(players), options, setup)
    header = Header(
        game=game.name,
        players=players,
        options=options,
        setup=setup,
        sides=_sides(replay.get("seats"), len(players)),
        bearings_deg=opening.bearings_deg,
    )
    return header, list(opening.secrets)


def _sides(words: object, seats: int) -> tuple[str, ...]:
    """Return where each seat sits, from words such as "player 0 near, 1 right"; () if not told."""
    found = dict(re.findall(rf"(\d+)\s+({'|'.join(SIDES)})", str(words)))
    sides = tuple(found.get(str(seat), "") for seat in range(seats))
    return sides if all(sides) else ()
