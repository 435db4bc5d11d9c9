"""The card: it keeps what it has confirmed, and nothing else for sure."""

import random
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.image import card
from tests.image.card import SECTOR, Card, receive

SIZE = 64 * SECTOR
OLD, NEW = b"o" * SECTOR, b"n" * SECTOR


class Reader:
    """A machine at the other end: it asks as QEMU does."""

    def __init__(self, address: Path) -> None:
        self._wire = socket.socket(socket.AF_UNIX)
        self._wire.connect(str(address))
        assert receive(self._wire, 18)[:8] == card.NBD_MAGIC
        self._wire.sendall(struct.pack(">I", card.FIXED | card.NO_ZEROES))
        name = struct.pack(">I", 0) + struct.pack(">H", 0)
        self.option(5)  # whatever it does not know
        assert self.heard()[0] == card.UNSUPPORTED
        self.option(card.GO, name)
        kind, told = self.heard()
        assert (kind, card.EXPORT.unpack(told[2:])) == (card.INFORMATION, (SIZE, 5))
        assert self.heard() == (card.ACK, b"")

    def option(self, number: int, data: bytes = b"") -> None:
        """Ask for an option."""
        self._wire.sendall(card.OPTION.pack(card.OPTION_MAGIC, number, len(data)) + data)

    def heard(self) -> tuple[int, bytes]:
        """Return kind and data of the answer."""
        head = receive(self._wire, card.OPTION_REPLY.size)
        _, _, kind, length = card.OPTION_REPLY.unpack(head)
        return kind, receive(self._wire, length)

    def ask(
        self, kind: int, start: int = 0, length: int = 0, data: bytes = b""
    ) -> tuple[int, bytes]:
        """Return the fault and the data of the answer."""
        head = card.REQUEST.pack(card.REQUEST_MAGIC, 0, kind, 77, start, length or len(data))
        self._wire.sendall(head + data)
        _, fault, cookie = card.REPLY.unpack(receive(self._wire, card.REPLY.size))
        assert struct.unpack(">Q", cookie) == (77,)
        return fault, receive(self._wire, length if kind == card.READ else 0)

    def close(self) -> None:
        """Be gone."""
        self._wire.close()


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """Return an image that was written before."""
    path = tmp_path / "card.raw"
    path.write_bytes(OLD * (SIZE // SECTOR))
    return path


@pytest.fixture
def slot(tmp_path: Path, image: Path) -> Iterator[tuple[Card, Reader]]:
    """Yield a card in a machine, and the machine."""
    with Card(image, tmp_path / "wire") as found:
        found.put_in()
        machine = Reader(tmp_path / "wire")
        yield found, machine
        machine.close()


def test_what_is_written_is_read_before_it_is_flushed(slot: tuple[Card, Reader]) -> None:
    """As from any disk; a request that it does not know is refused."""
    _, machine = slot
    assert machine.ask(card.WRITE, SECTOR, data=NEW * 2) == (0, b"")
    assert machine.ask(card.READ, 0, 4 * SECTOR) == (0, OLD + NEW * 2 + OLD)
    assert machine.ask(9) == (card.EINVAL, b"")
    assert machine.ask(card.READ, 63 * SECTOR, SECTOR) == (0, OLD)


@pytest.mark.parametrize("loss", card.LOSSES)
def test_what_was_flushed_is_kept_whatever_is_lost(
    loss: card.Loss, slot: tuple[Card, Reader], image: Path
) -> None:
    """Of the rest each sector is the old one or the new one: all, none, or some of each."""
    inserted, machine = slot
    machine.ask(card.WRITE, 0, data=NEW * 8)
    machine.ask(card.FLUSH)
    machine.ask(card.WRITE, 32 * SECTOR, data=NEW * 32)
    machine.close()
    lost = inserted.pull(random.Random(1), loss)
    kept = image.read_bytes()
    sectors = [kept[start : start + SECTOR] for start in range(0, SIZE, SECTOR)]
    assert sectors[:32] == [NEW] * 8 + [OLD] * 24
    assert sectors[32:].count(OLD) == lost
    assert sectors[32:].count(NEW) == 32 - lost
    assert {"nothing": lost == 0, "some": 0 < lost < 32, "all": lost == 32}[loss]
    assert inserted.flushes == 1
    assert inserted.written == 8 * SECTOR


def test_it_goes_into_the_next_machine(slot: tuple[Card, Reader], tmp_path: Path) -> None:
    """Which finds what was left."""
    inserted, machine = slot
    machine.ask(card.WRITE, 0, data=NEW)
    machine.close()
    inserted.pull(random.Random(1), "nothing")
    inserted.put_in()
    with closing(Reader(tmp_path / "wire")) as other:
        assert other.ask(card.READ, 0, 2 * SECTOR) == (0, NEW + OLD)
