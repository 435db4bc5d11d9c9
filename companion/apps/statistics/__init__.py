"""Tests whether the idol favours a seat.

Pure arithmetic on logged spins, and a page of all past games.
"""
