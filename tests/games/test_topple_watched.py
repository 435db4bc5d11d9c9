"""Topple before a camera: from the empty board on, and how it falls."""

from collections.abc import Mapping
from typing import Any

import pytest

from companion.film.prompting import Prompter
from companion.games.topple.pages import tilt_words
from companion.recording import load_recording, load_script, replay_header
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask, Illegal
from companion.rules import topple
from companion.table.readers import reader_setup_of
from tests.games.topple_falls import FALLEN, PLACING, fallen
from tests.referee.entering import acts, handle, press, said, sit, tell, tower
from tests.tables import open_log, see_table, told
from tests.vision.shipped import FOLDER, START, description_of, layout_of, shot_of, shots_of
from vision.capture.frame import Picture
from vision.columns.reference_colours import ColourModelSet
from vision.columns.tower_reader import TowerReader
from vision.observation import EMPTY, Observation, Status, Tilted


def untaught() -> TowerReader:
    """Return a reader that was shown the empty board and nothing else."""
    reader = reader_setup_of("topple").open_reader(description_of("topple"))
    assert isinstance(reader, TowerReader)
    reader.calibrate(shot_of("topple", START).frame, {"cells": [[[]] * 5] * 5})
    return reader


def watch(reader: TowerReader) -> tuple[LiveSession, list[tuple[str, Illegal | Ask]]]:
    """Return the session that has seen the shipped game, and the questions that came up by frame.

    Fails if anything is named otherwise than it truly is.
    """
    recording = load_recording(FOLDER / "topple")
    header, _ = replay_header(recording)
    live_session = LiveSession(open_log(), header)
    live_session.on_accepted_frame.add(reader.set_reference)
    prompter = Prompter(live_session, load_script(recording))
    questions: list[tuple[str, Illegal | Ask]] = []
    for shot in shots_of("topple"):
        before = live_session.referee.question
        observation = reader.read(shot.frame)
        if observation.reading is not None:
            assert shot.is_settled
            assert tuple(place.best for place in observation.places) == shot.table
        live_session.observe(observation)
        asked = live_session.referee.question
        if asked is not None and asked is not before:
            questions.append((shot.frame.name, asked))
        prompter.pass_frame(shot.frame.name)
    assert [*prompter.not_entered()] == []
    return live_session, questions


def test_the_shipped_game_is_followed_from_the_empty_board_to_its_end() -> None:
    """Paints are learned by and by, from the first pieces that are believed to lie there.

    Every action is the recorded one, and the illegal tables are told and no others.
    """
    replay: dict[str, Any] = description_of("topple")["replay"]
    live_session, questions = watch(untaught())
    assert acts(live_session) == replay["actions"]
    assert list(live_session.game.scores(live_session.session.state)) == replay["final_scores"]
    ends = [spot for row in replay["final_cells"] for spot in row]
    players = replay["players"]
    assert [[players[who] for who in column] for column in live_session.session.state.cells] == ends
    wrong = [shot.frame.name for shot in shots_of("topple") if shot.row.get("illegal")]
    assert wrong
    assert [frame for frame, _ in questions] == wrong
    clauses = [asked.clause for _, asked in questions if isinstance(asked, Illegal)]
    assert clauses == ["TO-2", "TO-4"]


def test_each_paint_is_learned_once_from_the_first_piece_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A paint that was never seen looks as it usually does until then; none is green here."""
    learned: list[set[str]] = []
    learn = ColourModelSet.learn

    def note(models: ColourModelSet, samples: Mapping[int, Picture]) -> None:
        learned.append({layout_of("topple").colours[index] for index in samples})
        learn(models, samples)

    monkeypatch.setattr(ColourModelSet, "learn", note)
    reader = untaught()
    for shot in [shot for shot in shots_of("topple") if shot.is_settled][:10]:
        reader.read(shot.frame)
        reader.set_reference(shot.frame.name, shot.table)
    assert learned == [{"pink"}, {"yellow"}, {"blue"}]


def test_a_picture_is_compared_with_the_one_that_was_believed() -> None:
    """Its name comes with the answer; none does before anything was believed."""
    reader, shot = untaught(), shot_of("topple", "003.jpg")
    first = reader.read(shot.frame)
    assert tuple(place.best for place in first.places) == shot.table
    assert first.since == ""
    reader.set_reference(shot.frame.name, shot.table)
    again = reader.read(shot.frame)
    assert again.since == shot.frame.name
    assert tuple(place.best for place in again.places) == shot.table
    assert min(place.of(place.best) for place in again.places) > 0.9


def asked(live_session: LiveSession) -> str | None:
    """Return the question that stands."""
    question = live_session.referee.question
    return question.message if question is not None else None


def test_a_fall_that_the_camera_alone_has_seen_is_the_placers_topple() -> None:
    """TO-9: ten points, and the round is over."""
    live_session = sit("topple", *PLACING)
    live_session.observe(fallen("1"))
    assert acts(live_session) == [*PLACING, "topple"]
    assert topple.totals(live_session.session.state) == (3, -10, 0)
    assert said(live_session) == "The tower fell while Bob was placing"
    (move,) = told(live_session, "move")[-1:]
    assert (move["seat"], move["frame"], move.get("by", "")) == (1, "1", "")


@pytest.mark.parametrize("order", ["sc", "cs", "scc", "ccs", "cc", "cscs"])
def test_switch_and_camera_tell_of_one_fall(order: str) -> None:
    """Whichever comes first, and however often a picture shows the board that lies there."""
    live_session = sit("topple", *PLACING)
    for number, who in enumerate(order):
        if who == "s":
            handle(live_session, tower("topple"))
        else:
            live_session.observe(fallen(str(number)))
    assert acts(live_session) == [*PLACING, "topple"]
    assert topple.totals(live_session.session.state) == (3, -10, 0)
    assert live_session.referee.question is None
    assert said(live_session) == "The tower fell while Bob was placing"


def test_a_knock_is_no_second_fall_either() -> None:
    """Who knocked it over has said so, and then the camera sees it."""
    live_session = sit("topple", *PLACING)
    handle(live_session, tower("topple"), press("me", 2))
    live_session.observe(fallen("1"))
    assert acts(live_session) == [*PLACING, "knock 2"]
    assert live_session.referee.question is None
    assert said(live_session) == "Cem knocked it over"


def test_a_fall_between_turns_asks_who_knocked_it_over() -> None:
    """TO-10: nobody is blamed by the camera; whoever presses "it was me" settles it."""
    live_session = sit("topple", *PLACING[:2])
    for frame in "12":
        live_session.observe(fallen(frame))
        assert asked(live_session) == "Who made it fall?"
    assert acts(live_session) == [*PLACING[:2]]
    handle(live_session, press("me", 2))
    assert acts(live_session) == [*PLACING[:2], "knock 2"]
    assert live_session.referee.question is None


def test_who_made_it_fall_is_asked_until_somebody_answers() -> None:
    """Pictures of a tower that still stands do not answer it."""
    live_session = sit("topple", *PLACING[:2])
    table = [EMPTY] * 25
    table[10] = "pink 1"
    live_session.observe(see_table("1", table))
    live_session.observe(fallen("2"))
    live_session.observe(see_table("3", table))
    assert asked(live_session) == "Who made it fall?"
    assert live_session.referee.choose(2)
    assert acts(live_session)[-1] == "knock 1"


def test_a_board_without_pieces_falls_without_a_question() -> None:
    """It is moved as people put it up."""
    live_session = sit("topple")
    live_session.observe(fallen("1"))
    assert (acts(live_session), live_session.referee.question) == ([], None)
    assert said(live_session) == "The tower moved, but there are no pieces on it"


def test_a_board_that_only_tilts_is_no_event() -> None:
    """But it is kept for who wants to know."""
    live_session = sit("topple", *PLACING)
    tilted = Tilted(4.0, 90.0, False)
    live_session.observe(Observation("1", Status.OK, facts=(tilted,)))
    assert (acts(live_session), said(live_session)) == ([*PLACING], "")
    assert live_session.referee.side_observations.newest(Tilted) == tilted


def test_a_pause_holds_what_the_camera_sees_fall() -> None:
    """While paused nothing counts."""
    live_session = sit("topple", *PLACING)
    live_session.pause()
    live_session.observe(fallen("1"))
    assert acts(live_session) == [*PLACING]


def test_a_board_that_still_lies_there_is_not_the_next_players_topple() -> None:
    """Somebody rolls before it is put up again, and the camera looks once more."""
    live_session = sit("topple", *PLACING)
    live_session.observe(fallen("1"))
    tell(live_session, "roll 3")
    live_session.observe(fallen("2"))
    assert acts(live_session) == [*PLACING, "topple", "roll 3"]


def test_a_fall_that_people_deny_is_not_asked_about_again() -> None:
    """Until the board was seen level in between."""
    live_session = sit("topple", *PLACING[:2])
    live_session.observe(fallen("1"))
    question = live_session.referee.question
    assert isinstance(question, Ask)
    assert question.candidates[-1].text == "Nothing fell"
    assert live_session.referee.choose(len(question.candidates) - 1)
    live_session.observe(fallen("2"))
    assert asked(live_session) is None


@pytest.mark.parametrize(
    ("deg", "towards_deg", "words"),
    [
        (0.0, 0.0, "The board is level."),
        (0.7, 123.0, "The board is level."),
        (1.0, 0.0, "The board tilts by 1° to the far side."),
        (2.3, 95.0, "The board tilts by 2.5° to the right."),
        (3.1, 180.0, "The board tilts by 3° to the near side."),
        (3.1, 269.0, "The board tilts by 3° to the left."),
        (3.1, 350.0, "The board tilts by 3° to the far side."),
    ],
)
def test_the_tilt_is_told_in_words(deg: float, towards_deg: float, words: str) -> None:
    """By half degrees, and by the side of the table to which it hangs down."""
    assert tilt_words(Tilted(deg, towards_deg, False)) == words


def test_no_tilt_is_told_of_a_board_that_fell_or_that_nobody_sees() -> None:
    """There is nothing to say."""
    assert tilt_words(None) == ""
    assert tilt_words(FALLEN) == ""
