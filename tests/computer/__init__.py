"""Tests of the seats that the companion plays itself."""
