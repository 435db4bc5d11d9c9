"""Tests that run in the machine of `./run hil` only, against a kernel's own devices."""
