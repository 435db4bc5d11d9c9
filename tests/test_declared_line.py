"""A game that declares a line of places is read, refereed and printed with no reader of its own."""

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import pytest

from companion.cli import main
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, Listed, game_of
from companion.table.calibration_check import check_calibration
from companion.table.readers import find_games, reader_setup_of, usual_table
from tests.drawn_tables import LineArtist
from tests.parade.reader_setup import ParadeSetup
from tests.parade.rules import ANIMALS
from tests.printing.pages import markers, render
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import simulate
from tests.tables import NAMES, open_log, told
from vision.calibration import BadCalibration
from vision.capture.frame import Frame
from vision.geometry.layout import parse_layout
from vision.geometry.session_values import BadLayout
from vision.line.reader import LineReader
from vision.observation import Reason, Status


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game as its one line would."""
    monkeypatch.setitem(GAMES, "parade", Listed("parade", 9, "tests.parade", is_watched=True))


@pytest.fixture(scope="module")
def artist() -> LineArtist:
    """Return who draws its table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "parade", Listed("parade", 9, "tests.parade"))
        return LineArtist(parse_layout(usual_table("parade"), ANIMALS))


def learned(artist: LineArtist) -> LineReader:
    """Return a reader that has learned the whole line."""
    reader = reader_setup_of("parade").open_reader(None)
    assert isinstance(reader, LineReader)
    reader.calibrate(artist.draw("all", ANIMALS), {"line": list(ANIMALS)})
    return reader


def led(animal: str, line: Sequence[str]) -> tuple[str, ...]:
    """Return *line* with *animal* at its head."""
    return (animal, *(each for each in line if each != animal))


def test_a_game_is_followed_through_its_moves(artist: LineArtist) -> None:
    """Learned at its start, then three moves and one that no rule allows, as the camera sees."""
    live_session = LiveSession(open_log(), open_header(game_of("parade"), NAMES[:2], {}, 0))
    game, setup = live_session.game, reader_setup_of("parade")
    assert setup.calibration_truth(game.shown(live_session.session.state)) == {
        "line": list(ANIMALS)
    }
    reader = learned(artist)
    first = led("toad", ANIMALS)
    second = first[:-1]
    third = led("gull", second)
    wrong = (third[1], third[2], third[0], *third[3:])
    for name, line in enumerate((ANIMALS, first, second, third)):
        live_session.observe(reader.read(artist.draw(str(name), line)))
    assert [(move["seat"], move["action"]) for move in told(live_session, "move")] == [
        (0, "lead toad"),
        (1, "home"),
        (0, "lead gull"),
    ]
    assert game.scores(live_session.session.state) == (0, 1)
    live_session.observe(reader.read(artist.draw("wrong", wrong)))
    assert len(told(live_session, "move")) == 3


def test_it_is_played_through_doubt() -> None:
    """With uncertain places, lost pictures, take-backs and illegal moves, as every game."""
    tally = simulate("parade", 15, Faults(doubtful=0.05, lost=0.1, cheat=0.1, back=0.1))
    assert (tally.wrong, tally.believed, tally.stuck) == (0, 0, 0), tally.faults


def test_its_table_is_learned_well(artist: LineArtist) -> None:
    """The trial before a lesson finds nothing in doubt, in other light either."""
    truth = {"line": list(ANIMALS)}
    trial = check_calibration(reader_setup_of("parade"), None, artist.draw("all", ANIMALS), truth)
    assert (trial.places, trial.doubts, trial.unseen) == (6, (), ())
    assert trial.is_good


def test_nothing_is_guessed_before_all_was_learned(artist: LineArtist) -> None:
    """No face is known: a picture tells nothing, and a line that lacks one is no lesson."""
    reader = reader_setup_of("parade").open_reader(None)
    observation = reader.read(artist.draw("all", ANIMALS))
    assert (observation.status, observation.reason) == (Status.UNSETTLED, Reason.NOT_CALIBRATED)
    with pytest.raises(BadCalibration, match="has all the pieces"):
        reader.calibrate(artist.draw("five", ANIMALS[:5]), {"line": list(ANIMALS[:5])})
    assert reader_setup_of("parade").calibration_truth((*ANIMALS[:5], "empty")) is None


def test_a_strange_piece_is_not_named(artist: LineArtist) -> None:
    """What was never learned keeps the line from being read."""
    strange = artist.draw("strange", ANIMALS)
    picture = strange.picture.copy()
    rows, columns = picture.shape[0] // 2, picture.shape[1] // 2
    picture[rows - 30 : rows + 30, columns - 60 : columns + 60] = (20, 20, 20)
    observation = learned(artist).read(Frame("strange", picture, 0.0))
    assert observation.status is Status.UNSETTLED


def test_its_tiles_print_and_are_found(
    artist: LineArtist, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four of its own, by which a picture of the table tells the game."""
    monkeypatch.chdir(tmp_path)
    assert main(["print", "parade"]) == 0
    printed = render((tmp_path / "tiki-parade-a4.pdf").read_bytes())[0]
    assert sorted(markers(printed)) == [36, 37, 38, 39]
    assert find_games(artist.draw("all", ANIMALS)) == ["parade"]


def test_its_plan_is_drawn() -> None:
    """The outline of the board, and a shape for each place."""
    plan = reader_setup_of("parade").plan(None)
    assert plan is not None
    assert len(plan.places) == len(ANIMALS)
    assert plan.outline.points[0] == (130.0, 10.0)


def test_a_recording_of_it_is_replayed(
    artist: LineArtist, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its pictures need not say how the table is laid out: the game has declared it."""
    first = led("toad", ANIMALS)
    lines = {"0.png": ANIMALS, "1.png": ANIMALS, "2.png": first, "3.png": first[:-1]}
    for name, line in lines.items():
        cv2.imwrite(str(tmp_path / name), artist.draw(name, line).picture)
    frames = [{"frame": name, "kind": "settled"} for name in lines]
    frames[0]["kind"] = "calibration"
    session = {
        "game": "parade",
        "frames": frames,
        "calibration_frame": "0.png",
        "replay": {"players": ["ann", "bob"], "actions": ["lead toad", "home"]},
    }
    (tmp_path / "session.json").write_text(json.dumps(session))
    truth = {"frame": "0.png", "kind": "calibration", "truth": {"line": list(ANIMALS)}}
    (tmp_path / "truth.jsonl").write_text(json.dumps(truth) + "\n")
    assert main(["replay", str(tmp_path), "--json"]) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    moves = [(row["action"], row["frame"]) for row in rows if row["type"] == "move"]
    assert moves == [("lead toad", "2.png"), ("home", "3.png")]
    assert rows[-1]["scores"] == [0, 1]


def test_a_place_beside_the_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that names it, as soon as the set-up is loaded."""
    monkeypatch.setattr(ParadeSetup, "board", (130.0, 10.0, 270.0, 240.0))
    with pytest.raises(BadLayout) as refused:
        ParadeSetup()
    assert (
        str(refused.value) == "parade: place 6, 54 x 33 mm around 200, 230, is not all on the board"
    )
