"""Pebbles, a toy game: what a sixth game brings beside its one line in the registry.

docs/add-a-game.md leads through these files.
"""
