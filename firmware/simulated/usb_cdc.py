"""CircuitPython's `usb_cdc`: a data port with the small buffers of the real one."""

import simulation

console = None
data = None
_BUFFER = 256
_boots = True


class Serial:
    """A port that only knows timeouts of 0."""

    def __init__(self):
        self.timeout = None
        self.write_timeout = None
        self._connection = 0
        self._received = b""
        self._unsent = b""
        self._pulled = False
        simulation.handlers[simulation.CONNECTED] = self._connect
        simulation.handlers[simulation.PULLED] = self._pull
        simulation.handlers[simulation.DATA] = self._receive
        simulation.handlers[simulation.ROOM] = self._make_room

    @property
    def connected(self):
        """Whether the host has the port open."""
        simulation.pump()
        if self._pulled:  # nobody plugs a cable in so fast that it goes unnoticed
            self._pulled = False
            return False
        return self._connection > 0

    @property
    def in_waiting(self):
        """How many bytes have come."""
        simulation.pump()
        return min(len(self._received), _BUFFER)

    def read(self, size=1):
        """Return up to *size* bytes."""
        if self.timeout != 0:
            raise NotImplementedError("this simulation cannot wait for bytes")
        data = self._received[:size]
        self._received = self._received[len(data) :]
        if data:
            simulation.tell(simulation.ROOM, len(data).to_bytes(2, "big"))
        return data

    def write(self, data):
        """Write as much as there is room for, and return how much that was."""
        if self.write_timeout != 0:
            raise NotImplementedError("this simulation cannot wait for room")
        simulation.pump()
        data = data[: _BUFFER - len(self._unsent)]
        self._unsent += data
        self._send(data)
        return len(data)

    def reset_output_buffer(self):
        """Drop what has not gone on."""
        self._unsent = b""

    def _send(self, data):
        if data and self._connection:
            simulation.tell(simulation.DATA, bytes([self._connection]) + data)

    def _connect(self, content):
        self._connection = content[0]
        self._received = b""
        self._send(self._unsent)  # what is left from the last connection, if nobody dropped it

    def _pull(self, content):
        self._pulled = True
        self._connection = 0
        self._received = self._unsent = b""

    def _receive(self, content):
        self._received += content

    def _make_room(self, content):
        self._unsent = self._unsent[int.from_bytes(content, "big") :]


def enable(*, console=True, data=False):
    """Have the ports from the end of boot.py on."""
    global _wanted
    if not _boots:
        raise RuntimeError("Cannot change USB devices now")
    _wanted = data


_wanted = False


def boot():
    """End the time of boot.py."""
    global _boots, data
    _boots = False
    data = Serial() if _wanted else None
    simulation.tell(simulation.BOOTED, bytes([_wanted]))
