"""What every hand of the companion is: something that shows a value, and can be put to rest."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Self, TypeAlias, TypeVar

V = TypeVar("V")
Follower: TypeAlias = Callable[[], None]


class HardwareError(Exception):
    """The root of all that can go wrong with a device; one line says what and where."""


class BadValue(HardwareError, ValueError):
    """A value that the device cannot show; it goes on showing the last one."""


class DeviceClosed(HardwareError, RuntimeError):
    """A device was driven after it had been closed."""


class NoSuchAttribute(HardwareError, AttributeError):
    """An attribute was set that the device does not have, most likely a typing error."""


class OutputDevice(ABC, Generic[V]):
    """A lamp, a strip, a screen: set `value` and it shows it.

    rest: shown from the start, and again when the device is closed.
    followers: called without arguments after each new value has been shown.
    A device is a context manager; leaving it closes it.
    """

    __slots__ = ("_closed", "_rest", "_value", "followers")

    def __init__(self, rest: V) -> None:
        self.followers: list[Follower] = []
        self._closed = False
        self._rest = self._check(rest)
        self._value = self._rest
        self._write(self._rest)

    @property
    def value(self) -> V:
        """What the device shows.

        Setting it shows it at once, or raises BadValue or DeviceClosed.
        """
        return self._value

    @value.setter
    def value(self, value: V) -> None:
        if self._closed:
            raise DeviceClosed(f"this {type(self).__name__} is closed and shows nothing any more")
        checked = self._check(value)
        self._write(checked)
        self._value = checked
        for follower in self.followers:
            follower()

    @property
    def rest(self) -> V:
        """What the device shows while nobody drives it."""
        return self._rest

    @property
    def closed(self) -> bool:
        """Whether the device has been closed."""
        return self._closed

    def close(self) -> None:
        """Show `rest` and let the device go; may be called twice."""
        if self._closed:
            return
        self._closed = True
        try:
            self._write(self._rest)
            self._value = self._rest
        finally:
            self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise NoSuchAttribute(f"a {type(self).__name__} has no '{name}' that could be set")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        standing = "closed" if self._closed else f"value={self._value!r}"
        return f"<{type(self).__name__} {standing}>"

    @abstractmethod
    def _check(self, value: V) -> V:
        """Return *value* in the one form that is kept; raises BadValue."""

    @abstractmethod
    def _write(self, value: V) -> None:
        """Show a checked *value*."""

    def _release(self) -> None:
        """Give back what the device holds; called once."""
