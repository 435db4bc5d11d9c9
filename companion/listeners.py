"""Listeners: who is told when something has happened.

An attribute such as `on_entry: Listeners[Entry]` names what happened; a search for it finds who
asks to be told (`on_entry.add`, `on_entry.heard_by`) and who tells (`on_entry.tell`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Listeners(Generic[P]):
    """Who is told of one thing, in the order in which they asked for it."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def add(self, listener: Callable[P, object]) -> None:
        """Tell *listener* too from now on."""
        self._listeners.append(listener)

    def remove(self, listener: Callable[P, object]) -> None:
        """Tell *listener* no longer, if it was told at all."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    @contextmanager
    def heard_by(self, listener: Callable[P, object]) -> Iterator[None]:
        """Tell *listener* too, for a while."""
        self.add(listener)
        try:
            yield
        finally:
            self.remove(listener)

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell all of them, one after the other."""
        for listener in tuple(self._listeners):
            listener(*args, **kwargs)
