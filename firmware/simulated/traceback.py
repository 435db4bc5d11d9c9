"""CircuitPython's `traceback`, as far as it is used."""

import sys


def print_exception(error):
    """Print *error* with the lines that led to it."""
    sys.print_exception(error)
