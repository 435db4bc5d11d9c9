"""Cues to the height of a column besides its own looks: shadows, light, and how its top appears.

Each takes a view of the board and returns a likelihood for every height. `columns.heights` fuses
them; a cue knows of no other and of no reader.
"""
