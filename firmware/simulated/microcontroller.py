"""CircuitPython's `microcontroller`, as far as it is used."""

import os

import simulation


class _Reason:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "microcontroller.ResetReason." + self._name


class _Processor:
    reset_reason = _Reason(os.getenv("TIKI_RESET_REASON"))


class _Memory:
    def __init__(self, path):
        self._path = path

    def __len__(self):
        return len(self._read())

    def __getitem__(self, place):
        return self._read()[place]

    def __setitem__(self, place, value):
        held = bytearray(self._read())
        held[place] = value
        with open(self._path, "wb") as file:
            file.write(held)

    def _read(self):
        with open(self._path, "rb") as file:
            return file.read()


cpu = _Processor()
nvm = _Memory(os.getenv("TIKI_NVM"))


def reset():
    """End this run; the simulation starts another."""
    simulation.tell(simulation.RESET)
    raise SystemExit
