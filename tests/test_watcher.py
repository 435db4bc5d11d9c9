"""The watcher: from a camera's shots to sights, learning on the way."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.colours import keep_colours, recall_colours
from companion.recording import load_recording
from companion.rules.tiki_topple import TIKIS
from companion.watcher import Watcher
from tests.recordings import SHIPPED
from vision.camera import CameraLost, Shot
from vision.frame import Frame, load_frame
from vision.layout import parse_layout
from vision.line import LineReader
from vision.settle import Gate
from vision.sight import Reason, Sight, Status


class ScriptedCamera:
    """Yields the given shots and ends; time runs as their `taken_s` say."""

    def __init__(self, shots: Sequence[Shot]) -> None:
        self._shots = shots

    def shots(self) -> Iterator[Shot]:
        """Yield the script."""
        yield from self._shots

    def close(self) -> None:
        """Do nothing: the script ends by itself."""


def reader() -> LineReader:
    """Return a reader of the shipped recording's table that has learned nothing."""
    return LineReader(parse_layout(load_recording(SHIPPED).description))


def still(name: str, from_s: float, seconds: float = 2.0) -> list[Frame]:
    """Return the shipped picture *name* as a camera at 5 Hz sees it while nothing moves."""
    picture = load_frame(SHIPPED / name).picture
    return [Frame(name, picture, from_s + tick * 0.2) for tick in range(int(seconds * 5))]


def watch(shots: Sequence[Shot], eyes: LineReader, lesson: Sequence[str] = ()) -> list[Sight]:
    """Return the sights that *shots* lead to; *lesson* is the line to learn from at first."""
    sights: list[Sight] = []
    watcher = Watcher(ScriptedCamera(shots), eyes, Gate(0.5), sights.append)
    if lesson:
        watcher.teach(
            lesson, lambda _frame, trouble: sights.append(Sight(trouble or "", Status.OK))
        )
    watcher.start()
    watcher._thread.join()
    return sights


def taught() -> LineReader:
    """Return a reader that has learned from the calibration frame."""
    eyes = reader()
    eyes.calibrate(load_frame(SHIPPED / "000.jpg"), TIKIS)
    return eyes


def test_a_table_that_came_to_rest_is_read_once() -> None:
    """Motion is told, then the line, and nothing more while nothing moves."""
    sights = watch([*still("001.jpg", 0), *still("003.jpg", 2)], taught())
    assert [(sight.frame, sight.status) for sight in sights] == [
        ("001.jpg", Status.UNSETTLED),
        ("001.jpg", Status.OK),
        ("003.jpg", Status.UNSETTLED),
        ("003.jpg", Status.OK),
    ]


def test_a_hand_that_rests_is_told_once_and_looked_at_again() -> None:
    """The hand in 002 stays 4 s; when it is gone the line is read at once."""
    sights = watch([*still("002.jpg", 0, 4), *still("003.jpg", 4)], taught())
    reasons = [sight.reason for sight in sights]
    assert reasons.count(Reason.HAND) >= 1
    assert sights[-1].line is not None


def test_a_lost_camera_is_told() -> None:
    """No picture is a reason to wait, not the end."""
    sights = watch([CameraLost("no picture"), *still("001.jpg", 0)], taught())
    assert sights[0].reason is Reason.PICTURE
    assert sights[-1].status is Status.OK


def test_a_lesson_makes_an_ignorant_reader_read() -> None:
    """The line that is told is learned from the next quiet picture."""
    shots = [*still("000.jpg", 0), *still("001.jpg", 2)]
    sights = watch(shots, reader(), lesson=TIKIS)
    assert Sight("", Status.OK) in sights  # the lesson went well
    assert sights[-1].line is not None
    assert sights[-1].line[0] == "nani"


def test_a_lesson_that_fails_says_why() -> None:
    """A picture without tiles teaches nothing, and the reason is told."""
    black = [
        Frame("black", load_frame(SHIPPED / "000.jpg").picture * 0, tick * 0.2)
        for tick in range(10)
    ]
    sights = watch(black, reader(), lesson=TIKIS)
    assert any("tiles" in sight.frame for sight in sights)


def test_a_line_in_another_order_teaches_nothing() -> None:
    """Colours under wrong names would spoil every later reading; the default colours object."""
    sights = watch(still("001.jpg", 0), reader(), lesson=TIKIS)
    assert any("seems to be Nani, Hookipa" in sight.frame for sight in sights)


def test_kept_colours_are_recalled(tmp_path: Path) -> None:
    """After a restart the eyes know this set again."""
    log = tmp_path / "games.db"
    eyes = reader()
    assert not recall_colours(log, eyes)
    keep_colours(log, load_frame(SHIPPED / "000.jpg"), TIKIS)
    assert recall_colours(log, eyes)
    assert eyes.read(load_frame(SHIPPED / "001.jpg")).status is Status.OK


def test_spoilt_colours_are_not_recalled(tmp_path: Path) -> None:
    """A file cut short teaches nothing, and is no error."""
    log = tmp_path / "games.db"
    keep_colours(log, load_frame(SHIPPED / "000.jpg"), TIKIS)
    picture = tmp_path / "games.colours.jpg"
    picture.write_bytes(picture.read_bytes()[:2000])
    assert not recall_colours(log, reader())
