"""Lessons: seats pointed at, falls told from knocks, and what is kept of it."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import parse_config
from companion.devices.calibration import Calibrations, load_calibrations, save_calibrations
from companion.devices.rig import Rig
from hardware.device import HardwareError
from hardware.facts import Fact, Spun, Troubled
from hardware.sectors import BadSeats, Sectors
from hardware.simulated_sensors import even_sectors
from hardware.tilt_calibration import CalibrationFailed
from tests.hardware import bounces
from tests.wires import ROLE, Bench, HeaderBench

PLAYERS = ("Ann", "Bob", "Cem", "Dia")


class Home:
    """A rig on imagined pins, with its players, and what it told; nothing runs by itself.

    troubles: what is wrong now, by device.
    """

    def __init__(self, folder: Path, bench: Bench, *roles: str, **sensors: object) -> None:
        self.players: tuple[str, ...] = PLAYERS
        self.bench = bench
        self.facts: list[Fact] = []
        wires = dict.fromkeys(roles, True)
        config = parse_config(
            {
                "sensors": {"kind": "wired", **sensors},
                "buttons": {"kind": "none"},
                "pins": {"factory": "mock", **wires},
            }
        )
        self.log = folder / "game.db"
        self.rig = Rig(config, self.log, lambda: self.players, self.facts.append)

    @property
    def troubles(self) -> dict[str, str]:
        """What is wrong now."""
        told = [fact for fact in self.facts if isinstance(fact, Troubled)]
        return {each.device: each.trouble for each in told if each.trouble} | {
            each.device: "" for each in told if not each.trouble
        }

    @property
    def advice(self) -> str:
        """What everybody is told of the idol."""
        return self.rig.calibrations["idol"].step.urgent

    def step(self, lesson: str) -> str:
        """Return what a lesson says."""
        return self.rig.calibrations[lesson].step.words

    def press(self, lesson: str) -> None:
        """Press the main button of a lesson."""
        step = self.rig.calibrations[lesson].step
        self.rig.calibrations[lesson].press(step.presses[0].name)

    def point(self, *degrees: float) -> None:
        """Teach the idol, from the first press on, the players' seats at *degrees*."""
        self.rig.calibrations["idol"].press("teach")
        for deg in degrees:
            self.bench.point_at(deg)
            self.press("idol")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> HeaderBench:
    """Return a bench for every imagined pin."""
    return HeaderBench.built(monkeypatch)


IDOL = ("idol_a", "idol_b")


@pytest.mark.slow
def test_the_idol_is_taught_step_by_step(tmp_path: Path, bench: Bench) -> None:
    """Each player by name, one press each; kept at once, and there at the next start."""
    home = Home(tmp_path, bench, *IDOL)
    home.rig.start()
    assert "cannot name a seat" in home.advice
    home.press("idol")
    for number, (name, deg) in enumerate(zip(PLAYERS, (40, 120, 220, 310), strict=True), 1):
        assert home.step("idol").startswith(f"{number} of 4: point the idol at {name},")
        assert "spins are ignored" in home.advice
        bench.point_at(deg)
        home.press("idol")
    assert home.step("idol").startswith("The idol is calibrated for 4 seats.")
    assert home.advice == ""
    angles_deg = home.rig.sectors(4).angles_deg
    assert [round((angles_deg[seat] - angles_deg[0]) % 360) for seat in range(4)] == [
        0,
        81,
        180,
        270,
    ]
    home.rig.close()
    bench.power_up()
    again = Home(tmp_path, bench, *IDOL)
    assert again.rig.sectors(4).angles_deg == angles_deg
    assert again.step("idol").startswith("Point the idol at Ann, hold it still")
    again.press("idol")
    assert again.advice == ""
    again.rig.close()


@pytest.mark.slow
def test_seats_of_another_table_name_nobody(tmp_path: Path, bench: Bench) -> None:
    """With other many players the seats are to be taught anew; with the old ones they are back."""
    home = Home(tmp_path, bench, *IDOL)
    home.rig.start()
    home.point(40, 130, 220, 310)
    taught = home.rig.sectors(4)
    home.players = PLAYERS[:3]
    home.rig.attend()
    assert "has not been calibrated" in home.advice
    assert home.rig.sectors(3).angles_deg == even_sectors(3).angles_deg
    home.players = PLAYERS
    home.rig.attend()
    assert (home.advice, home.rig.sectors(4)) == ("", taught)
    home.rig.close()


@pytest.mark.slow
def test_an_index_finds_the_zero_by_itself(tmp_path: Path, bench: Bench) -> None:
    """Where the index is, is learned in passing and kept: the next start needs no aiming."""
    home = Home(tmp_path, bench, *IDOL, "idol_index")
    home.rig.start()
    home.point(40, 130, 220, 310)
    bench.turn(1.5)
    bench.wait("idol")
    home.rig.attend()
    kept = load_calibrations(home.log)
    assert kept.index_deg is not None
    home.rig.close()
    bench.power_up()
    again = Home(tmp_path, bench, *IDOL, "idol_index")
    again.rig.start()
    assert "point it at Ann" in again.advice
    bench.spin_to(130, -1)
    bench.wait("idol")
    assert again.advice == ""
    assert [fact.seats for fact in again.facts if isinstance(fact, Spun)] == [(1,)]
    again.rig.close()


@pytest.mark.slow
def test_seats_too_close_are_refused_by_name(tmp_path: Path, bench: Bench) -> None:
    """The same place for two players: who they are, and the lesson waits; it can be left."""
    home = Home(tmp_path, bench, *IDOL)
    home.rig.start()
    home.rig.calibrations["idol"].press("teach")
    home.press("idol")
    with pytest.raises(BadSeats, match=r"^Ann and Bob are 0 degrees apart"):
        home.press("idol")
    assert home.step("idol").startswith("2 of 4: point the idol at Bob")
    bench.point_at(200)
    home.press("idol")
    bench.point_at(100)
    home.press("idol")
    bench.point_at(150)
    with pytest.raises(BadSeats, match="clockwise the seats were given as Ann, Cem, Dia, Bob"):
        home.press("idol")
    home.players = PLAYERS[:2]
    assert "has not been calibrated" in home.advice
    home.rig.attend()
    home.players = PLAYERS
    assert "has not been calibrated" in home.advice
    home.press("idol")
    assert home.step("idol").startswith("1 of 4")
    home.rig.calibrations["idol"].press("stop")
    assert "has not been calibrated" in home.advice
    home.rig.close()


def test_a_coarser_encoder_has_to_be_taught_anew(tmp_path: Path, bench: Bench) -> None:
    """Seats taught in finer steps than this encoder has are not used."""
    sectors = Sectors({0: 0.0, 1: 90.0, 2: 180.0, 3: 270.0}, step_deg=1.0)
    save_calibrations(tmp_path / "game.db", Calibrations(sectors, 12.0, 0.8))
    home = Home(tmp_path, bench, *IDOL)
    assert "has not been calibrated" in home.advice
    assert home.rig.sectors(4).angles_deg == even_sectors(4).angles_deg
    home.rig.close()


def teach_tilt(home: Home, falls: bool = True) -> None:
    """Knock three times and topple three times, or knock on."""
    rng = Random(3)
    home.rig.calibrations["tilt"].press("teach")
    for _ in range(3):
        home.bench.shake(bounces.knock(rng, 1), late_s=9.0)
        home.press("tilt")
    for number in range(3):
        if number:
            home.bench.drive("tilt_0", False)
            home.press("tilt")
        pattern = bounces.fall(rng, 1) if falls else bounces.knock(rng, 1)
        home.bench.shake(pattern, late_s=9.0)
        home.press("tilt")


def test_the_tilt_is_taught_step_by_step(
    tmp_path: Path, bench: HeaderBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three knocks, three falls, the tower set up in between; what was learned is kept."""
    monkeypatch.setattr(bench, "wait", lambda _: None)  # all that is played lies in the past
    home = Home(tmp_path, bench, "tilt_0", topple_s=0.3)
    home.rig.start()
    assert "three times each" in home.step("tilt")
    home.press("tilt")
    assert home.step("tilt").startswith("Knock 1 of 3: with the tower standing")
    assert "falls are not detected" in home.rig.calibrations["tilt"].step.urgent
    home.rig.calibrations["tilt"].press("stop")
    teach_tilt(home)
    assert home.step("tilt").startswith("Calibrated: a tilt of 0.")
    kept = load_calibrations(home.log).topple_s
    assert kept is not None
    assert kept >= 0.3
    home.rig.close()
    home.rig.close()


def test_a_tilt_that_learns_nothing_says_why(
    tmp_path: Path, bench: HeaderBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Knocks where falls were asked for: the reason in words, and the old figures stay."""
    monkeypatch.setattr(bench, "wait", lambda _: None)  # as above
    home = Home(tmp_path, bench, "tilt_0")
    home.rig.start()
    with pytest.raises(CalibrationFailed, match=r"not calibrated: .*repeat the calibration"):
        teach_tilt(home, falls=False)
    assert "three times each" in home.step("tilt")
    assert load_calibrations(home.log) == Calibrations()
    assert home.troubles.get("tilt", "") == ""
    home.rig.close()


@pytest.mark.slow
def test_a_full_disk_is_named(
    tmp_path: Path, bench: HeaderBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was learned counts, and that it is not kept is said."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    home = Home(tmp_path, bench, *IDOL)
    home.rig.start()
    monkeypatch.setattr("companion.devices.rig.save_calibrations", full)
    home.point(40, 130, 220, 310)
    assert home.advice == ""
    assert "No space left on device; free some disk space" in home.troubles["calibration"]
    home.rig.close()


def test_what_lessons_came_to_comes_back(tmp_path: Path) -> None:
    """All three figures go round; no file at all is nothing taught."""
    log = tmp_path / "game.db"
    assert load_calibrations(log) == Calibrations()
    save_calibrations(log, Calibrations(even_sectors(3), 12.5, 0.75))
    found = load_calibrations(log)
    assert (found.index_deg, found.topple_s) == (12.5, 0.75)
    assert found.sectors is not None
    assert found.sectors.to_json() == even_sectors(3).to_json()


leaves = st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.just({"angles_deg": 1})


@given(
    st.dictionaries(st.sampled_from(["sectors", "index_deg", "topple_s", "pico_zero"]), leaves)
    | leaves
)
def test_a_spoilt_file_teaches_nothing(
    tmp_path_factory: pytest.TempPathFactory, found: object
) -> None:
    """Whatever stands in the file, the answer is figures or none."""
    log = tmp_path_factory.mktemp("spoilt") / "game.db"
    log.with_suffix(".lessons.json").write_text(json.dumps(found))
    assert isinstance(load_calibrations(log), Calibrations)


def test_one_taken_pin_costs_one_device(
    tmp_path: Path, bench: HeaderBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pin that cannot be had is named with its role and remedy; what else there is works."""
    true_pin = bench.factory.pin

    def pin(name: int) -> object:
        if name == ROLE["idol_a"].header:
            raise HardwareError("GPIO busy")
        return true_pin(name)

    monkeypatch.setattr(bench.factory, "pin", pin)
    home = Home(tmp_path, bench, *IDOL, "tilt_0")
    assert list(home.rig.calibrations) == ["tilt"]
    assert home.troubles["idol"].startswith("idol_a: GPIO17 cannot be read: another program uses")
    home.rig.start()
    home.rig.close()
