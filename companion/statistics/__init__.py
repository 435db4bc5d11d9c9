"""Tests whether the idol favours a seat.

Pure arithmetic on logged spins. The daemon and the commands import it.
"""
