"""What the eyes learn before a game begins stays learned when its start is laid."""

import json
from pathlib import Path
from queue import Empty

from companion.recording import load_recording
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of, recordings
from tests.set_up_tables import PATIENCE_S, Table
from tests.tables import open_log
from vision.capture.frame import load_frame

GAME = "topple"


def test_an_empty_start_is_not_learned_over_what_somebody_taught(tmp_path: Path) -> None:
    """Retried until the board is empty, it would forget the colours of the discs."""
    folder = recordings()[GAME]
    known = json.loads((folder / "truth.jsonl").read_text().splitlines()[0])
    said = load_recording(folder).description["replay"]
    header = open_header(game_of(GAME), said["players"], said.get("options", {}), 0)
    live_session = LiveSession(open_log(tmp_path / "games.db"), header)
    picture = load_frame(folder / known["frame"]).picture
    with live_session.log, Table(live_session, picture, tmp_path) as table:
        table.calibration._calibrate_at_start(live_session.session.number)
        table.acts.get(timeout=PATIENCE_S)  # it tells that the board is not empty
        assert not table.learn(known["truth"]).trouble
        table.calibration._calibrate_at_start(live_session.session.number)  # tried again
        table.show(load_frame(folder / "001.jpg").picture)
        try:
            while True:
                table.acts.get(timeout=2.0)()
        except Empty:
            pass
        saved = table.calibration.saved(GAME)
        assert saved is not None
        assert saved.truth["cells"] == known["truth"]["cells"]
