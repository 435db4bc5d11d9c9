"""The idol's zero by a Pico's count: kept, taken up, and given up when it may be wrong."""

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest

from companion.devices.pico_zero import MOVED, PicoZero, read_zero, take_up_zero
from companion.devices.tower_switches import Tower
from hardware.facts import Fact, Troubled
from hardware.fake_contact import FakeContact
from hardware.fake_idol import FakeIdol
from hardware.idol import IdolSpinner
from hardware.pico.session import Hello
from hardware.spin import SpinFigures
from hardware.tilt import TiltFigures

HELLO = Hello(1, "1", "raspberry_pi_pico", "0BADCAFE", (5,), (2, 3), "-", "power")
STEP_DEG = 4.5
KEPT = PicoZero("0BADCAFE", STEP_DEG, 10.0)


@dataclass
class Count:
    """What a link tells of the Pico's count; *moves* by so many steps after each look."""

    hello: Hello | None = HELLO
    at: int | None = 0
    moves: int = 0

    @property
    def position(self) -> int | None:
        """The count."""
        found = self.at
        if self.at is not None:
            self.at += self.moves
        return found


class Table:
    """An idol, its count, and what it told."""

    def __init__(self, **count: Any) -> None:
        self.fake = FakeIdol()
        self.facts: list[Fact] = []
        self.idol = IdolSpinner(self.fake.a, self.fake.b, on_fact=self.facts.append)
        self.link: Any = Count(**count)

    def read(self, known: PicoZero | None) -> PicoZero | None:
        """Return the zero as it is."""
        return read_zero(self.link, self.idol, known)

    def take_up(self, known: PicoZero) -> None:
        """Take up what is known."""
        take_up_zero(self.link, self.idol, known)


def test_what_is_kept_is_taken_up() -> None:
    """By the next companion, at another place: the Pico has counted meanwhile."""
    table = Table(at=100)
    table.idol.correct(30.0)
    kept = table.read(None)
    assert kept == PicoZero("0BADCAFE", STEP_DEG, (30.0 - 450.0) % 360)
    again = Table(at=120)
    again.take_up(PicoZero.from_json(json.loads(json.dumps(kept.to_json()))))
    assert again.idol.located
    assert again.idol.value == pytest.approx(120.0)
    assert again.read(kept) is kept


@pytest.mark.parametrize(
    ("count", "known"),
    [
        ({"hello": None}, KEPT),
        ({"at": None}, KEPT),
        ({"hello": HELLO._replace(boot="DEADBEEF")}, KEPT),
        ({}, replace(KEPT, step_deg=0.15)),
    ],
)
def test_what_may_be_wrong_is_not_taken_up(count: dict[str, Any], known: PicoZero) -> None:
    """No Pico, a Pico that has restarted, another encoder: the idol has to be aimed."""
    table = Table(**count)
    table.take_up(known)
    assert not table.idol.located


def test_an_idol_that_moves_meanwhile_has_to_be_aimed() -> None:
    """While it turns; and if it moved in the very moment, which is said."""
    table = Table()
    table.fake.turn(0.5)
    table.take_up(KEPT)
    assert not table.idol.located
    moved = Table(moves=1)
    moved.take_up(KEPT)
    assert not moved.idol.located
    moved.idol.attend(1.0)
    (told,) = (fact for fact in moved.facts if isinstance(fact, Troubled))
    assert told.trouble.lower().startswith(MOVED)


def test_who_has_aimed_it_knows_better() -> None:
    """A zero that is known is not replaced by one that was kept."""
    table = Table()
    table.idol.correct(77.0)
    table.take_up(KEPT)
    assert table.idol.value == pytest.approx(77.0)


def test_what_is_kept_is_renewed_only_when_it_is_another() -> None:
    """Not while the idol turns or the count runs, nor without a Pico; given up when it is lost."""
    table = Table()
    table.idol.correct(10.0)
    assert table.read(KEPT) is KEPT
    table.fake.turn(1.5)
    assert table.read(None) is None
    table.idol.attend(table.fake.at_s + SpinFigures().rest_s + 1)
    table.link.at = 120
    assert table.read(KEPT) is KEPT
    table.idol.correct(40.0)
    other = table.read(KEPT)
    assert other is not None
    assert other.zero_deg == pytest.approx(220.0)
    table.link.moves = 1
    assert table.read(KEPT) is KEPT
    table.link.moves = 0
    table.idol.lose_zero("the Pico has restarted")
    assert table.read(KEPT) is None
    assert table.read(replace(KEPT, boot="DEADBEEF")) == replace(KEPT, boot="DEADBEEF")
    table.link.hello = None
    assert table.read(KEPT) is KEPT


def test_a_pico_that_comes_late_does_not_end_a_lesson() -> None:
    """Who listens takes the tower as it stands; who records goes on."""
    switches: list[FakeContact] = []

    def opened() -> dict[str, FakeContact]:
        switches.append(FakeContact())
        return {"tilt_0": switches[-1]}

    tower = Tower(opened, TiltFigures(), lambda _: None)
    recorder = tower.record()
    tower.listen_anew()
    switches[-1].press(1.0)
    assert len(recorder.take().edges) == len(switches) == 1
    tower.listen()
    tower.listen_anew()
    assert len(switches) == 3
    tower.close()
    tower.listen_anew()
    assert len(switches) == 3
