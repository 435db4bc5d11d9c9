"""A live table in a folder: what is written, what is left out, and that it plays again alike."""

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.files import write_whole
from companion.film import recorder as recorder_module
from companion.film.playback import Playback
from companion.film.prompting import Prompter
from companion.film.recorder import MAX_ALIKE_FRAMES, CannotRecord, Recorder
from companion.recording import load_recording, load_script
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.table.reader_opening import open_reader
from companion.table.readers import Reader
from tests.commands import TIKI, assert_one_line
from tests.recordings import SHIPPED, retell, true_moves
from tests.running import HEEDING
from tests.tables import open_log
from vision.capture.frame import Frame, load_frame
from vision.observation import Observation, Reason, Status

HANG_S = 120
"""What takes longer never ends."""
MOTION = Observation("", Status.UNSETTLED, reason=Reason.MOTION)


@cache
def taught() -> Reader:
    """Return the shipped table's reader, to be copied: teaching takes longer."""
    return open_reader(load_recording(SHIPPED))


class Table:
    """The shipped round at a table that is recorded, as far as it is shown and told."""

    def __init__(self, log: Log, folder: Path, *, with_secrets: bool = False) -> None:
        playback = Playback(load_recording(SHIPPED))
        self.folder = folder
        self.troubles: list[str] = []
        self.recorder = Recorder(folder, with_secrets=with_secrets)
        self.live_session = LiveSession(log, playback.header, playback.secrets)
        self.recorder.follow(self.live_session, self.troubles.append)
        self.layout = playback.recording.layout
        self.recorder.begin(self.layout)
        self.reader: Reader = self.recorder.record_reader(deepcopy(taught()))
        self.live_session.on_accepted_frame.add(self.reader.set_reference)
        for calibration in playback.calibrations():
            self.recorder.add_calibration(*calibration)

    def show(self, *names: str) -> None:
        """Let the eyes read shipped pictures, and the referee see what they read."""
        for name in names:
            frame = load_frame(SHIPPED / name)
            self.observe(self.reader.read(Frame(f"live-{name}", frame.picture, 0.0)))

    def observe(self, observation: Observation) -> None:
        """Let the referee see *observation*."""
        with self.recorder.seeing(observation):
            self.live_session.observe(observation)

    def wait(self) -> None:
        """Wait until all is written that was to be."""
        writer, done = self.recorder._writer, threading.Event()

        def settle() -> None:
            try:
                writer._save()
                writer._report("")
            finally:
                done.set()

        writer._jobs.put(settle)
        assert done.wait(HANG_S)

    def written(self) -> dict[str, Any]:
        """Return session.json."""
        found: dict[str, Any] = json.loads((self.folder / "session.json").read_text())
        return found


@pytest.fixture(name="sit")
def _sit(tmp_path: Path) -> Callable[..., Table]:
    """Return what opens a recorded table."""
    log = open_log()
    return lambda **words: Table(log, tmp_path / "recorded", **words)


def moves_of(live_session: LiveSession) -> list[tuple[str, ...]]:
    """Return the forms of every act that counts."""
    return [act.forms for act in live_session.session.history.acts]


def replayed(capsys: pytest.CaptureFixture[str], folder: Path) -> list[tuple[str, ...]]:
    """Return the forms of the moves that `tiki replay` finds in *folder*, taken back ones left out.

    Checks its exit status.
    """
    assert main(["replay", str(folder), "--json"]) == 0
    found: list[tuple[int, tuple[str, ...]]] = []
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        if line["type"] in ("move", "observed"):
            found.append((line["seq"], (line["action"], *line.get("also", ()))))
        elif line["type"] == "undo":
            found = [each for each in found if each[0] < line["undone"]]
        elif line["type"] == "corrected":
            at = next(at for at, (seq, _) in enumerate(found) if seq == line["corrects"])
            found[at] = line["corrects"], (line["action"],)
    return [forms for _, forms in found]


def test_a_recorded_table_plays_again_alike(
    sit: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    """Pictures, what was told, taken back and corrected, and a hand that changed nothing."""
    table = sit()
    table.show("001.jpg", "003.jpg", "005.jpg")
    table.live_session.referee.enter("up2 eepo")
    table.observe(MOTION)
    table.show("008.jpg", "010.jpg")
    table.live_session.referee.undo()
    table.live_session.referee.enter("up3 hookipa")
    first = table.live_session.session.history.acts[0].seq
    table.live_session.referee.correct(first, "up3 kapu")
    table.recorder.close()
    told = [(said.after_frame, said.action) for said in load_script(load_recording(table.folder))]
    assert told == [
        ("003.jpg", "up2 eepo"),
        ("003.jpg", "moved"),
        ("005.jpg", "undo"),
        ("005.jpg", "up3 hookipa"),
        ("005.jpg", "correct 0 up3 kapu"),
    ]
    assert len(moves_of(table.live_session)) == 4
    assert replayed(capsys, table.folder) == moves_of(table.live_session)


def test_a_replacement_plays_again_as_one(sit: Callable[..., Table]) -> None:
    """Taken back in the recording, it brings back what it replaced; also one from before."""
    table = sit()
    referee, line = table.live_session.referee, table.live_session.session.state.line
    first, second, third = (f"up1 {tiki}" for tiki in line[2:5])
    referee.enter(first)
    referee.replace(second)
    table.recorder.begin(table.layout)
    table.show("001.jpg")
    referee.replace(third)
    referee.undo()
    table.recorder.close()
    folder = table.folder / "2"  # what was played before it began goes into its beginning
    told = [said.action for said in load_script(load_recording(folder))]
    assert told == [first, f"instead {second}", f"instead {third}", "undo"]
    assert moves_of(table.live_session) == [(second,)]
    playback = Playback(load_recording(folder))
    again = LiveSession(open_log(), playback.header, playback.secrets)
    prompter = Prompter(again, load_script(playback.recording))
    for frame in playback.recording.frames:
        prompter.pass_frame(frame)
    assert [*prompter.not_entered()] == []
    assert moves_of(again) == moves_of(table.live_session)
    again.referee.undo()
    assert moves_of(again) == [(first,)]


def test_two_quick_moves_need_the_hand_between_two_looks(
    sit: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without what the gate told, the second look would be the first one again."""
    table = sit()
    table.show("001.jpg", "005.jpg")
    assert moves_of(table.live_session) == []
    table.observe(MOTION)
    table.show("005.jpg")
    assert len(moves_of(table.live_session)) == 2
    table.recorder.close()
    assert replayed(capsys, table.folder) == moves_of(table.live_session)


def test_a_folder_is_usable_whenever_the_process_ends(sit: Callable[..., Table]) -> None:
    """After each step: every frame that is named is there, whole, and each thing told has one."""
    table = sit()
    for name in ("001.jpg", "003.jpg", "004.jpg", "005.jpg"):
        table.show(name)
        table.wait()
        recording = load_recording(table.folder)
        for frame in recording.frames:
            load_frame(recording.path(frame))
        load_script(recording)
    assert recording.calibration is not None
    assert recording.frames == ("001.jpg", "002.jpg", "003.jpg", "004.jpg")


def test_a_full_disk_is_a_trouble_and_the_game_goes_on(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Said once, and once more when it is well again; what could be written is played."""
    table = sit()
    table.show("001.jpg")
    table.wait()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recorder_module, "write_whole", refuse)
    table.show("003.jpg", "004.jpg")
    table.wait()
    (trouble,) = table.troubles
    assert trouble.startswith("cannot be written (No space left on device)")
    monkeypatch.setattr(recorder_module, "write_whole", write_whole)
    table.show("005.jpg")
    table.wait()
    assert table.troubles == [trouble, ""]
    assert len(moves_of(table.live_session)) == 2
    table.recorder.close()
    assert main(["replay", str(table.folder), "--json"]) == 0
    capsys.readouterr()


def test_a_table_that_stays_unreadable_is_kept_a_few_times(sit: Callable[..., Table]) -> None:
    """It is looked at every second; more of the same tell nothing."""
    table = sit()
    table.show("001.jpg", *["002.jpg"] * (MAX_ALIKE_FRAMES + 5), "003.jpg")
    table.recorder.close()
    assert len(table.written()["frames"]) == 1 + 1 + MAX_ALIKE_FRAMES + 1


def test_what_is_seen_while_paused_is_not_kept(sit: Callable[..., Table]) -> None:
    """Nor believed."""
    table = sit()
    table.show("001.jpg")
    table.live_session.pause()
    table.show("003.jpg")
    table.live_session.pause()
    table.recorder.close()
    assert [each["frame"] for each in table.written()["frames"]] == ["000.jpg", "001.jpg"]


def secret_words(folder: Path) -> list[str]:
    """Return the secret entries of a folder's script."""
    return [each.action for each in load_script(load_recording(folder)) if each.seat is not None]


def test_no_secret_is_written_unless_asked(sit: Callable[..., Table]) -> None:
    """Neither the cards that were dealt nor any other; what all may know is."""
    table = sit()
    table.show("001.jpg", "003.jpg")
    table.recorder.close()
    assert "akamai kapu nui" not in (table.folder / "session.json").read_text()
    assert secret_words(table.folder) == []


def test_secrets_are_written_if_asked(
    sit: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    """By whom, so that they can be entered again."""
    table = sit(with_secrets=True)
    table.show("001.jpg", "003.jpg")
    table.recorder.close()
    assert len(secret_words(table.folder)) == 4
    modes = {path.stat().st_mode & 0o777 for path in table.folder.iterdir()}
    assert modes == {0o600}  # for nobody else on this machine to read
    assert replayed(capsys, table.folder) == moves_of(table.live_session)


def test_the_reveal_is_told_where_the_secrets_are_not(
    sit: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    """At the round's end everybody shows the card, and whoever replays knows the scores."""
    table = sit()
    table.show("001.jpg", "003.jpg")
    for _, action in true_moves()[1:]:
        table.live_session.referee.enter(action)
    table.recorder.close()
    assert main(["replay", str(table.folder), "--json"]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["scores"] == [5, 0, 0, 5]


def test_each_game_has_a_folder_of_its_own(sit: Callable[..., Table]) -> None:
    """Once it was played; a table that nobody sat down to is begun anew."""
    table = sit()
    table.show("001.jpg")
    header = table.live_session.header
    table.live_session.renew(header, "once more")
    table.recorder.begin({})
    table.show("001.jpg", "003.jpg")
    table.live_session.renew(header, "and again")
    table.recorder.begin({})
    table.show("001.jpg")
    table.recorder.close()
    assert [each["frame"] for each in table.written()["frames"]] == ["000.jpg", "001.jpg"]
    later = json.loads((table.folder / "2" / "session.json").read_text())
    assert [each["frame"] for each in later["frames"]] == ["000.jpg"]
    assert not (table.folder / "3").exists()


def test_a_game_taken_up_again_is_told_at_first(
    sit: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    """What was played before the recording is entered after its first picture."""
    table = sit()
    table.show("001.jpg", "003.jpg", "005.jpg")
    table.recorder.close()
    again = Recorder(table.folder.with_name("again"))
    again.follow(table.live_session, lambda _: None)
    again.begin(load_recording(SHIPPED).layout)
    for calibration in Playback(load_recording(SHIPPED)).calibrations():
        again.add_calibration(*calibration)
    table.recorder, table.reader = again, again.record_reader(table.reader)
    table.show("005.jpg", "008.jpg")
    again.close()
    shown = replayed(capsys, table.folder.with_name("again"))
    assert [forms[0] for forms in shown] == [forms[0] for forms in moves_of(table.live_session)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["record", "{full}"], "is not empty; name a new folder"),
        (["run", "--record", "{full}"], "is not empty; name a new folder"),
        (["record", "{full}/file"], "cannot be recorded into"),
        (["run", "--with-secrets"], "name its folder with --record"),
        (["record", "{new}", "--config", "{blind}"], "there is no camera to record"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: Sequence[str], said: str
) -> None:
    """Before anything has started, and nothing is written."""
    full, blind = tmp_path / "full", tmp_path / "blind.toml"
    full.mkdir()
    (full / "file").write_text("mine")
    blind.write_text('[camera]\nsource = "none"\n')
    names = {"full": full, "new": tmp_path / "new", "blind": blind}
    given = [word.format(**names) for word in words]
    log = ["--log", str(tmp_path / "games.db"), "--port", "0"]
    assert main([*given, *log]) == 1
    assert_one_line(capsys.readouterr().err, said)
    assert (full / "file").read_text() == "mine"


def test_the_check_of_the_folder_can_be_made_alone(tmp_path: Path) -> None:
    """An empty one will do, and is made if it is not there."""
    Recorder(tmp_path / "new" / "one").close()
    with pytest.raises(CannotRecord):
        Recorder(tmp_path)


def is_told(folder: Path) -> bool:
    """Return whether all that is shown below was recorded."""
    said = folder / "session.json"
    if not said.exists():
        return False
    recorded = json.loads(said.read_text())
    return len(recorded["frames"]) == 4 and bool(recorded["replay"]["told"])


def test_the_daemon_records_what_it_shows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A table before a camera, what was told at it, and Ctrl-C in the end."""
    told = [{"after_frame": "002.jpg", "told": "up2 eepo"}]
    shown = retell(tmp_path / "shown", ["001.jpg", "003.jpg", "005.jpg"], told=told)
    (tmp_path / "tiki.toml").write_text("[camera]\nrate_hz = 10\nsettle_s = 0.1\n")
    folder = tmp_path / "recorded"
    words = ["--config", str(tmp_path / "tiki.toml"), "--frame-s", "0.8", "--port", "0"]
    command = [*HEEDING, str(TIKI), "record", str(folder), "--replay", str(shown), *words]
    with subprocess.Popen(
        [*command, "--log", str(tmp_path / "games.db")], stdout=subprocess.PIPE, text=True
    ) as daemon:
        try:
            until = time.monotonic() + HANG_S
            while time.monotonic() < until and not is_told(folder):
                time.sleep(0.1)
            daemon.send_signal(signal.SIGINT)
            daemon.wait(HANG_S)
        finally:
            daemon.kill()
    forms = replayed(capsys, folder)
    assert [each[0] for each in forms] == ["up3 kapu", "up2 eepo"]
    recorded = json.loads((folder / "session.json").read_text())
    assert [said["told"] for said in recorded["replay"]["told"]] == ["up2 eepo"]
