"""Faults of machines, and whether a check names them with their remedies."""

from typing import NamedTuple

from companion.apps.doctor.requirements import Requirements
from tests.doctor.machines import FakeMachine, look, pi_5

LAPTOP = FakeMachine(files={"/home/maker/.local/state/tiki/games.db": ""})


def holding(path: str, text: str) -> FakeMachine:
    """Return a Pi that has *text* in the file at *path*."""
    return pi_5(files={**pi_5().files, path: text})


class Fault(NamedTuple):
    """A fault, what is said of it, and the heart of the remedy."""

    check: str
    machine: FakeMachine
    requirements: Requirements
    said: str
    remedy: str


def assert_named(fault: Fault) -> None:
    """Fail unless the check fails, says what was found, and has the remedy."""
    verdict = look(*fault[:3])
    assert verdict.status == "failed", fault
    assert fault.said in verdict.detail, fault
    assert fault.remedy in verdict.remedy, fault
