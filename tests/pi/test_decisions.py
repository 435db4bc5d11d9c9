"""What is decided here is what the golden file says, and another decision is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pi.__main__ import RECORDINGS, decide, main, printed
from tests.pi.decisions import (
    BadDecisions,
    Decisions,
    chosen,
    decided,
    differences,
    first_difference,
    load,
    picture_of,
    write,
)

FEW = (
    "tactiki/003.jpg",
    "tiki_topple/001.jpg",
    "tiki_topple/002.jpg",  # with a hand
    "tippi_toppi/003.jpg",
    "topple/000.jpg",
    "uno_tiki/003.jpg",
)


def line_of(name: str, **parts: Any) -> str:
    """Return what `tiki read` would print of the picture *name*."""
    return json.dumps({"file": f"/somewhere/{name}", "confidence": 0.9, "ms": 7.1, **parts})


def test_pictures_of_all_games_are_read_as_is_written() -> None:
    """The golden file is true of the product of today, as far as a few pictures show."""
    expected = load().pictures
    lines = printed(["read", *(str(RECORDINGS / name) for name in FEW)])
    assert list(differences(expected, FEW, lines)) == []
    assert {expected[name]["status"] for name in FEW} == {"ok", "unsettled"}


@pytest.mark.slow
def test_all_that_is_decided_is_as_is_written() -> None:
    """Each picture of the shipped recordings, and each event; else: ./run pi --write."""
    assert decide() == load()


def test_every_picture_of_the_recordings_has_its_line() -> None:
    """And every game its events, which end with a result."""
    known = load()
    there = {"/".join(path.parts[-2:]) for path in RECORDINGS.glob("*/*.jpg")}
    assert set(known.pictures) == there
    assert set(known.events) == {name.partition("/")[0] for name in there}
    assert {events[-1]["type"] for events in known.events.values()} == {"result"}


def test_a_picture_that_is_read_otherwise_is_named() -> None:
    """With what was expected and what was read; a picture of which nothing came, too."""
    expected = {
        "topple/001.jpg": {"status": "ok", "reading": {"cells": [["1 pink"]]}},
        "topple/002.jpg": {"status": "unsettled", "reason": "hand"},
        "topple/003.jpg": {"status": "unsettled", "reason": "hand"},
    }
    lines = [
        line_of("topple/001.jpg", status="ok", reading={"cells": [[{"height": 2, "top": "pink"}]]}),
        line_of("topple/002.jpg", status="unsettled", reason="hand", reading=None),
    ]
    assert list(differences(expected, list(expected), lines)) == [
        (
            'topple/001.jpg: expected {"status":"ok","reading":{"cells":[["1 pink"]]}},'
            ' read {"status":"ok","reading":{"cells":[["2 pink"]]}}'
        ),
        'topple/003.jpg: expected {"status":"unsettled","reason":"hand"}, not read at all',
    ]


def test_confidence_time_and_angle_are_no_decisions() -> None:
    """They may differ from one processor to another."""
    reading = {"discard": {"color": "red", "symbol": "7", "spin": False}}
    for angle in (0.3, 359.4):
        line = line_of("uno_tiki/000.jpg", status="ok", reading={**reading, "idol_deg": angle})
        assert picture_of(json.loads(line)) == (
            "uno_tiki/000.jpg",
            {"status": "ok", "reading": {"discard": "red 7 False"}},
        )


def test_the_first_event_that_differs_is_named() -> None:
    """Also one too few and one too many."""
    move = {"type": "move", "seq": 1, "action": "place 22 pink", "frame": "003.jpg"}
    events = [decided(move)]
    later = json.dumps({**move, "at": "2026-11-28T12:00:00+00:00", "table": ["empty"]})
    other = json.dumps({**move, "action": "place 21 pink"})
    assert first_difference(events, [later]) is None
    told = first_difference(events, [other])
    assert told is not None
    assert '"place 22 pink","frame":"003.jpg"}, got {"type":"move"' in told
    assert (first_difference(events, []) or "").endswith('"frame":"003.jpg"}, got nothing')
    assert (first_difference([], [later]) or "").startswith("event 1: expected nothing, got")


def test_each_third_picture_is_of_every_game() -> None:
    """The first of each game always, so that none is left out."""
    names = [f"{game}/{number:03d}.jpg" for game in ("topple", "tactiki") for number in range(5)]
    assert chosen(names, 3) == [
        "topple/000.jpg",
        "topple/003.jpg",
        "tactiki/000.jpg",
        "tactiki/003.jpg",
    ]
    assert chosen(names, 1) == names


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """To the last decision."""
    found = Decisions(
        {"topple/000.jpg": {"status": "ok", "reading": {"cells": [[""]]}}},
        {"topple": [{"type": "result", "scores": [1, 2]}]},
    )
    write(found, tmp_path / "decisions.jsonl")
    assert load(tmp_path / "decisions.jsonl") == found


@pytest.mark.parametrize("text", ["no JSON", "{}", "[1]", None])
def test_a_file_that_cannot_be_used_is_said_in_one_line(tmp_path: Path, text: str | None) -> None:
    """With the command that writes it anew."""
    path = tmp_path / "decisions.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadDecisions, match=r"decisions\.jsonl cannot be used .*run pi --write$"):
        load(path)


def test_the_comparison_says_what_was_as_it_should_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And fails where something was not."""
    output = tmp_path / "read"
    output.write_text("")
    count = len(chosen(load().pictures, 40))
    assert main(["read", str(output), "40"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == count + 1
    assert said[-1] == f"pi: 0 of {count} pictures are read as on x86-64"
    assert main(["replay", str(output), "topple"]) == 1
    assert "topple: differs: event 1" in capsys.readouterr().out
    assert main(["dance"]) == 2
