"""What counts as right, missed, asked and wrong in a whole game, by eyes that follow a plan."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.apps.evaluation import games as film_evaluation
from companion.apps.evaluation.games import AsRecorded, evaluate_film
from companion.apps.evaluation.ground_truth import load_ground_truth, load_scenes, load_truth
from companion.apps.evaluation.simulated_host import FilmTally
from companion.apps.evaluation.variations import FilmVariation
from companion.cli import main
from companion.recording import BadRecording, Recording, load_recording
from companion.referee.game import Table
from companion.registry import recordings
from tests.commands import assert_one_line
from tests.recordings import SHIPPED
from vision.capture.frame import Frame, load_frame
from vision.observation import Evidence, Observation, Reason, Status

CARDS = recordings()["tippi_toppi"]
UNCLEAR = Observation("", Status.UNSETTLED, reason=Reason.HAND)


def plainly(table: Table) -> Observation:
    """Return a picture in which nothing but *table* lies."""
    places = tuple(Evidence({name or "empty": 1.0}) for name in table)
    return Observation("", Status.OK, places)


def tables_of(folder: Path) -> dict[str, Table]:
    """Return what lies in each settled picture of a line or of piles, as truth.jsonl has it."""
    found: dict[str, Table] = {}
    for row in load_truth(folder / "truth.jsonl"):
        truth = row["truth"]
        if "line" in truth:
            found[row["frame"]] = (*truth["line"], *["empty"] * (9 - len(truth["line"])))
        elif "piles" in truth:
            found[row["frame"]] = tuple(f"{it['color']} {it['value']}" for it in truth["piles"])
    return found


class Planned:
    """Eyes that see the true table in every settled picture, but in those of *plan*."""

    def __init__(self, folder: Path, plan: Mapping[str, Observation]) -> None:
        self._tables = tables_of(folder)
        self._plan = plan

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Need no lesson."""

    def read(self, frame: Frame) -> Observation:
        """Return what was planned, else what is true."""
        table = self._tables.get(frame.name)
        found = self._plan.get(frame.name, plainly(table) if table else UNCLEAR)
        return Observation(frame.name, found.status, found.places, reason=found.reason)

    def set_reference(self, frame: str, table: Table) -> None:
        """Compare nothing."""


def glimpse(path: Path) -> Frame:
    """Return a picture of next to nothing, which is all that eyes with a plan need."""
    return (
        Frame(path.name, np.zeros((48, 64, 3), np.uint8), 0.0)
        if path.exists()
        else load_frame(path)
    )


Play = Callable[..., FilmTally]


@pytest.fixture(name="play")
def _play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return what plays a recording before eyes with a plan."""

    def play(folder: Path = SHIPPED, *, is_timed: bool = False, **plan: Observation) -> FilmTally:
        eyes = Planned(folder, {f"{name[1:]}.jpg": seen for name, seen in plan.items()})
        monkeypatch.setattr(film_evaluation, "open_reader", lambda *_: eyes)
        monkeypatch.setattr(film_evaluation, "load_frame", glimpse)
        return evaluate_film(load_recording(folder), None if is_timed else AsRecorded())

    return play


def counts(tally: FilmTally) -> dict[str, int]:
    """Return what is not as in a game in which all goes well."""
    names = ("missed", "tapped", "asked", "astray", "wrong", "alarms", "believed", "stuck")
    found = {name: getattr(tally, name, tally.moves - tally.right) for name in names}
    return {name: count for name, count in found.items() if count}


def seen_in(number: int) -> Observation:
    """Return a picture of what lies in picture *number* of the shipped round."""
    return plainly(tables_of(SHIPPED)[f"{number:03}.jpg"])


def test_a_game_that_is_followed_is_right(play: Play) -> None:
    """Every move by itself, the end as recorded, each settled picture timed but the start's."""
    tally = play(is_timed=True)
    assert counts(tally) == {}
    assert (tally.games, tally.moves, tally.right, tally.as_recorded) == (1, 22, 22, 1)
    assert (tally.by_itself, len(tally.ratios), len(tally.judging)) == (1.0, 22, 22)


def test_a_move_unseen_in_one_picture_is_found_by_the_next_look(play: Play) -> None:
    """The pair is called illegal at first, which is no false alarm, and taken with the third."""
    assert counts(play(_005=UNCLEAR)) == {}


def test_moves_unseen_for_two_pictures_are_entered_and_missed(play: Play) -> None:
    """Two moves are missing, then the game goes on as if nothing had been."""
    tally = play(_005=UNCLEAR, _008=UNCLEAR)
    assert counts(tally) == {"missed": 2}
    assert tally.as_recorded == 1
    assert any("008.jpg: missed up2 eepo, up2 eepo: " in fault for fault in tally.faults)


def test_what_is_missed_at_the_end_is_missed(play: Play) -> None:
    """No later picture helps, but the host does."""
    tally = play(_051=UNCLEAR)
    assert counts(tally) == {"missed": 1}
    assert tally.as_recorded == 1


def test_a_move_that_was_not_made_is_wrong_at_once(play: Play) -> None:
    """Seen once, taken back by the host: the true move counts as found, the mistake is counted."""
    names = list(seen_in(1).places)
    names[3], names[4] = names[4], names[3]
    mistaken = Observation("", Status.OK, tuple(names))
    tally = play(_002=mistaken)  # before anybody has moved
    assert tally.wrong == 1
    assert tally.right == 22
    assert "002.jpg: believed " in tally.faults[0]


def test_a_take_back_that_was_none_is_wrong(play: Play) -> None:
    """The table before the last move is seen once more."""
    assert play(_009=seen_in(5)).wrong == 1


def test_a_question_is_answered_truly_and_counted(play: Play) -> None:
    """Two plays whose middle nobody saw, and the third unseen, too: somebody has to tap."""
    tally = play(_005=UNCLEAR, _008=seen_in(8), _010=seen_in(8), _012=seen_in(12))
    assert tally.wrong == 0
    assert tally.right + tally.asked >= 20


def test_a_legal_table_called_illegal_is_an_alarm(play: Play) -> None:
    """One move from the table before, but seen as something else altogether."""
    tally = play(_005=seen_in(40))
    assert tally.alarms == 1
    assert tally.wrong == 0


def test_illegal_tables_are_counted_by_what_is_said_of_them(play: Play) -> None:
    """Named, not named, or believed."""
    game = load_ground_truth(load_recording(CARDS))
    _, second = (scene.name[:3] for scene in game.scenes if scene.is_illegal)
    tally = play(CARDS)
    assert (tally.illegal, tally.named, tally.believed) == (2, 2, 0)
    assert counts(tally) == {}
    tally = play(CARDS, **{f"_{second}": UNCLEAR})
    assert (tally.illegal, tally.named, tally.believed) == (2, 1, 0)


def test_an_illegal_table_taken_for_a_legal_one_is_believed(play: Play) -> None:
    """Counted, taken back by the host, and the game goes on."""
    game = load_ground_truth(load_recording(CARDS))
    at, illegal = next((at, it) for at, it in enumerate(game.scenes) if it.is_illegal)
    before = game.positions[game.shown(at)].table
    assert before[1] == "pink 1"  # another 1 may go onto it, but nobody lays one
    seen = plainly((before[0], "orange 1", *before[2:]))
    tally = play(CARDS, **{f"_{illegal.name[:3]}": seen})
    assert (tally.believed, tally.wrong, tally.as_recorded) == (1, 0, 1)


def test_a_card_that_no_picture_shows_is_told() -> None:
    """One whose picture is lost and that is covered: it counts for nothing, missed or right."""
    game = load_ground_truth(load_recording(CARDS))
    shown = [scene.name for scene in game.scenes if scene.moves]
    lost = game.without_pictures(shown[2:3])
    told = [step for step, was in zip(lost.steps, game.steps, strict=True) if step != was]
    assert all(step.by == "hand" and step.is_move for step in told)
    few = [step for step in game.without_pictures(shown).steps if step.by is None and step.is_move]
    assert len(few) <= 4  # at most one on each pile can still be seen at the end
    line = load_ground_truth(load_recording(SHIPPED))
    assert line.without_pictures([scene.name for scene in line.scenes]) is line


@pytest.mark.parametrize("name", recordings())
@pytest.mark.slow(keep=["tiki_topple"])
def test_a_recording_that_ships_is_refereed_to_its_end(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """By the real eyes: every move, no question, every illegal table named, the end as recorded."""
    assert main(["evaluate", str(recordings()[name])]) == 0
    cells = [cell.strip() for cell in capsys.readouterr().out.splitlines()[-1].split("|")[1:-1]]
    game, games, refused, moves, right, missed, asked, wrong, share, illegal, named = cells[:11]
    assert (game, games, refused) == (name, "1", "0")
    assert (missed, asked, wrong, share) == ("0", "0", "0", "100.0%")
    assert moves == right != "0"
    assert illegal == named
    assert cells[11:15] == ["0", "0", "1", "0"]  # believed, false alarms, as recorded, stuck


def copied(folder: Path, source: Path = SHIPPED) -> Path:
    """Return a copy of *source* that may be spoilt."""
    shutil.copytree(source, folder)
    return folder


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda truth: truth[: truth.index('"020.jpg"') - 20], "is not JSON"),
        (lambda truth: "\n".join(truth.splitlines()[:20]), "has no line for 020.jpg"),
        (lambda _: None, "the truth is needed"),
        (lambda truth: truth.replace('"card": "up3", ', "", 1), "lacks or mistakes 'card'"),
        (
            lambda truth: truth.replace('"card": "up3"', '"card": "up1"', 1),
            "the true game cannot be played",
        ),
    ],
    ids=["cut", "short", "gone", "no card", "illegal"],
)
def test_a_spoilt_truth_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    spoil: Callable[[str], str | None],
    words: str,
) -> None:
    """What is wrong, where, status 1, no table."""
    truth = copied(tmp_path / "game") / "truth.jsonl"
    spoilt = spoil(truth.read_text())
    truth.unlink()
    if spoilt is not None:
        truth.write_text(spoilt)
    for more in ([], ["--altered", "1-2"]):
        assert main(["evaluate", str(tmp_path), *more]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert_one_line(captured.err, words)


def test_a_missing_picture_is_counted_and_the_rest_is_played(
    play: Play, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Exit status 1, and the game comes to its end."""
    play()  # by eyes that see what is true from then on
    folder = copied(tmp_path / "game")
    (folder / "008.jpg").unlink()
    assert main(["evaluate", str(folder), "--faults"]) == 1
    printed = capsys.readouterr().out
    assert "1 pictures could not be decoded." in printed
    assert "008.jpg" in printed
    cells = [cell.strip() for cell in printed.splitlines()[2].split("|")[1:-1]]
    assert (cells[3], cells[7], cells[13]) == ("22", "0", "1")


def scenes_of(folder: Path) -> tuple[Recording, Any]:
    """Return a recording and its scenes."""
    recording = load_recording(folder)
    return recording, load_scenes(recording)


def test_a_film_is_the_same_again_from_its_number_and_name() -> None:
    """Which pictures are lost, and every pixel of the others."""
    recording, scenes = scenes_of(CARDS)
    picture = load_frame(recording.path("001.jpg")).picture
    one, same, other = (FilmVariation(scenes, "a", number) for number in (3, 3, 4))
    assert one.lost == same.lost != other.lost
    assert (one.film("001.jpg", picture) == same.film("001.jpg", picture)).all()


def test_neither_the_start_nor_the_end_is_lost() -> None:
    """Nor the picture that teaches; of the others about as many as is said."""
    _, scenes = scenes_of(SHIPPED)
    settled = [scene.name for scene in scenes if scene.is_settled]
    lost = [FilmVariation(scenes, "a", number).lost for number in range(100)]
    kept = {"000.jpg", settled[0], *settled[-2:]}
    assert not any(kept & each for each in lost)
    share = sum(len(each & set(settled)) for each in lost) / (100 * (len(settled) - 3))
    assert 0.12 < share < 0.18
    hands = [scene.name for scene in scenes[1:] if not scene.is_settled]
    assert 0.45 < sum(len(each & set(hands)) for each in lost) / (100 * len(hands)) < 0.55


def test_conditions_last_for_the_whole_film_but_grain_does_not() -> None:
    """The same picture at two times before anything changes differs by noise alone."""
    recording, scenes = scenes_of(SHIPPED)
    picture = load_frame(recording.path("001.jpg")).picture
    films = [FilmVariation(scenes, "a", number) for number in range(60)]
    steady = next(film for film in films if film.names == ("corners",))
    assert (steady.film("001.jpg", picture) == steady.film("003.jpg", picture)).all()
    assert not (steady.film("001.jpg", picture) == steady.film("051.jpg", picture)).all()
    noisy = next(film for film in films if film.names == ("noise",))
    early, later = (noisy.film(name, picture).astype(float) for name in ("001.jpg", "003.jpg"))
    grain = [(each - picture).std() for each in (early, later)]
    assert grain[0] == pytest.approx(grain[1], rel=0.05)
    assert abs(early - later).std() > grain[0] / 2


def test_a_game_filmed_otherwise_is_summed_untimed(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    """One film for each number."""
    play(CARDS)  # by eyes that see what is true from then on
    main(["evaluate", str(CARDS), "--altered", "3-3", "--faults"])
    cells = [cell.strip() for cell in capsys.readouterr().out.splitlines()[2].split("|")[1:-1]]
    assert cells[:2] == ["tippi_toppi", "1"]
    assert cells[-3:] == ["-", "-", "-"]
    assert int(cells[3]) > int(cells[2]) / 2


def test_a_folder_of_folders_is_counted_as_json(
    play: Play, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A line for each game, and one for all of them."""
    play()  # by eyes that see what is true from then on
    for name in ("judge/a", "develop/b"):
        copied(tmp_path / name)
    assert main(["evaluate", str(tmp_path), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["game"], line["games"]) for line in lines] == [("tiki_topple", 2), ("all", 2)]
    for line in lines:
        assert (line["wrong"], line["alarms"], line["named"]) == (0, 0, line["illegal"])
        assert line["right"] == line["moves"]
        assert 0.0 <= line["ratios"]["median"] <= line["ratios"]["95"]


def test_a_folder_without_games_has_no_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Single pictures are counted in a table."""
    folder = copied(tmp_path / "game")
    session = json.loads((folder / "session.json").read_text("utf-8"))
    del session["replay"]
    (folder / "session.json").write_text(json.dumps(session), "utf-8")
    assert main(["evaluate", str(folder), "--json"]) == 1
    assert_one_line(capsys.readouterr().err, "there is no whole game in")


def test_a_game_without_its_actions_is_refused() -> None:
    """An action that the list has not is named with its picture."""
    recording = load_recording(CARDS)
    assert recording.replay is not None
    recording.replay["actions"].pop()
    with pytest.raises(BadRecording, match="is not in its place among the 'actions'"):
        load_ground_truth(recording)
