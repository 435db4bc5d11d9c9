"""A room that is tried out: what would be read in it, and what would help, before it is bought.

First the room as it is. If anything is not read there, one thing after another is changed, and the
same tables are read again; if no change alone is enough, the best of them is kept, and the others
are added to it. Only what was read is told: nothing is recommended that was not seen to help.

Pictures are drawn by a page and come one at a time; they lie in a folder of their own until the
room is judged. No reader or referee of a game in play is touched.
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.apps.virtual.room import Room, changed
from companion.apps.virtual.room_changes import Change, list_changes
from companion.apps.virtual.trial_film import Judgement, TrialScript, judge_film, write_script
from companion.language.message import Message, say
from vision.capture.frame import BadPicture, decode

MOST_S: Final = 900.0
MOST_ROOMS: Final = 30
MOST_SIDE_PX: Final = 1920

Judge = Callable[[TrialScript, Room, Path], Judgement]


@dataclass(frozen=True, slots=True)
class Tried:
    """A room that was judged.

    changes: what is other in it than in the room as it is, nothing in that itself.
    """

    changes: tuple[Change, ...]
    judgement: Judgement


class TrialOver(RuntimeError):
    """The trial has ended, or took too long; says so in a sentence."""


class RoomTrial:
    """One trial of *room* for *game*; its methods are called by one thread at a time.

    judge: judges the pictures of a room.  clock: in seconds.
    Raises BadRecording or KeyError if nothing is known of that game's table.
    """

    def __init__(
        self,
        game: str,
        room: Room,
        judge: Judge = judge_film,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._script = write_script(game)
        self._snapshots = self._script.snapshots()
        self._room, self._judge, self._clock = room, judge, clock
        self._began_s = clock()
        self._folder = tempfile.TemporaryDirectory(prefix="tiki-room-")
        self._waiting: list[tuple[Change, ...]] = [()]
        self._at = self._round = 0
        self.tried: list[Tried] = []
        self.number = 0

    @property
    def snapshot(self) -> dict[str, Any] | None:
        """What is to be drawn next, None if the trial has ended."""
        if not self._waiting:
            return None
        return {**self._snapshots[self._at], "room": msgspec.to_builtins(self._room_now)}

    @property
    def words(self) -> Message:
        """What is being tried."""
        room = name_changes(self._waiting[0]) if self._waiting else say("The room as it is")
        picture, pictures = self._at + 1, len(self._snapshots)
        return say(
            "{room}: picture {picture} of {pictures}", room=room, picture=picture, pictures=pictures
        )

    @property
    def _room_now(self) -> Room:
        entries: dict[str, Any] = {}
        for change in self._waiting[0]:
            entries |= change.entries
        return changed(self._room, entries)

    def take(self, encoded: bytes) -> None:
        """Take the picture of `snapshot`, a JPEG; the last one of a room is followed by judging.

        That may take some seconds.  Raises BadPicture, and TrialOver if it took too long.
        """
        if not self._waiting or self._clock() - self._began_s > MOST_S:
            self.close()
            raise TrialOver(say("That took too long. Try the room again on a quicker machine."))
        name = self._script.rows[self._at]["frame"]
        room = self._room_now
        height, width = decode(encoded, name).shape[:2]
        if (width, height) != (room.width, room.height) or width > MOST_SIDE_PX:
            raise BadPicture(f"{name}: not the picture that was asked for")
        (Path(self._folder.name) / name).write_bytes(encoded)
        self.number += 1
        self._at += 1
        if self._at == len(self._snapshots):
            self._judge_room(room)

    def close(self) -> None:
        """End it; pictures are gone."""
        self._waiting = []
        self._folder.cleanup()

    def _judge_room(self, room: Room) -> None:
        changes, self._at = self._waiting.pop(0), 0
        judgement = self._judge(self._script, room, Path(self._folder.name))
        self.tried.append(Tried(changes, judgement))
        if not self._waiting:
            self._waiting = self._plan()[: MOST_ROOMS - len(self.tried)]
        if not self._waiting:
            self.close()

    def _plan(self) -> list[tuple[Change, ...]]:
        """Return what is to be tried now that a round is over."""
        self._round += 1
        if any(each.judgement.is_whole for each in self.tried):
            return []
        others = list_changes(self._room)
        if self._round == 1:
            return [(change,) for change in others]
        best = max(self.tried, key=lambda each: each.judgement.rank)
        if self._round > 2 or not best.changes:
            return []
        (kept,) = best.changes
        return [(kept, change) for change in others if not kept.entries.keys() & change.entries]


def name_changes(changes: tuple[Change, ...]) -> Message:
    """Return what is changed, in words."""
    match changes:
        case ():
            return say("The room as it is")
        case (one,):
            return one.words
        case (one, other, *_):
            return say("{one}, and: {other}", one=one.words, other=other.words)
    raise AssertionError(changes)
