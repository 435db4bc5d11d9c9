"""Header and Pico: the same settings but for one line, the same hands, the same facts."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, example, load_config
from companion.devices.rig import Rig
from hardware.device import HardwareError
from hardware.facts import Fact, Pressed, Spun, TowerMoved, Troubled
from hardware.idol import IdolSpinner
from hardware.inputs import Edge
from hardware.spin import Turning
from tests.hardware.bounces import Pattern
from tests.pico_wires import PicoBench
from tests.wires import Bench, HeaderBench

PLAYERS = ("Ann", "Bob")
ROLES = ("tilt_0", "idol_a", "idol_b", "done_0", "uno_1", "undo")
DEADLINE_S = 60.0
"""Only what hangs takes as long."""
QUIET_S = 0.5
KNOCK = tuple(Edge(0, number % 2 == 0, 0.005 * number) for number in range(8))
FALL = (Edge(0, True, 0.0), Edge(0, False, 0.02), Edge(0, True, 0.03))
Told = tuple[Any, ...]

HANDS: tuple[tuple[Callable[[Bench], None], list[Told]], ...] = (
    (lambda bench: bench.press("done_0"), [("done", 0)]),
    (lambda bench: bench.press("uno_1"), [("uno", 1)]),
    (
        lambda bench: bench.shake(Pattern("knock", 1, KNOCK, 2.0)),
        [("wobble", True), ("still", False)],
    ),
    (
        lambda bench: bench.shake(Pattern("fall", 1, FALL, 3.0)),
        [("wobble", False), ("lean", False), ("topple", False)],
    ),
    (lambda bench: bench.set_up(), [("still", False)]),
    (lambda bench: bench.spin_to(30.0, 1.0), [((0,), 1.75, True, False, True)]),
    (lambda bench: bench.spin_to(120.0, -2.0), [((1,), 2.75, False, False, True)]),
    (lambda bench: bench.turn(0.5), [((), 0.5, True, True, True)]),
    (lambda bench: bench.press("undo"), [("undo", None)]),
)
"""What the hands do, and what is told of it, times left out."""


@pytest.fixture(params=["header", "pico"])
def bench(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """Yield a bench on each board."""
    if request.param == "header":
        yield HeaderBench.built(monkeypatch)
    else:
        with PicoBench.built() as bench:
            yield bench


def configured(bench: Bench, folder: Path, *roles: str) -> Config:
    """Return the settings of a table whose wires end at *bench*."""
    file = folder / "tiki.toml"
    file.write_text(bench.wired(example(), *roles))
    return load_config(file)


def plain(fact: Fact) -> Told:
    """Return *fact* without its time."""
    match fact:
        case Pressed(button, seat):
            return (button, seat)
        case TowerMoved(state, _, knocked):
            return (state, knocked)
        case Spun():
            turns = round(fact.turns * 4) / 4
            return (fact.seats, turns, fact.clockwise, fact.void, fact.trusted)
        case Troubled(device, trouble):
            return (device, trouble)


def wait_for(facts: list[Fact], begun: int, wanted: list[Told]) -> None:
    """Wait until *wanted*, and nothing else, follows the first *begun* facts."""
    until_s = time.monotonic() + DEADLINE_S
    while len(facts) < begun + len(wanted) and time.monotonic() < until_s:
        time.sleep(0.02)
    assert [plain(fact) for fact in facts[begun:]] == wanted


@contextmanager
def opened(
    config: Config, folder: Path, players: Sequence[str] = PLAYERS
) -> Iterator[tuple[Rig, list[Fact]]]:
    """Yield a rig that has begun to listen, and what it tells."""
    facts: list[Fact] = []
    rig = Rig(config, folder / "game.db", lambda: players, facts.append)
    try:
        rig.start()
        yield rig, facts
    finally:
        rig.close()


def teach(rig: Rig, bench: Bench) -> None:
    """Point the idol at each seat, in turn."""
    rig.calibrations["idol"].press("teach")
    for seat in range(len(PLAYERS)):
        bench.point_at(30.0 + 90 * seat)
        press_at_rest(rig, f"point {seat}")


def press_at_rest(rig: Rig, name: str) -> None:
    """Press a button of the idol's lesson as soon as the idol is known to rest."""
    until_s = time.monotonic() + DEADLINE_S
    while True:
        try:
            return rig.calibrations["idol"].press(name)
        except Turning:  # a busy machine hears of it late
            assert time.monotonic() < until_s
            time.sleep(0.05)


@pytest.mark.timeout(600)
@pytest.mark.slow(keep=["pico"])
def test_the_same_hands_give_the_same_facts(tmp_path: Path, bench: Bench) -> None:
    """Buttons, knock, fall, spins either way: told in the same words, whichever the board."""
    with opened(configured(bench, tmp_path, *ROLES), tmp_path) as (rig, facts):
        teach(rig, bench)
        begun = len(facts)
        for act, wanted in HANDS:
            act(bench)
            wait_for(facts, begun, wanted)
            begun += len(wanted)
        time.sleep(QUIET_S)
        assert len(facts) == begun
        assert not [fact for fact in facts if isinstance(fact, Troubled) and fact.trouble]


def test_other_hands_give_other_facts(tmp_path: Path, bench: Bench) -> None:
    """The comparison above can fail."""
    with opened(configured(bench, tmp_path, "tilt_0", "undo"), tmp_path) as (_, facts):
        bench.press("undo")
        with pytest.raises(AssertionError):
            wait_for(facts, 0, [("done", 0)])
        with pytest.raises(AssertionError):
            wait_for(facts, 0, [])


@pytest.mark.parametrize("kind", ["wired", "fake"])
@pytest.mark.slow(keep=["fake"])
def test_lights_are_on_the_pico(tmp_path: Path, kind: str) -> None:
    """By the same setting as on the header; they come back with the cable, and rest at the end.

    Whether or not anything else is on it.
    """
    strip = ((255, 0, 0), (0, 9, 0), *((0, 0, 1),) * 7)
    with PicoBench.built() as bench:
        file = tmp_path / "tiki.toml"
        text = bench.wired(example(), "tilt_0", "done_0").replace('"wired"', f'"{kind}"')
        file.write_text(text.replace('[lights]\nkind = "fake"', '[lights]\nkind = "neopixel"'))
        with opened(load_config(file), tmp_path) as (rig, facts):
            rig.outputs.strip.value = strip
            bench.pico.wait_for_pixels(strip)
            bench.pico.unplug()
            bench.pico.wait_for_pixels([(0, 0, 0)] * 9, within_s=5.0)
            bench.pico.plug_in()
            bench.pico.wait_for_pixels(strip, within_s=5.0)
        bench.pico.wait_for_pixels([(0, 0, 0)] * 9)
    devices = [fact.device for fact in facts if isinstance(fact, Troubled)]
    assert devices == ["pico", "pico"]


@pytest.mark.timeout(600)
def test_the_zero_survives_the_companion_while_the_pico_has_power(tmp_path: Path) -> None:
    """It turned meanwhile, and names the right seat; a Pico that restarted has to be aimed."""
    with PicoBench.built() as bench:
        config = configured(bench, tmp_path, *ROLES)
        with opened(config, tmp_path) as (rig, _):
            assert "cannot name a seat" in rig.calibrations["idol"].step.urgent
            teach(rig, bench)
        bench.turn(-1.3)
        with opened(config, tmp_path) as (rig, facts):
            assert rig.calibrations["idol"].step.urgent == ""
            bench.spin_to(30.0, 2.0)
            wait_for(facts, 0, [((0,), 2.0, True, False, True)])
        bench.pico.restart()
        with opened(config, tmp_path) as (rig, _):
            assert "has lost its zero" in rig.calibrations["idol"].step.urgent
            rig.attend()
        bench.pico.unplug()
        with opened(config, tmp_path) as (rig, _):
            with pytest.raises(HardwareError, match="nothing is plugged in at"):
                rig.calibrations["idol"].press("aim")
            with pytest.raises(HardwareError, match="nothing is plugged in at"):
                rig.calibrations["tilt"].press("teach")
            assert "has lost its zero" in rig.calibrations["idol"].step.urgent


@pytest.mark.timeout(600)
def test_a_pico_counts_an_encoder_of_600_pulses(tmp_path: Path) -> None:
    """At four turns a second no step is lost, and the seat is the right one of three."""
    players = [f"P{seat}" for seat in range(3)]
    with PicoBench.built() as bench:
        file = tmp_path / "tiki.toml"
        file.write_text(bench.wired(example(), *ROLES).replace("pulses = 20", "pulses = 600"))
        with opened(load_config(file), tmp_path, players) as (rig, facts):
            idol = rig._idol
            assert idol is not None
            rig.calibrations["idol"].press("teach")
            press_at_rest(rig, "point 0")
            for seat in (1, 2):
                turn_steps(bench, 240, 0.1)
                wait_for_deg(idol, 36.0 * seat)
                press_at_rest(rig, f"point {seat}")
            begun = len(facts)
            turn_steps(bench, 3 * 2400 + 240 * 9, 1.0)
            wait_for(facts, begun, [((1,), 4.0, True, False, True)])
            (spun,) = (fact for fact in facts[begun:] if isinstance(fact, Spun))
            assert spun.angle_deg == pytest.approx(36.0)


def wait_for_deg(idol: IdolSpinner, deg: float) -> None:
    """Wait until all steps have come, so that *idol* points at *deg*."""
    until_s = time.monotonic() + DEADLINE_S
    while idol.value != pytest.approx(deg % 360.0):
        assert time.monotonic() < until_s, idol.value
        time.sleep(0.02)


def turn_steps(bench: PicoBench, steps: int, lasts_s: float) -> None:
    """Turn the idol clockwise by so many steps, evenly."""
    start_s = time.monotonic()
    for part in range(100):
        bench.pico.turn(steps // 100 + (part < steps % 100))
        time.sleep(max(0.0, start_s + lasts_s * (part + 1) / 100 - time.monotonic()))
