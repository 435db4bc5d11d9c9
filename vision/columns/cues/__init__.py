"""Cues to the height of figures besides their own looks: their shadows, and how large a top is.

Each takes a view of the board and returns a likelihood for every height. `columns.heights` fuses
them; a cue knows of no other and of no reader.
"""
