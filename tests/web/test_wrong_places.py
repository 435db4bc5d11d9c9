"""Where the table is wrong is marked in the picture of every game's board, and by the lights."""

import re

import pytest

from companion.referee.game import EMPTY
from companion.registry import GAMES, Listed
from companion.scenes.light_patterns import light_zones
from companion.scenes.palette import DARK
from companion.scoreboard import read_scoreboard
from companion.web.pages.marks import marks_of
from hardware.zones import Zones
from tests.tables import see_table
from tests.web.visitors import Visitor, open_pub
from tests.web.wrong_tables import right_after_undo, wrong_table

SEEN = [
    ("tiki_topple", [0, 8], "data-slot"),
    ("tactiki", [12, 20], "data-spot"),
    ("topple", [3, 10], "data-spot"),
    ("tippi_toppi", [0, 3], "data-pile"),
    ("uno_tiki", [0], ""),
    ("hops", [0, 12], "data-place"),
]
"""The places that `wrong_table` has wrong, and the attribute that names a place in the picture."""
SIDE = 5


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a game that only declares its table."""
    monkeypatch.setitem(GAMES, "hops", Listed("hops", 9, "tests.hops", is_watched=True))


def marked(visitor: Visitor, name: str, mark: str) -> list[int]:
    """Return the places that are marked in the picture of a page, as *name* says which they are."""
    picture = visitor.get("/").text
    tags = [tag for tag in re.findall("<[a-z]+ [^>]*>", picture) if f" {mark}" in tag]
    found = [re.search(rf'{name}="(\d+)"', tag) if name else None for tag in tags]
    numbers = [each[1] if each else "0" for each in found]
    return [int(each, SIDE) if name == "data-spot" else int(each) for each in numbers]


@pytest.mark.parametrize(("game", "places", "name"), SEEN)
def test_a_wrong_place_is_marked_in_the_picture(game: str, places: list[int], name: str) -> None:
    """Each, and no other; once the table is right again none is."""
    pub = open_pub(wrong_table(game))
    assert sorted(marked(pub.stranger(), name, "data-wrong")) == places
    shown = pub.live_session.game.shown(pub.live_session.session.state)
    pub.live_session.observe(see_table("3.jpg", shown))
    assert marked(pub.stranger(), name, "data-wrong") == []


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, _, name in SEEN])
def test_what_has_to_follow_the_game_is_marked_otherwise(game: str, name: str) -> None:
    """It is drawn as it should be."""
    pub = open_pub(right_after_undo(game))
    question = read_scoreboard(pub.live_session).question
    assert question is not None
    assert sorted(marked(pub.stranger(), name, "data-to-do")) == list(question.slots)
    assert marked(pub.stranger(), name, "data-wrong") == []


@pytest.mark.parametrize("game", ["tactiki", "topple", "tippi_toppi", "uno_tiki", "hops"])
def test_what_lies_there_and_what_should_is_told(game: str) -> None:
    """A content "" is an empty place."""
    live_session = wrong_table(game)
    question = read_scoreboard(live_session).question
    assert question is not None
    shown = live_session.game.shown(live_session.session.state)
    for place, mark in marks_of(question).items():
        assert mark.is_wrong
        assert mark.due == ("" if shown[place] == EMPTY else shown[place])
        assert mark.seen != mark.due


def test_both_seats_of_a_board_that_is_turned_see_their_own_marks() -> None:
    """TAC looks at the board from the other side: the mark turns with the field."""
    pub = open_pub(wrong_table("tactiki"))
    for seat in (0, 1):
        assert sorted(marked(pub.player(seat), "data-spot", "data-wrong")) == [12, 20]


@pytest.mark.parametrize(
    ("game", "lit"),
    [
        ("tiki_topple", [0, 8]),
        ("tactiki", [4, 7, 8]),
        ("topple", [0, 1, 4]),
        ("tippi_toppi", [0, 1, 7, 8]),
        ("uno_tiki", [0, 1, 2, 3]),
    ],
)
def test_the_lights_beside_wrong_rows_blink(game: str, lit: list[int]) -> None:
    """Nine lights along the table: those beside a row with a wrong place, and no other."""
    board = read_scoreboard(wrong_table(game))
    strip = light_zones(board, Zones())["slots"]
    assert [light for light, colour in enumerate(strip) if colour != DARK] == lit
