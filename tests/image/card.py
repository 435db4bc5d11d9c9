"""A card in a table's machine: what is not yet flushed when the plug is pulled may be gone.

A card promises one thing: what was written before a flush that it has confirmed is there for ever.
Of all else any part may be on it, each sector as it was or as it was written last. A file on this
computer would keep everything that a killed machine has written; so QEMU's disk is served from
here, over NBD, and what is not flushed stays in memory.

Source of the wire: github.com/NetworkBlockDevice/nbd, doc/proto.md.
"""

import random
import socket
import struct
import threading
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, TypeAlias

SECTOR: Final = 512
"""What a card writes whole, or not at all."""
NBD_MAGIC, OPTION_MAGIC, REPLY_MAGIC = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
FIXED, NO_ZEROES = 1, 2
GO: Final = 7
ACK, INFORMATION, UNSUPPORTED = 1, 3, 0x80000001
HAS_FLAGS, SENDS_FLUSH = 1, 4
REQUEST_MAGIC, SIMPLE_REPLY_MAGIC = 0x25609513, 0x67446698
READ, WRITE, DISCONNECT, FLUSH = range(4)
OPTION: Final = struct.Struct(">8sII")
OPTION_REPLY: Final = struct.Struct(">QIII")
EXPORT: Final = struct.Struct(">QH")
REQUEST: Final = struct.Struct(">IHHQQI")
REPLY: Final = struct.Struct(">II8s")
EINVAL: Final = 22

Loss: TypeAlias = Literal["nothing", "some", "all"]
LOSSES: Final[tuple[Loss, ...]] = ("nothing", "some", "all")


class Gone(ConnectionError):
    """The machine at the other end is gone."""


class Card:
    """The disk image *path*, served to one machine at a time at the socket *address*.

    written: bytes that the machine has flushed.  flushes: how often it did.
    """

    def __init__(self, path: Path, address: Path) -> None:
        self.address = address
        self.written = self.flushes = 0
        self._file = path.open("r+b", buffering=0)
        self._size = path.stat().st_size
        self._unflushed: dict[int, bytes] = {}
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(address))
        self._listener.listen(1)
        self._slot: threading.Thread | None = None

    def __enter__(self) -> "Card":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.close()
        self._file.close()
        self.address.unlink(missing_ok=True)

    def put_in(self) -> None:
        """Wait, in a thread, for the machine whose card this is, and serve it until it is gone."""
        self._slot = threading.Thread(target=self._serve, daemon=True)
        self._slot.start()

    def pull(self, rng: random.Random, loss: Loss) -> int:
        """Let the power be gone, once the machine is; return how many written sectors are lost.

        loss: how much of what was not flushed is lost.
        """
        if self._slot is not None:
            self._slot.join()
            self._slot = None
        lost = 0
        for sector, data in sorted(self._unflushed.items()):
            if loss == "all" or (loss == "some" and rng.random() < 0.5):
                lost += 1
            else:
                self._put(sector, data)
        self._unflushed.clear()
        return lost

    # The disk.

    def read(self, start: int, length: int) -> bytes:
        """Return *length* bytes from *start* on, as the machine has written them."""
        self._file.seek(start)
        found = bytearray(self._file.read(length))
        for place in range(0, length, SECTOR):
            if data := self._unflushed.get((start + place) // SECTOR):
                found[place : place + SECTOR] = data
        return bytes(found)

    def write(self, start: int, data: bytes) -> None:
        """Take *data*, and promise nothing."""
        for place in range(0, len(data), SECTOR):
            self._unflushed[(start + place) // SECTOR] = data[place : place + SECTOR]

    def flush(self) -> None:
        """Keep all that was written."""
        for sector, data in sorted(self._unflushed.items()):
            self._put(sector, data)
        self.written += len(self._unflushed) * SECTOR
        self.flushes += 1
        self._unflushed.clear()

    def _put(self, sector: int, data: bytes) -> None:
        self._file.seek(sector * SECTOR)
        self._file.write(data)

    # The wire.

    def _serve(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # it is no longer wanted
        with connection:
            try:
                self._agree(connection)
                while self._answer(connection):
                    pass
            except (Gone, ConnectionError):
                pass

    def _agree(self, connection: socket.socket) -> None:
        """Tell the machine what disk this is."""
        connection.sendall(NBD_MAGIC + OPTION_MAGIC + struct.pack(">H", FIXED | NO_ZEROES))
        (flags,) = struct.unpack(">I", receive(connection, 4))
        disk = EXPORT.pack(self._size, HAS_FLAGS | SENDS_FLUSH)
        while True:
            _, option, length = OPTION.unpack(receive(connection, OPTION.size))
            receive(connection, length)

            def reply(kind: int, data: bytes = b"", option: int = option) -> None:
                head = OPTION_REPLY.pack(REPLY_MAGIC, option, kind, len(data))
                connection.sendall(head + data)

            match option:
                case 1:  # EXPORT_NAME
                    connection.sendall(disk + (b"" if flags & NO_ZEROES else bytes(124)))
                    return
                case 6 | 7:  # INFO, GO
                    reply(INFORMATION, struct.pack(">H", 0) + disk)
                    reply(ACK)
                    if option == GO:
                        return
                case 2:  # ABORT
                    reply(ACK)
                    raise Gone
                case _:
                    reply(UNSUPPORTED)

    def _answer(self, connection: socket.socket) -> bool:
        """Answer one request; return whether there may be more."""
        head = receive(connection, REQUEST.size)
        magic, _, kind, cookie, start, length = REQUEST.unpack(head)
        if magic != REQUEST_MAGIC or kind == DISCONNECT:
            return False
        data, fault = b"", 0
        match kind:
            case 0:  # READ
                data = self.read(start, length)
            case 1:  # WRITE
                self.write(start, receive(connection, length))
            case 3:  # FLUSH
                self.flush()
            case _:
                fault = EINVAL
        connection.sendall(REPLY.pack(SIMPLE_REPLY_MAGIC, fault, struct.pack(">Q", cookie)) + data)
        return True


def receive(connection: socket.socket, length: int) -> bytes:
    """Return exactly *length* bytes of *connection*; raises Gone."""
    found = bytearray()
    while len(found) < length:
        piece = connection.recv(min(length - len(found), 1 << 20))
        if not piece:
            raise Gone
        found += piece
    return bytes(found)
