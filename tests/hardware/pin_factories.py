"""Stand-ins for gpiozero's ways to the pins."""

import sys
from types import ModuleType
from typing import Any

import pytest

from hardware import header


def install(monkeypatch: pytest.MonkeyPatch, name: str, make: Any) -> None:
    """Put *make* where gpiozero keeps the factory called *name*; None: not installed."""
    module, kind, _ = header.FACTORIES[name]
    standin: Any = None if make is None else ModuleType(module)
    if standin:
        setattr(standin, kind, make)
    monkeypatch.setitem(sys.modules, module, standin)


def failing(error: Exception) -> Any:
    """Return what raises *error* when it is made."""

    def make() -> None:
        raise error

    return make
