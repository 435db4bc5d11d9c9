"""What CircuitPython does at its start: boot.py, then code.py, here of the current folder."""

import usb_cdc


def run(name):
    """Run a file, unchanged, with names of its own."""
    with open(name) as file:
        exec(compile(file.read(), name, "exec"), {"__name__": "__main__"})


run("boot.py")
usb_cdc.boot()
run("code.py")
