"""Frames: golden ones, cut anywhere, with any bit flipped, and between rubbish."""

import random
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import wire

ROOT = Path(__file__).parents[2]
GOLDEN = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "golden_frames.txt").read_text().splitlines()
]
LINES = [frame.encode() for _, frame, _ in GOLDEN]
KNOWN = {"Pi": wire.FROM_PI, "Pico": wire.FROM_PICO}

Frame: TypeAlias = tuple[int, str, tuple[str, ...]]


def read(data: bytes, *cuts: int) -> list[Frame]:
    """Return the frames in *data*, fed in the pieces between these *cuts*."""
    reader = wire.Reader()
    places = [0, *cuts, len(data)]
    return [frame for start, end in pairwise(places) for frame in reader.feed(data[start:end])]


def decoded(line: bytes) -> Frame:
    """Return the frame that *line* is known to be."""
    frame = wire.decode(line)
    assert frame
    return frame


@pytest.mark.parametrize(("who", "frame", "meaning"), GOLDEN)
def test_a_golden_frame_is_read_and_written_as_it_stands(
    who: str, frame: str, meaning: str
) -> None:
    """Both ends of every version of this protocol agree on these bytes."""
    number, word, fields = decoded(frame.encode())
    assert wire.encode(number, word, *fields) == frame.encode() + b"\n"
    if "another time" in meaning:
        with pytest.raises(wire.BadMessage, match="unknown"):
            wire.check(word, fields, KNOWN[who])
    else:
        wire.check(word, fields, KNOWN[who])


def test_each_word_has_a_golden_frame() -> None:
    """No message is without an example."""
    said = {(who, decoded(frame.encode())[1]) for who, frame, _ in GOLDEN}
    assert said >= {(who, word) for who, words in KNOWN.items() for word in words}


def test_the_docs_have_the_golden_frames() -> None:
    """The page shows these frames with these meanings, no others."""
    page = (ROOT / "docs" / "wire.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| Pi")]
    assert rows == [f"| {who} | `{frame}` | {meaning} |" for who, frame, meaning in GOLDEN]
    shown = next(line for line in page.splitlines() if line.startswith("    $"))
    assert decoded(shown.strip().encode()) == (7, "key", ("3", "1", "1250000"))


def test_the_docs_have_each_words_fields() -> None:
    """The page's tables name every word."""
    page = (ROOT / "docs" / "wire.md").read_text()
    for words in KNOWN.values():
        assert all(f"`{word}`" in page for word in words)


def test_frames_may_be_cut_at_every_byte() -> None:
    """How bytes are bundled on their way does not matter."""
    data = b"".join(line + b"\n" for line in LINES)
    whole = read(data)
    assert len(whole) == len(LINES)
    assert all(read(data, cut) == whole for cut in range(len(data) + 1))
    assert read(data, *range(len(data))) == whole


def test_no_frame_with_a_flipped_bit_is_accepted() -> None:
    """Each bit of each golden frame, its line feed included, is covered."""
    for line in LINES:
        data = line + b"\n"
        for bit in range(8 * len(data)):
            wrong = bytearray(data)
            wrong[bit // 8] ^= 1 << bit % 8
            assert read(bytes(wrong)) == [], wrong
            # And the next one is read, unless it was the line feed between them that was hit.
            after = read(bytes(wrong) + data + data)
            assert after[-1] == decoded(line)
            assert len(after) == 2 or bit // 8 == len(line)


RUBBISH = st.binary(max_size=600).filter(lambda data: wire.decode(data) is None)


@given(st.lists(st.tuples(RUBBISH, st.sampled_from(LINES)), max_size=8), st.data())
def test_rubbish_between_frames_costs_no_frame(
    pieces: "list[tuple[bytes, bytes]]", data: st.DataObject
) -> None:
    """Every whole frame is read, and nothing else, however the bytes come."""
    sent = b"".join(rubbish.replace(b"$", b"") + line + b"\n" for rubbish, line in pieces)
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=5).map(sorted))
    assert read(sent, *cuts) == [decoded(line) for _, line in pieces]


@given(st.binary(max_size=2000))
def test_no_bytes_make_the_reader_fail_or_grow(data: bytes) -> None:
    """Rubbish is counted by lines; what is kept of it is shorter than a frame."""
    reader = wire.Reader()
    frames = reader.feed(data)
    lines = [line for line in data.split(b"\n")[:-1] if line]
    assert reader.bad + len(frames) == len(lines)
    assert len(reader._line) <= wire.LIMIT


def garbled(line: bytes, chance: random.Random) -> bytes:
    """Return *line* with up to six bytes changed, dropped or put in, but no line feed."""
    wrong = bytearray(line)
    for _ in range(chance.randint(1, 6)):
        place, byte = chance.randrange(len(wrong)), chance.choice([0, 36, 42, *range(11, 256)])
        way = chance.randrange(3)
        if way == 0:
            wrong[place] = byte
        elif way == 1:
            wrong.insert(place, byte)
        elif len(wrong) > 1:
            del wrong[place]
    return bytes(wrong)


def test_of_20000_garbled_frames_none_is_accepted() -> None:
    """And after each of them the next good frame is read."""
    chance = random.Random(45)
    reader = wire.Reader()
    wrong = 0
    while wrong < 20_000:
        good = chance.choice(LINES)
        bad = garbled(good, chance)
        if bad[bad.rfind(b"$") :] == good:
            continue  # it was put in front of the frame, or changed into itself
        wrong += 1
        assert reader.feed(bad + b"\n") == [], bad
        assert reader.feed(good + b"\n") == [decoded(good)]
    assert reader.bad == wrong


def test_the_garbling_would_be_noticed() -> None:
    """A reader that took a frame without its sum would not pass."""
    line = bytearray(LINES[5])
    line[5] ^= 1
    assert wire.decode(bytes(line)) is None
    body = bytes(line[1:-9])
    again = wire.encode(int(body.split()[0]), *body.decode().split()[1:])
    assert wire.decode(again.rstrip()) is not None


@pytest.mark.parametrize(
    "words",
    [("hello",), ("hello", "x"), ("hello", "1", "2"), ("light", "0", "abcdef"), ("ping", "")],
)
def test_wrong_fields_are_refused(words: "tuple[str, ...]") -> None:
    """Too few, too many, no number, no hex digits."""
    with pytest.raises(wire.BadMessage):
        wire.check(words[0], words[1:], wire.FROM_PI)


def test_the_longest_light_frame_fits() -> None:
    """So many lights go into a frame, with the largest numbers beside them."""
    frame = wire.encode(10**15, "light", 999, "F0" * 3 * wire.LIGHTS_PER_FRAME)
    assert len(frame) <= wire.LIMIT
    assert read(frame)
    with pytest.raises(wire.BadMessage, match="more than a frame holds"):
        wire.encode(1, "light", 0, "F0" * 120)
