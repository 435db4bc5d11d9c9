"""Stands in for python3-kms++, which Debian lacks: picamera2 wants it for a preview on a screen."""

from typing import Any


class _Anything:
    def __getattr__(self, name: str) -> Any:
        return name


PixelFormat = _Anything()
