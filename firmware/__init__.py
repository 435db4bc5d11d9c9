"""What runs on the Raspberry Pi Pico in the idol's foot, in CircuitPython.

Of it only `wire` is also imported on the Pi; everything else runs on the Pico alone, where all
modules lie flat beside each other.
"""
