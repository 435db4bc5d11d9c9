"""The firmware's version, raised with every change of it that is released."""

VERSION = "2"
