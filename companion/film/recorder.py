"""The recorder: a live table written to a folder that `tiki replay` can play.

Observations, entries and facts go onto a queue, and a separate thread writes them, so
that a slow or full disk does not delay the game. Whatever was written last, the folder can be
played: a picture is there before session.json names it, and both are there whole or not at all.
"""

import contextlib
import json
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from companion.config import AUTO, Config
from companion.files import write_whole
from companion.film.prompting import CORRECT, INSTEAD, MOVED
from companion.referee.game import Table
from companion.referee.live_session import LiveSession
from companion.referee.referee import UNDO
from companion.referee.table_dispute import ADOPT
from companion.registry import GAMES
from companion.session.events import (
    ChanceObserved,
    Entry,
    MoveAccepted,
    MoveCorrected,
    MoveUndone,
    SecretEntered,
    SpinObserved,
    TableAdopted,
    event_to_json,
)
from companion.session.history import Act
from companion.table.readers import Reader
from vision.capture.frame import Frame, encode
from vision.observation import Observation, Reason, Status

JPEG_QUALITY: Final = 87
"""With a colour for each pixel, as large as 90 with one for each four."""
MAX_WAITING_FRAMES: Final = 4
"""So many pictures wait at most for the referee to be shown what was read of them."""
MAX_ALIKE_FRAMES: Final = 6
"""A table that cannot be read is looked at every second; so many such pictures in a row suffice."""
CLOSE_TIMEOUT_S: Final = 5.0


class CannotRecord(ValueError):
    """A folder that cannot be recorded into; says why and what to do."""


def require_camera(config: Config) -> None:
    """Raise CannotRecord if nothing will be seen that could be recorded."""
    if config.camera.source != "none":
        return
    if (game := config.table.game) != AUTO and not GAMES[game].has_mat:
        raise CannotRecord(f"{game} is played without a camera; nothing can be recorded")
    raise CannotRecord("there is no camera to record; set camera.source in the settings")


class Recorder:
    """Records one table, each game in a folder of its own: *folder*, then *folder*/2 and so on.

    with_secrets: whether what seats enter for themselves is written down, too.
    Raises CannotRecord unless *folder* is new or empty.
    """

    def __init__(self, folder: Path, *, with_secrets: bool = False) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise CannotRecord(f"{folder} is not empty; name a new folder to record into")
        except OSError as error:
            raise CannotRecord(
                f"{folder} cannot be recorded into: {error.strerror}; name another folder"
            ) from None
        self._with_secrets = with_secrets
        self._writer = _FolderWriter(folder)
        self._live_session: LiveSession | None = None
        self._session = 0
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, Frame] = OrderedDict()
        self._is_seen = self._is_played = False
        self._alike: tuple[object, int] = (None, 0)
        self._spin: SpinObserved | None = None
        self._instead = ""

    def close(self) -> None:
        """Write what is left."""
        self._writer.close()

    # In the event loop.

    def follow(self, live_session: LiveSession, report: Callable[[str], None]) -> None:
        """Record what *live_session* receives from now on.

        report: called from any thread with what is wrong with the folder, "" when it is well again.
        """
        self._live_session = live_session
        self._writer.report = report
        live_session.on_entry.add(self._note)

    def begin(self, description: Mapping[str, Any]) -> None:
        """Begin the game in play, with what has been played of it.

        description: what session.json has to say of how the table is laid out.
        """
        assert self._live_session is not None
        session, game, header = (
            self._live_session.session,
            self._live_session.game,
            self._live_session.header,
        )
        self._session = session.number
        self._alike, self._spin, self._instead = (None, 0), None, ""
        seats = ", ".join(f"player {seat} {side}" for seat, side in enumerate(header.sides))
        replay = {
            "players": list(header.players),
            "seats": seats,
            "seat_deg": list(header.bearings_deg),
            "options": dict(header.options),
            "setup": dict(header.setup),
        }
        about = {"game": game.name, "difficulty": "unknown", **description}
        self._writer.begin(about, replay, is_next=self._is_played)
        self._is_played = False
        if self._with_secrets:
            for (number, seat), action in session.history.secrets.items():
                if number == 1:
                    self._writer.tell("told", {"told": action, "seat": seat})
        for act in session.history.acts:
            self._write_act(act)

    @contextlib.contextmanager
    def seeing(self, observation: Observation) -> Iterator[None]:
        """Keep the picture of *observation*, which the referee is shown meanwhile."""
        assert self._live_session is not None
        if not self._live_session.paused:
            self._take(observation)
        self._is_seen = True
        try:
            yield
        finally:
            self._is_seen = False

    def _take(self, observation: Observation) -> None:
        if observation.reason is Reason.MOTION:
            self._writer.tell("sensors", {"fact": MOVED})
        with self._lock:
            frame = self._recent.pop(observation.frame, None)
        what = (observation.status, observation.reason, observation.arms)
        count = self._alike[1] + 1 if what == self._alike[0] else 1
        self._alike = what, count
        if frame is not None and (count <= MAX_ALIKE_FRAMES or observation.status is Status.OK):
            self._writer.show(frame)

    def _note(self, entry: Entry) -> None:
        """Write down what *entry* says that no picture will say again."""
        assert self._live_session is not None
        if self._live_session.session.number != self._session:
            return
        event = entry.event
        self._is_played |= isinstance(event, MoveAccepted | ChanceObserved)
        if isinstance(event, ChanceObserved) and not event.by and event.frame is None:
            if not self._with_secrets:  # else it is shown again by itself
                self._write_entered(event.action, "hand")
        elif isinstance(event, SecretEntered) and self._with_secrets:
            self._writer.tell("told", {"told": event.action, "seat": event.seat})
        elif isinstance(event, SpinObserved):
            self._spin = event
        elif not self._is_seen:
            self._note_entered(event)

    def _note_entered(self, event: object) -> None:
        assert self._live_session is not None
        match event:
            case MoveAccepted() | ChanceObserved():
                before, self._instead = self._instead, ""
                self._write_entered(event.action, event.by or "hand", before)
            case MoveUndone(replaced=True):
                self._instead = f"{INSTEAD} "
            case MoveUndone():
                self._write_entered(UNDO, "hand")
            case TableAdopted():
                self._write_adopted(event)
            case MoveCorrected(corrects, action):
                place = self._live_session.session.history.index(corrects)
                self._write_entered(action, "hand", f"{CORRECT} {place} ")

    def _write_adopted(self, event: TableAdopted) -> None:
        thing = event_to_json(event)
        said = {name: thing[name] for name in ("table", "seat", "used")}
        self._writer.tell("told", {"told": f"{ADOPT} {json.dumps(said)}"})

    def _write_act(self, act: Act) -> None:
        """Write down what has happened before, and what it has replaced."""
        assert self._live_session is not None
        if act.replaces is not None:
            self._write_act(act.replaces)
        if act.adopted is not None:
            self._write_adopted(act.adopted)
        elif not (act.secret or (act.shown and self._with_secrets)):
            left = self._live_session.session.history.forms(act.seq) or act.forms
            action = next(form for form in act.forms if form in left)
            self._write_entered(action, "hand", f"{INSTEAD} " if act.replaces else "")

    def _write_entered(self, action: str, by: str, before: str = "") -> None:
        """Write down *action*, as everyone may know it, with the words *before* it."""
        assert self._live_session is not None
        is_public = not self._with_secrets or before.startswith(CORRECT)
        if is_public and action != UNDO:
            action = self._live_session.game.public(action)
        action = f"{before}{action}"
        if by == "sensor":
            spin, self._spin = self._spin, None
            turned = {"spin_deg": spin.angle_deg, "turns": spin.turns} if spin else {}
            self._writer.tell("sensors", {"fact": action, **turned})
        else:
            self._writer.tell("told", {"told": action})

    # In the reader's thread.

    def record_reader(self, reader: Reader) -> Reader:
        """Return *reader* with its pictures kept until the referee is shown what it read."""
        return _RecordedReader(reader, self.keep, self._writer.add_calibration)

    def keep(self, frame: Frame) -> None:
        """Hold *frame* until the referee is shown what was read of it."""
        with self._lock:
            self._recent[frame.name] = frame
            while len(self._recent) > MAX_WAITING_FRAMES:
                self._recent.popitem(last=False)

    def add_calibration(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Keep *frame*, from which the reader has learned that *truth* lies there."""
        self._writer.add_calibration(frame, truth)


class _RecordedReader:
    """A reader whose pictures are kept; see `Reader`."""

    def __init__(
        self,
        reader: Reader,
        keep: Callable[[Frame], None],
        add_calibration: Callable[[Frame, Mapping[str, Any]], None],
    ) -> None:
        self._reader = reader
        self._keep = keep
        self._add_calibration = add_calibration

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn, and keep what was learned from."""
        self._reader.calibrate(frame, truth)
        self._add_calibration(frame, truth)

    def read(self, frame: Frame) -> Observation:
        """Read, and keep what was read."""
        found = self._reader.read(frame)
        self._keep(frame)
        return found

    def set_reference(self, frame: str, table: Table) -> None:
        """Pass it on."""
        self._reader.set_reference(frame, table)


class _FolderWriter:
    """The files, written by a thread of their own, one job after the other.

    report: see `Recorder.follow`.
    """

    def __init__(self, folder: Path) -> None:
        self.report: Callable[[str], None] = lambda _: None
        self._root = self._folder = folder
        self._games = 0
        self._description: dict[str, Any] = {}
        self._truth: list[str] = []
        self._written: list[Path] = []
        self._pending: list[tuple[str, dict[str, Any]]] = []
        self._trouble = ""
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()

    def begin(
        self, description: Mapping[str, Any], replay: Mapping[str, Any], *, is_next: bool
    ) -> None:
        """Begin a game; *is_next*: one was played, and is kept."""
        self._jobs.put(partial(self._begin, dict(description), dict(replay), is_next))

    def add_calibration(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Add the picture that the reader has learned from."""
        self._jobs.put(partial(self._add_calibration, frame, dict(truth)))

    def show(self, frame: Frame) -> None:
        """Add a picture."""
        self._jobs.put(partial(self._show, frame))

    def tell(self, key: str, said: dict[str, Any]) -> None:
        """Add what was *said*, to the list *key* of session.json."""
        self._jobs.put(partial(self._say, key, said))

    def close(self) -> None:
        """Write what is left, and end."""
        self._jobs.put(None)
        self._thread.join(CLOSE_TIMEOUT_S)

    # In its own thread.

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
                if self._description and self._jobs.empty():
                    self._save()
                    self._report("")
            except OSError as error:
                self._report(f"cannot be written ({error.strerror}); the game goes on without")
        with contextlib.suppress(OSError):
            self._save()

    def _report(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self.report(trouble)

    def _begin(self, description: dict[str, Any], replay: dict[str, Any], is_next: bool) -> None:
        if is_next:
            self._save()
            self._games += 1
            self._folder = self._root / str(self._games + 1)
        else:  # nobody has played yet; what was seen meanwhile is of no game
            for path in (*self._written, self._folder / "truth.jsonl"):
                path.unlink(missing_ok=True)
        self._truth, self._written, self._pending = [], [], []
        replay |= {"told": [], "sensors": []}
        self._description = {**description, "frames": [], "replay": replay}
        self._folder.mkdir(exist_ok=True)

    def _add_calibration(self, frame: Frame, truth: dict[str, Any]) -> None:
        name = self._write(frame)
        row = {"frame": name, "kind": "calibration", "truth": truth}
        self._truth.append(json.dumps(row))
        write_whole(self._folder / "truth.jsonl", "\n".join([*self._truth, ""]).encode())
        known = self._description.get("calibration_frame")
        frames = self._description["frames"]
        if known is not None:
            frames.pop(0)
            for key in ("told", "sensors"):
                for said in self._description["replay"][key]:
                    if said["after_frame"] == known:
                        said["after_frame"] = name
        self._description["calibration_frame"] = name
        frames.insert(0, {"frame": name, "kind": "calibration"})
        self._say_pending()

    def _show(self, frame: Frame) -> None:
        self._description["frames"].append({"frame": self._write(frame), "kind": "unknown"})
        self._say_pending()

    def _say(self, key: str, said: dict[str, Any]) -> None:
        self._pending.append((key, said))
        self._say_pending()

    def _say_pending(self) -> None:
        """Add what was said, once there is a picture that it was said after."""
        frames, replay = self._description["frames"], self._description["replay"]
        if not frames:
            return
        for key, said in self._pending:
            number = len(replay["told"]) + len(replay["sensors"])
            last = frames[-1]["frame"]
            replay[key].append({"after_frame": last, **said, "number": number})
        self._pending = []

    def _write(self, frame: Frame) -> str:
        name = f"{len(self._written):03}.jpg"
        write_whole(self._folder / name, encode(frame.picture, JPEG_QUALITY))
        self._written.append(self._folder / name)
        return name

    def _save(self) -> None:
        text = json.dumps(self._description, indent=1, ensure_ascii=False)
        write_whole(self._folder / "session.json", f"{text}\n".encode())
