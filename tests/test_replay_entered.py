"""`tiki replay` where nobody looks: games as people would have entered them, without a picture."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.registry import GAMES, game_of

TOPPLE: dict[str, Any] = {
    "players": ["ann", "bob", "cem"],
    "seats": "player 0 near, 1 right, 2 far",
    "options": {"target": 5},
    "setup": {"first": 0},
    "actions": [
        *("roll 1", "place 22 pink", "roll 2", "place 12 yellow", "roll 2", "place 32 blue"),
        *("roll 3", "place 02 pink"),
        *("roll 3", "place 42 yellow"),  # fills a column, which shows yellow once more: 3 + 1
        *("roll 6", "topple"),  # costs Cem 10, and Bob, who was before, gets 3
    ],
}
UNO_TIKI: dict[str, Any] = {
    "players": ["ann", "bob"],
    "options": {"target": 20},
    "setup": {"dealer": 0},
    "actions": [
        "turn red-0",
        *(f"play red-{number}" for number in range(1, 10)),
        *("play blue-9", "play blue-1", "uno 1", "play blue-2", "play blue-3"),
        "count 0 20",  # what Ann has left, Bob gets
    ],
}
GAMES_TOLD = {
    "topple": (TOPPLE, [0, 7, -10], [1], "TO-12"),
    "uno_tiki": (UNO_TIKI, [0, 20], [1], "UT-19"),
}


def record(
    folder: Path, game: str, replay: dict[str, Any], frames: tuple[str, ...] = ("000.jpg",)
) -> Path:
    """Make *folder* a recording of *game* whose pictures nobody has; None in *replay* is no key."""
    told = {key: value for key, value in replay.items() if value is not None}
    description = {"game": game, "frames": [{"frame": name} for name in frames], "replay": told}
    (folder / "session.json").write_text(json.dumps(description))
    return folder


def refusal(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    """Return the one line that `tiki replay` complains in, having checked its exit status."""
    assert main(["replay", str(folder), *words]) == 1
    *notes, line = capsys.readouterr().err.splitlines()
    assert all(note.endswith("its actions are taken as entered") for note in notes)
    assert len(notes) <= 1
    assert line.startswith(f"tiki: {folder}")
    return line


@pytest.mark.parametrize("game", GAMES_TOLD)
@pytest.mark.parametrize("words", [(), ("--entered",)])
def test_a_game_that_was_entered_ends_with_its_true_scores(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    words: tuple[str, ...],
) -> None:
    """Counted by hand; who does not ask for it is told if nobody looks at the pictures."""
    if not words:  # as a game whose eyes are still to come
        monkeypatch.setitem(GAMES, game, dataclasses.replace(GAMES[game], is_watched=False))
    replay, scores, winners, clause = GAMES_TOLD[game]
    folder = record(tmp_path, game, replay)
    assert main(["replay", str(folder), "--json", *words]) == 0
    captured = capsys.readouterr()
    lines = [json.loads(line) for line in captured.out.splitlines()]
    assert [line["type"] for line in lines].count("result") == 1
    result = lines[-1]
    assert (result["game"], result["scores"], result["winners"]) == (game, scores, winners)
    assert result["ended_by"] == clause
    told = [line["action"] for line in lines if line["type"] in ("move", "observed")]
    assert told == replay["actions"]
    notes = captured.err.splitlines()
    assert len(notes) == (0 if words else 1)
    assert all(f"does not watch {game_of(game).title} yet" in note for note in notes)


@pytest.mark.parametrize("game", GAMES_TOLD)
def test_the_same_is_told_in_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    """Names have their capitals, and the last line says who has won."""
    replay, scores, _, _ = GAMES_TOLD[game]
    assert main(["replay", str(record(tmp_path, game, replay)), "--entered"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    for name, points in zip(replay["players"], scores, strict=True):
        assert f"{name.capitalize()} {points}" in last
    assert "Bob won" in last


def test_an_unfinished_game_stands_as_it_was_left(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nobody has won, and the points of the round that is on are counted."""
    replay = {**TOPPLE, "actions": TOPPLE["actions"][:-1]}
    assert main(["replay", str(record(tmp_path, "topple", replay)), "--json", "--entered"]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["scores"], result["winners"], result["ended_by"]) == ([0, 4, 0], None, None)


def test_a_game_that_nobody_knows_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With those that are known."""
    line = refusal(capsys, record(tmp_path, "chess", TOPPLE))
    assert "is for chess; the known games are " in line
    assert all(game in line for game in GAMES)


@pytest.mark.parametrize(
    "actions", [None, "roll 1", 7, {"roll": 1}, ["roll 1", 2], [["roll 1"]], [None]]
)
def test_actions_that_are_no_list_of_texts_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, actions: Any
) -> None:
    """Nothing is played, and the line says what is wanted."""
    folder = record(tmp_path, "topple", {**TOPPLE, "actions": actions})
    line = refusal(capsys, folder, "--entered")
    assert "'replay': no 'actions' to enter; they are a list of texts" in line


def test_a_recording_without_actions_cannot_be_entered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nor can single pictures, which may be read."""
    folder = record(tmp_path, "tiki_topple", {"players": ["ann", "bob"]})
    assert "no 'actions' to enter" in refusal(capsys, folder, "--entered")
    (folder / "session.json").write_text('{"game": "topple", "frames": []}')
    assert "try tiki read" in refusal(capsys, folder, "--entered")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (7, "is a list of objects with after_frame and"),
        ("roll 1", "is a list of objects"),
        (["roll 1"], "is a list of objects"),
        ([{"after_frame": "000.jpg"}], "is a list of objects"),
        ([{"fact": "roll 1", "told": "roll 1"}], "is a list of objects"),
        ([None], "is a list of objects"),
        (
            [{"after_frame": "999.jpg", "fact": "roll 1", "told": "roll 1"}],
            "'roll 1' was said after '999.jpg', which is not one of its frames",
        ),
    ],
)
@pytest.mark.parametrize("key", ["sensors", "told"])
@pytest.mark.parametrize("game", ["topple", "tiki_topple"])
def test_what_was_said_between_pictures_is_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, key: str, said: Any, words: str
) -> None:
    """Also where nobody watches, and before anything is played or looked at."""
    players = {"tiki_topple": {"players": ["ann", "bob"]}, "topple": TOPPLE}[game]
    line = refusal(capsys, record(tmp_path, game, {**players, key: said}))
    assert words in line
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("place 22 pink", "roll"),  # the die first
        ("roll 9", "is not an action"),
        ("up2 nani", "is not an action"),
        ("", "is not an action"),
        ("roll\n9", "is not an action"),
        ("knock 3", "that player is not in the game"),
    ],
)
def test_an_action_that_is_not_legal_is_named_and_nothing_after_it_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, action: str, words: str
) -> None:
    """What came before counts, and the result says how the game stands there."""
    actions = [*TOPPLE["actions"][:2], action, *TOPPLE["actions"][2:]]
    folder = record(tmp_path, "topple", {**TOPPLE, "actions": actions})
    assert main(["replay", str(folder), "--json", "--entered"]) == 1
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith(f"tiki: {folder / 'session.json'}, {action!r}: ")
    assert words in line
    lines = [json.loads(text) for text in captured.out.splitlines()]
    told = [each["action"] for each in lines if each["type"] in ("move", "observed")]
    assert told == TOPPLE["actions"][:2]
    assert lines[-1]["type"] == "result"
    assert lines[-1]["winners"] is None


def test_cards_of_a_hand_are_not_entered_where_all_can_read_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A recording may know what a player drew; the companion must not print it."""
    actions = ["turn red-0", "hand 1 red-1 red-2 red-3 red-4 red-5 red-6 red-7"]
    folder = record(tmp_path, "uno_tiki", {**UNO_TIKI, "actions": actions})
    assert main(["replay", str(folder), "--json", "--entered"]) == 1
    captured = capsys.readouterr()
    assert "that is secret" in captured.err
    assert "red-4" not in captured.out


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": ["ann"]},
        {"players": None},
        {"options": {"target": 0}},
        {"options": "tar\nget"},
        {"options": 3},
        {"setup": {"first": 3}},
        {"setup": [1]},
    ],
)
def test_a_beginning_that_the_rules_refuse_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, wrong: dict[str, Any]
) -> None:
    """Whatever `replay` says of players, options and set-up."""
    folder = record(tmp_path, "topple", {**TOPPLE, **wrong})
    assert "session.json, 'replay': " in refusal(capsys, folder, "--entered")
