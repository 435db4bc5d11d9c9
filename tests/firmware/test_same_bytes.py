"""The wire on the Pico's interpreter and on the Pi's: the same file, the same bytes."""

import json
import random
import subprocess
from pathlib import Path

from firmware import wire
from hardware.pico.machine import FIRMWARE

PROGRAM = """
import json, sys, wire
for line in sys.stdin:
    number, word, fields = json.loads(line)
    print(wire.encode(number, word, *fields))
reader = wire.Reader()
with open("garbled", "rb") as file:
    data = file.read()
print([reader.feed(data[at : at + 7]) for at in range(0, len(data), 7)], reader.bad)
"""


TEXTS = ["-", "5,8,9", "raspberry_pi_pico2_w", "FF8000" * 5]


def messages(chance: random.Random, count: int) -> list[tuple[int, str, list[int | str]]]:
    """Return so many messages with all kinds of fields."""
    made = []
    for number in range(count):
        word = chance.choice([*wire.FROM_PI, *wire.FROM_PICO, "dance"])
        fields: list[int | str] = [
            chance.randrange(-(10**9), 10**15) if chance.random() < 0.5 else chance.choice(TEXTS)
            for _ in range(chance.randrange(6))
        ]
        made.append((number, word, fields))
    return made


def test_both_write_and_read_the_same(micropython: str, tmp_path: Path) -> None:
    """A thousand messages, and bytes with all of them and much rubbish."""
    chance = random.Random(7)
    made = messages(chance, 1000)
    frames = [wire.encode(number, word, *fields) for number, word, fields in made]
    garbled = b"".join(
        frame + chance.randbytes(chance.randrange(40)) + chance.choice([b"", b"\n"])
        for frame in frames
    )
    (tmp_path / "garbled").write_bytes(garbled)
    done = subprocess.run(
        [micropython, "-X", "heapsize=16m", "-c", PROGRAM],
        input="".join(json.dumps(each) + "\n" for each in made),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"MICROPYPATH": str(FIRMWARE)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *written, read = done.stdout.splitlines()
    assert written == [repr(frame) for frame in frames]
    reader = wire.Reader()
    wanted = [reader.feed(garbled[at : at + 7]) for at in range(0, len(garbled), 7)]
    assert read == f"{wanted} {reader.bad}"
    assert reader.bad > 100
