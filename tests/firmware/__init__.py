"""Tests of what runs on the Pico, most of them on the MicroPython VM."""
