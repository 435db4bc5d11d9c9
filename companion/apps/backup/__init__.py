"""Backups: all that a table has, in one file that proves to be whole, and back from it."""
