"""What watches the table: the thread that owns the camera, and the reader set up for a game.

Turns frames into observations and hands them to the event loop. The game's own `reader_setup` knows
which reader that is; the pages, the daemon, `film` and the commands import this room.
"""
