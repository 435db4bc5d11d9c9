"""Earcons: short melodies that say what happened to people who look at the table, not at a screen.

Each has a contour of its own (rising, falling, repeated, broken), so that none is told by its
pitch alone.  Soft plucked sines, about a second at most, which can be borne a hundred times.
"""

import io
import math
import wave
from array import array
from typing import Final, Literal, TypeAlias, get_args

Earcon: TypeAlias = Literal[
    "turn", "ask", "wrong", "won", "topple", "spin", "void", "between", "uno", "hurry", "rest"
]
Samples: TypeAlias = "array[int]"
EARCONS: Final[tuple[Earcon, ...]] = get_args(Earcon)

RATE_HZ: Final = 22_050
MAX_AMPLITUDE: Final = 32_767
A_HZ: Final = 440.0
ATTACK_S: Final = 0.008  # shorter than this clicks

# Semitones above a' and seconds of each note; None is a silence.
MELODIES: Final[dict[Earcon, tuple[tuple[int | None, float], ...]]] = {
    "turn": ((0, 0.1), (7, 0.22)),
    "ask": ((0, 0.12), (5, 0.12), (10, 0.3)),
    "wrong": ((-2, 0.18), (None, 0.05), (-2, 0.18), (-5, 0.3)),
    "won": ((0, 0.12), (3, 0.12), (7, 0.12), (12, 0.16), (7, 0.1), (12, 0.36)),
    "topple": ((12, 0.08), (10, 0.08), (7, 0.09), (3, 0.1), (0, 0.12), (-12, 0.34)),
    "spin": ((0, 0.07), (5, 0.07), (0, 0.07), (5, 0.07), (12, 0.3)),
    "void": ((7, 0.14), (7, 0.14), (0, 0.28)),
    "between": ((3, 0.14), (7, 0.14), (3, 0.14), (7, 0.24)),
    "uno": ((12, 0.09), (None, 0.04), (12, 0.09), (None, 0.04), (12, 0.24)),
    "hurry": ((10, 0.07),),
    "rest": ((7, 0.16), (3, 0.3)),
}


def synthesise(earcon: Earcon, volume: float) -> bytes:
    """Return *earcon* as a WAV file: mono, 16 bits.  volume: from 0 silent to 1 full."""
    samples = array("h")
    for semitones, seconds in MELODIES[earcon]:
        samples.extend(_note(semitones, seconds, volume))
    return pack_wav(samples, RATE_HZ)


def hertz_of(semitones: int | None) -> float:
    """Return the frequency of a note; 0 for a silence.

    >>> hertz_of(12), hertz_of(None)
    (880.0, 0.0)
    """
    return 0.0 if semitones is None else float(A_HZ * 2 ** (semitones / 12))


def _note(semitones: int | None, seconds: float, volume: float) -> Samples:
    count = round(seconds * RATE_HZ)
    if semitones is None:
        return array("h", bytes(2 * count))
    hertz = hertz_of(semitones)
    samples = array("h")
    for number in range(count):
        now_s = number / RATE_HZ
        left_s = seconds - now_s
        # A quick rise, a slow decay as of a plucked string, and an end in silence.
        swell = min(1.0, now_s / ATTACK_S, left_s / (2 * ATTACK_S)) * math.exp(-3 * now_s / seconds)
        phase = 2 * math.pi * hertz * now_s
        tone = 0.8 * math.sin(phase) + 0.2 * math.sin(2 * phase)
        samples.append(round(MAX_AMPLITUDE * volume * swell * tone))
    return samples


def pack_wav(samples: Samples, rate_hz: int) -> bytes:
    """Return 16-bit *samples* of one channel as a WAV file."""
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples.tobytes())
    return target.getvalue()


def soften(wav: bytes, volume: float) -> bytes:
    """Return a 16-bit mono WAV file, *volume* times as loud; raises wave.Error if it is none."""
    with wave.open(io.BytesIO(wav)) as file:
        if (file.getnchannels(), file.getsampwidth()) != (1, 2):
            raise wave.Error("the voice is not mono with 16 bits")
        samples, rate_hz = array("h", file.readframes(file.getnframes())), file.getframerate()
    return pack_wav(array("h", (round(sample * volume) for sample in samples)), rate_hz)
