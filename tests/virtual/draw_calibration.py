"""Draws the table that teaches a game in the usual room, as a JPEG to the standard output.

A program of its own, since Playwright's loop may not run beside that of a test.
"""

import sys

import msgspec

from companion.apps.virtual.room import Room
from companion.apps.virtual.trial_film import write_script
from rendering.virtual_browser import VirtualBrowser

if __name__ == "__main__":
    snapshot = write_script(sys.argv[1]).snapshots()[0]
    with VirtualBrowser() as browser:
        sys.stdout.buffer.write(browser.draw({**snapshot, "room": msgspec.to_builtins(Room())}))
