"""Tests of the environments for players that learn."""
