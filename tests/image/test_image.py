"""What `./run image-test` judges by, without a machine: it finds what is lost, and only that."""

import random
import time
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.claims import Claims
from tests.hil.inside.table import replaced
from tests.image.installing import SMALL
from tests.image.judge import Known, Row, faults, scores
from tests.image.machine import Machine
from tests.image.plugging import Evening
from tests.image.service import without_comments
from tests.soak.house import KEY, House

PATIENCE_S = 60.0
ROOT = Path(__file__).parents[2]
ROWS: list[Row] = [
    {"type": "observed", "seq": 1, "action": "roll 3", "by": "hand", "at": "1"},
    {"type": "move", "seq": 2, "seat": 0, "action": "place Red 00", "by": "hand", "at": "2"},
    {"type": "observed", "seq": 3, "action": "roll 2", "by": "hand", "at": "3"},
]
UNDO_ROW: Row = {"type": "undo", "seq": 4, "undone": 3, "action": "roll 2", "at": "4"}
ROUND: Row = {"type": "round", "seq": 5, "round": 1, "points": [1, 0]}


@pytest.mark.parametrize(
    ("known", "found"),
    [
        (Known(ROWS), ROWS),
        (Known([{**row, "seq": 7, "id": "x", "frame": None} for row in ROWS]), ROWS),
        (Known(ROWS[:2], ["roll 2"]), ROWS),
        (Known(ROWS[:2], [], "roll 2"), ROWS),
        (Known(ROWS[:2], [], "roll 2"), ROWS[:2]),
        (Known(ROWS[:1], ["place Red 00"], "roll 2"), ROWS),
        (Known(ROWS, [], "undo"), [*ROWS, UNDO_ROW, ROUND]),
        (Known(ROWS[:2], ["chance"]), ROWS),
        (Known(), []),
    ],
)
def test_what_may_be_there_is_no_fault(known: Known, found: list[Row]) -> None:
    """All that was shown or answered, and what was under way or not."""
    assert faults(known, found) == []


@pytest.mark.parametrize(
    ("known", "found", "told"),
    [
        (Known(ROWS), ROWS[:2], "lost: 1 rows that were shown"),
        (Known(ROWS), [], "lost: 3 rows"),
        (Known(ROWS), [ROWS[0], ROWS[2]], "row 2 was"),
        (Known(ROWS), [{**ROWS[0], "at": "9"}, *ROWS[1:]], "row 1 was"),
        (Known(ROWS[:2], ["roll 2"]), ROWS[:2], "was answered"),
        (Known(ROWS[:1], ["place Red 00"], "roll 2"), [ROWS[0], ROWS[2]], "was answered"),
        (Known(ROWS[:2]), ROWS, "nobody did"),
        (Known(ROWS[:2], [], "roll 3"), ROWS, "nobody did"),
        (Known(ROWS[:1], ["chance"]), ROWS[:2], "was answered"),
        (Known(ROWS[:2], [], "roll 2"), [*ROWS, UNDO_ROW], "nobody did"),
    ],
)
def test_what_is_lost_or_made_up_is_told(known: Known, found: list[Row], told: str) -> None:
    """Each in a line."""
    (line,) = faults(known, found)
    assert told in line


def test_scores_are_those_of_the_rules() -> None:
    """A line that the rules refuse is told."""
    header = {"game": "topple", "players": ["Ann", "Bob"], "options": {}, "setup": {"first": 0}}
    with pytest.raises(ValueError, match="the rules refuse"):
        scores(header, [{**ROWS[0], "action": "place red 99"}])


def test_what_is_changed_is_in_the_settings_that_are_installed() -> None:
    """The camera's size, and all that hangs on wires; the installer has chosen the camera."""
    installed = replaced(
        without_comments((ROOT / "deploy" / "tiki.toml").read_text()),
        ('source = "recording"', 'source = "picamera2"'),
    )
    changed = tomllib.loads(replaced(installed, *SMALL, *Machine.wires))
    assert changed["camera"]["source"] == "none"
    assert changed["display"]["kind"] == "ssd1306"
    assert {"tilt_0", "undo", "pause"} <= set(changed["pins"])


def test_claims_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are not so say what is instead."""
    claims = Claims("image-test")
    assert claims.claim("one", [1])
    assert not claims.claim("two", [], "it is\n  three")
    assert capsys.readouterr().out.splitlines() == ["ok: one", "NOT ok: two: it is three"]
    assert claims.closing.startswith("image-test: 1 ok, 1 failed (")


class Table:
    """A daemon on this computer that is used like a machine.

    forgets: whether its disk confirms what it does not write.
    """

    early_share = 0.0
    known = Known()

    def __init__(self, folder: Path, *, forgets: bool) -> None:
        self._house, self._forgets = House(folder), forgets
        self.since_power_s = 1.0
        self.is_on = False

    def install(self) -> None:
        """Let there be nothing yet, to which a disk that forgets goes back."""
        self._house.save_log()

    @property
    def port(self) -> int:
        """Where its page is."""
        return self._house.port

    def power_up(self) -> None:
        """Start it."""
        self._house.start()
        self.is_on = True

    def cut(self) -> None:
        """Kill it, once something has been played."""
        until_s = time.monotonic() + PATIENCE_S
        while self.is_on and not self.known.shown and time.monotonic() < until_s:
            time.sleep(0.01)
        self.is_on = False
        self._house.kill()

    def pull(self, _rng: random.Random) -> str:
        """Kill it."""
        self.cut()
        if self._forgets:
            self._house.restore_log()
        return "nothing is lost"

    def undo(self) -> None:
        """Press the button that takes back."""
        self._sense("press undo")

    def topple(self) -> None:
        """Let the tower fall."""
        self._sense("topple")

    def set_up(self) -> None:
        """Set it up."""

    def ask(self, words: str) -> str:
        """Return what a healthy system says."""
        return {"ActiveState": "active", "NRestarts": "0"}.get(words.rsplit(maxsplit=1)[-1], "")

    command: Any = None

    def _sense(self, words: str) -> None:
        header = {"Authorization": f"Bearer {KEY}"}
        form = {"sensor": words}
        url = f"{self._house.url}/api/v1/tell"
        httpx.post(url, data=form, headers=header).raise_for_status()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything be quick."""
    monkeypatch.setattr("tests.image.plugging.PLAY_S", 1.0)


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("forgets", [False, True])
def test_a_game_is_found_again_or_told_to_be_lost(
    forgets: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed in the middle of taps and presses; then on a disk that forgets."""
    table, claims = Table(tmp_path, forgets=forgets), Claims("image-test")
    if forgets:
        table.install()
    table.power_up()
    evening = Evening(table, claims, random.Random(3))  # type: ignore[arg-type]
    table.known = evening.known
    try:
        evening.begin(KEY)
        if not forgets:
            evening.start_and_pull()
        evening.start().put_away()
    finally:
        table.cut()
    said = capsys.readouterr().out
    assert evening.pulls == 2 - forgets
    assert "pull 1: " in said
    assert "of play, 0 rows known" not in said.splitlines()[0]  # the next may be pulled at once
    assert (claims.failed > 0) is forgets, said
    assert ("lost: " in said) is forgets
