"""The base of all output devices: each shows a value and has a rest value."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import RLock
from types import TracebackType
from typing import Generic, Self, TypeAlias, TypeVar

from hardware.facts import Troubled
from hardware.source import Source

V = TypeVar("V")
Follower: TypeAlias = Callable[[], None]


class HardwareError(Exception):
    """The root of all that can go wrong with a device; one line says what and where."""


class BadValue(HardwareError, ValueError):
    """A value that the device cannot show; it continues showing the last one."""


class DeviceClosed(HardwareError, RuntimeError):
    """A device was driven after it had been closed."""


class NoSuchAttribute(HardwareError, AttributeError):
    """An attribute was set that the device does not have, most likely a typing error."""


class Closeable(ABC):
    """Anything that is closed by leaving its context."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Let everything go; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Device(Closeable):
    """Any device: setting an unknown attribute is refused."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise NoSuchAttribute(f"a {type(self).__name__} has no '{name}' that could be set")
        super().__setattr__(name, value)


class OutputDevice(Device, Generic[V]):
    """A lamp, a strip, a screen: set `value` and it shows it.

    rest: shown from the start, and again when the device is closed.
    followers: called without arguments after each new value has been shown.
    source: values that the device shows by itself, one each `source_delay_s`, 0.01 s unless told.
    when_troubled: called with a `Troubled` when a source fails, from the source's thread.
    A device is a context manager; leaving it closes it.
    """

    __slots__ = (
        "_closed", "_lock", "_rest", "_source", "_trouble", "_value", "followers", "source_delay_s",
        "when_troubled",
    )  # fmt: skip

    def __init__(self, rest: V) -> None:
        self.followers: list[Follower] = []
        self.source_delay_s = 0.01
        self._trouble = ""
        self.when_troubled: Callable[[Troubled], None] | None = None
        self._closed = False
        self._lock = RLock()
        self._source: Source[V] | None = None
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
        with self._lock:
            if self._closed:
                raise self._refusal()
            checked = self._check(value)
            self._write(checked)
            self._value = checked
            for follower in self.followers:
                follower()

    @property
    def source(self) -> Iterable[V] | None:
        """What the device follows, None if nothing or once that has come to its end.

        A source that fails, or gives what the device cannot show, puts it to rest.  Setting it, or
        None, takes the place of the one before; raises DeviceClosed.
        """
        return self._source.values if self._source else None

    @source.setter
    def source(self, values: Iterable[V] | None) -> None:
        with self._lock:
            if self._closed:
                raise self._refusal()
            if self._source:
                self._source.stop()
            self._source = None
            if values is not None:
                self._trouble = ""
                self._source = Source(self, values, self._lock, self._source_ended)

    @property
    def trouble(self) -> str:
        """What keeps it from showing its value, in one line; "" while it works."""
        return self._trouble

    @property
    def rest(self) -> V:
        """What the device shows while it is not driven."""
        return self._rest

    @property
    def closed(self) -> bool:
        """Whether the device has been closed."""
        return self._closed

    def close(self) -> None:
        """Show `rest` and let the device go; may be called twice."""
        with self._lock:
            if self._closed:
                return
            self.source = None
            self._closed = True
            try:
                self._write(self._rest)
                self._value = self._rest
            finally:
                self._release()

    def __repr__(self) -> str:
        standing = "closed" if self._closed else f"value={self._value!r}"
        return f"<{type(self).__name__} {standing}>"

    def _refusal(self) -> DeviceClosed:
        return DeviceClosed(f"this {type(self).__name__} is closed and cannot show anything")

    def _source_ended(self, error: Exception | None) -> None:
        self._source = None
        if error is None:
            return
        with suppress(Exception):  # if even the rest value fails, the trouble is reported below
            self.value = self._rest
        name = type(self).__name__
        self._trouble = (
            f"its source failed and it is at rest: {error}; set another source, or a value"
        )
        if self.when_troubled:
            self.when_troubled(Troubled(name, self._trouble, time.monotonic()))

    @abstractmethod
    def _check(self, value: V) -> V:
        """Return *value* in the one form that is kept; raises BadValue."""

    @abstractmethod
    def _write(self, value: V) -> None:
        """Show a checked *value*."""

    def _release(self) -> None:
        """Give back what the device holds; called once."""
