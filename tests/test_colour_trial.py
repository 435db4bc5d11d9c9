"""What was learned from colours that came in another way is tried out, and said."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.table.calibration_picture import (
    SavedCalibration,
    load_calibration,
    save_calibration_picture,
    save_origins,
)
from companion.table.table_setup import TableSetup
from tests.set_up_tables import PATIENCE_S, Table
from tests.tables import sit_down, told
from tests.web.setting_up import picture_of, truth_of
from vision.capture.colour_origin import ColourOrigin
from vision.capture.frame import Frame, Picture
from vision.observation import Observation, Reason, Status

GAME, RIG = "tiki_topple", "cam"
OLD = ColourOrigin("stream", "OpenCV 4.12.0", "FFMPEG", "h264", (1280, 720))
NEW = replace(OLD, decoder="OpenCV 5.0.0")
LINE = {"line": truth_of(GAME, "001.jpg")["line"]}
REFUSED = (
    "the colours: learned with OpenCV 4.12.0, now OpenCV 5.0.0: tried out, and not recognised; let"
    " the table lie as the game says, or calibrate the camera again"
)


def keep(
    folder: Path,
    *origins: ColourOrigin,
    picture: Picture | None = None,
    line: Sequence[str] = TIKIS,
) -> None:
    """Keep a calibration whose colours came like that."""
    frame = Frame("000.jpg", picture_of(GAME) if picture is None else picture, 0.0)
    known = SavedCalibration(frame, {"line": list(line)}, {}, None, origins)
    save_calibration_picture(folder / "games.db", GAME, known, RIG)


class Evening(Table):
    """A table that goes by what was kept, watched by a camera whose colours come like *origin*."""

    def __init__(
        self, live_session: LiveSession, picture: Picture, folder: Path, origin: ColourOrigin
    ) -> None:
        super().__init__(live_session, picture, folder)
        self.camera.origin = origin

    def begin(self) -> None:
        """Watch with what was kept."""
        reader = self.calibration.open_reader(GAME, self.calibration.table_of(GAME))
        self.watcher.watch(GAME, reader, self.calibration.prepare(GAME))
        self.watcher.start()

    def next(self, status: Status) -> Observation:
        """Return the next observation of that *status*, once all that was posted is done."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            found = self.seen.get(timeout=PATIENCE_S)
            self.settle()
            if found.status is status and found.reason is not Reason.MOTION:
                return found
        raise AssertionError(status)

    def wait_for_trouble(self) -> None:
        """Wait until the pages warn of something."""
        until_s = time.monotonic() + PATIENCE_S
        while not self.troubles() and time.monotonic() < until_s:
            self.acts.get(timeout=PATIENCE_S)()

    def settle(self) -> None:
        """Do what was posted to the event loop."""
        while not self.acts.empty():
            self.acts.get()()

    def remarks(self) -> list[str]:
        """Return what was said for a few seconds."""
        return [notice["words"] for notice in told(self.live_session, "moment")]

    def troubles(self) -> list[str]:
        """Return what the pages warn of."""
        return [str(words) for words in self.live_session.troubles]


@contextmanager
def evening(folder: Path, picture: Picture, origin: ColourOrigin) -> Iterator[Evening]:
    """Return a table at which `LINE` should lie, as the game says."""
    table = Evening(sit_down(line=LINE["line"]), picture, folder, origin)
    table.begin()
    try:
        yield table
    finally:
        table.watcher.close()


def of_other_colours(picture: Picture) -> Picture:
    """Return *picture* with red for blue and blue for red, but with its black and white."""
    return np.ascontiguousarray(picture[..., ::-1])


def test_colours_that_come_as_before_are_relied_on_in_silence(tmp_path: Path) -> None:
    """Nothing is tried, nothing is said, and no file is written."""
    keep(tmp_path, OLD)
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.glob("*colours*"))
    with evening(tmp_path, picture_of(GAME, "001.jpg"), OLD) as table:
        assert table.next(Status.OK).reading == LINE
        assert table.remarks() == table.troubles() == []
        assert table.calibration.colour_words == ""
    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.glob("*colours*")) == before


def test_another_release_is_tried_out_and_said_once(tmp_path: Path) -> None:
    """Where it recognises what lies there, it reads at once; the next evening is silent."""
    keep(tmp_path, OLD)
    said = "The colours were learned with OpenCV 4.12.0, now OpenCV 5.0.0: tried out, all is right."
    for remarks in ([said], []):
        with evening(tmp_path, picture_of(GAME, "001.jpg"), NEW) as table:
            assert table.next(Status.OK).reading == LINE
            assert (table.remarks(), table.troubles()) == (remarks, [])
            assert table.calibration.colour_words == "".join(remarks)
            remark = TableSetup(table.watcher.live_view, table.calibration).look(GAME, 0).remark
            assert remark == "".join(remarks)
    kept = load_calibration(tmp_path / "games.db", GAME, RIG)
    assert kept is not None
    assert kept.origins == (OLD, NEW)


@pytest.mark.parametrize("is_all_other", [True, False])
def test_a_trial_that_fails_is_said_and_nothing_is_read(
    tmp_path: Path, *, is_all_other: bool
) -> None:
    """Until the table is learned again, from which on it holds, this evening and the next."""
    if is_all_other:  # so that it looks as if something lay on the board
        reason = Reason.HAND
        keep(tmp_path, OLD, picture=of_other_colours(picture_of(GAME)))
    else:  # one piece looks like another
        reason = Reason.NOT_CALIBRATED
        keep(tmp_path, OLD, line=(*TIKIS[:2], TIKIS[3], TIKIS[2], *TIKIS[4:]))
    with evening(tmp_path, picture_of(GAME, "001.jpg"), NEW) as table:
        assert table.next(Status.UNSETTLED).reason is reason
        table.wait_for_trouble()
        assert table.troubles() == [REFUSED]
        assert table.remarks() == []
        kept = load_calibration(table.log, GAME, RIG)
        assert kept is not None
        assert kept.origins == (OLD,)
        lessons: list[str | None] = []
        table.calibration.calibrate(LINE, lessons.append)
        while not lessons:
            table.acts.get(timeout=PATIENCE_S)()
        assert lessons == [None]
        assert table.next(Status.OK).reading == LINE
        assert table.troubles() == []
    with evening(tmp_path, picture_of(GAME, "001.jpg"), NEW) as table:
        assert table.next(Status.OK).reading == LINE
        assert table.remarks() == table.troubles() == []


def test_a_table_that_is_put_right_is_recognised(tmp_path: Path) -> None:
    """What lies otherwise than the game says may be the table's fault: it is tried again."""
    keep(tmp_path, OLD)
    with evening(tmp_path, picture_of(GAME), NEW) as table:
        assert table.next(Status.UNSETTLED).reason is Reason.NOT_CALIBRATED
        assert table.troubles() == [REFUSED]
        table.show(picture_of(GAME, "001.jpg"))
        assert table.next(Status.OK).reading == LINE
        assert table.troubles() == []
        assert len(table.remarks()) == 1


def test_a_table_out_of_view_is_no_trial(tmp_path: Path) -> None:
    """Nothing is said of colours, and that there are no tiles is."""
    keep(tmp_path, OLD)
    with evening(tmp_path, np.full_like(picture_of(GAME), 90), NEW) as table:
        assert table.next(Status.NO_MAT).reason is Reason.TILES
        assert table.remarks() == table.troubles() == []


def test_what_was_kept_without_a_note_is_tried_out_too(tmp_path: Path) -> None:
    """It loads as before, and afterwards it has the note."""
    keep(tmp_path, OLD)
    (text,) = tmp_path.glob("*.colours.json")
    said = json.loads(text.read_text())
    del said["colours"]
    text.write_text(json.dumps(said))
    kept = load_calibration(tmp_path / "games.db", GAME, RIG)
    assert kept is not None
    assert (kept.origins, kept.truth) == ((), {"line": list(TIKIS)})
    with evening(tmp_path, picture_of(GAME, "001.jpg"), NEW) as table:
        assert table.next(Status.OK).reading == LINE
        (remark,) = table.remarks()
        assert remark.endswith("learned in an earlier version: tried out, all is right.")
    assert json.loads(text.read_text())["colours"][0]["decoder"] == "OpenCV 5.0.0"


def test_what_is_learned_has_the_note(tmp_path: Path) -> None:
    """So the same release of the same camera relies on it in silence."""
    with Table(sit_down(), picture_of(GAME), tmp_path) as table:
        table.camera.origin = NEW
        assert table.learn({"line": list(TIKIS)}).trouble == ""
    kept = load_calibration(tmp_path / "games.db", GAME, RIG)
    assert kept is not None
    assert kept.origins == (NEW,)


def test_no_note_is_put_beside_another_picture(tmp_path: Path) -> None:
    """One that was learned meanwhile, or that a full disk kept from being replaced."""
    keep(tmp_path, NEW)
    frame = Frame("000.jpg", picture_of(GAME), 0.0)
    save_origins(
        tmp_path / "games.db", GAME, SavedCalibration(frame, {}, {}, None, (OLD, NEW)), RIG
    )
    kept = load_calibration(tmp_path / "games.db", GAME, RIG)
    assert kept is not None
    assert kept.origins == (NEW,)
    with pytest.raises(OSError, match="No such file"):
        save_origins(tmp_path / "other.db", GAME, kept, RIG)
