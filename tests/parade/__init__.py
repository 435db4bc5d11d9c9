"""Parade, a toy game with eyes: its line is declared, and read by the reader of all lines.

docs/add-a-game.md leads through these files.
"""
