"""How values, actions, options and set-ups are written, in text and in JSON."""

import importlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.codec import (
    Codec,
    InvalidValue,
    flag,
    list_of,
    named,
    number,
    one_of,
    optional,
    plain,
    seat,
    square,
)
from companion.rules.notation import Choices, Kind, Notation, read_setup, require_seats
from tests.rules.tables import GAMES

COLOURS: Final = {"red": 1, "green": 2, "blue": 3}


def colour() -> Codec[int]:
    """Return the codec for a colour."""
    return named(COLOURS)


# Made in each test, not on import: `./run mutate` can try only what runs in a test.
VALUES: Final[dict[str, tuple[Callable[[], Codec[Any]], st.SearchStrategy[Any]]]] = {
    "words": (lambda: one_of(("up", "down")), st.sampled_from(("up", "down"))),
    "named": (colour, st.sampled_from(list(COLOURS.values()))),
    "number": (lambda: number(range(3, 120)), st.integers(3, 119)),
    "seat": (lambda: seat(4), st.integers(0, 3)),
    "square": (lambda: square(5), st.integers(0, 24)),
    "several": (
        lambda: list_of(colour(), "colours"),
        st.lists(st.integers(1, 3), max_size=5).map(tuple),
    ),
    "unknown": (lambda: optional(colour(), 0, "hidden"), st.integers(0, 3)),
    "left out": (lambda: optional(colour(), None), st.none() | st.integers(1, 3)),
    "after a word": (lambda: optional(seat(4), None, before="by"), st.none() | st.integers(0, 3)),
}
IN_JSON: Final = {**VALUES, "flag": (flag, st.booleans())}
SCALARS: Final = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from("0123")
)
JSON: Final = SCALARS | st.recursive(
    SCALARS,
    lambda things: st.lists(things, max_size=3) | st.dictionaries(st.text(), things, max_size=3),
    max_leaves=6,
)


@dataclass(frozen=True)
class Put:
    """A toy action with a field of each sort."""

    spot: int
    colour: int
    seat: int | None


@dataclass(frozen=True)
class Told:
    """A toy action that ends in a list."""

    seat: int
    colours: tuple[int, ...]


@dataclass(frozen=True)
class Lit:
    """A toy action whose text begins with a field."""

    colour: int
    seat: int


@dataclass(frozen=True)
class Ended:
    """A toy action without a field."""


def toy() -> Notation[Put | Told | Lit | Ended]:
    """Return how the toy actions are written."""
    return Notation[Put | Told | Lit | Ended](
        Kind(
            Put,
            "put",
            "'put 22 red', 'put 22 hidden by 2'",
            {
                "at": square(5),
                "colour": optional(colour(), 0, "hidden"),
                "seat": optional(seat(4), None, before="by", is_shown=False),
            },
        ),
        Kind(
            Told,
            "told",
            "'tell 1 red red'",
            {"seat": seat(4), "colours": list_of(colour(), "some", 1)},
        ),
        Kind(
            Lit,
            "lit",
            "'red 2'",
            {"colour": colour(), "seat": seat(4)},
            first_words=tuple(COLOURS),
        ),
        Kind(Ended, "ended", "'end'"),
    )


ACTIONS: Final = st.one_of(
    st.builds(Put, st.integers(0, 24), st.integers(0, 3), st.none() | st.integers(0, 3)),
    st.builds(Told, st.integers(0, 3), st.lists(st.integers(1, 3), min_size=1).map(tuple)),
    st.builds(Lit, st.integers(1, 3), st.integers(0, 3)),
    st.just(Ended()),
)
WORDS: Final = st.sampled_from(
    ["put", "tell", "end", "by", "22", "55", "red", "hidden", "2", "9", "", "²", "nought"]
)


def outcome_of(read: Callable[[Any], Any], thing: object) -> tuple[Any, str]:
    """Return what *read* makes of *thing*, and what it says if it refuses."""
    try:
        return read(thing), ""
    except (InvalidValue, InvalidAction) as refusal:
        return None, str(refusal)


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
def test_a_value_comes_back_from_its_text(kind: str, data: st.DataObject) -> None:
    """What was formatted parses to the same."""
    make, values = VALUES[kind]
    codec = make()
    value = data.draw(values)
    assert codec.parse(codec.format(value)) == value


@pytest.mark.parametrize("kind", IN_JSON)
@given(data=st.data())
def test_a_value_comes_back_from_its_json(kind: str, data: st.DataObject) -> None:
    """Across a line of JSON."""
    make, values = IN_JSON[kind]
    codec = make()
    value = data.draw(values)
    assert codec.from_json(json.loads(json.dumps(codec.to_json(value)))) == value


@given(thing=JSON)
def test_whatever_is_given_is_a_value_or_misspelt(thing: Any) -> None:
    """Nothing else is raised; what is taken is written as it was given."""
    for kind, (make, _) in IN_JSON.items():
        codec = make()
        value, said = outcome_of(codec.from_json, thing)
        if not said:
            assert codec.to_json(value) == thing, kind
            assert type(codec.to_json(value)) is type(thing), kind


@given(text=st.text(max_size=12))
def test_whatever_is_typed_is_a_value_or_misspelt(text: str) -> None:
    """Nothing else is raised; a text that is taken is the one that would be written."""
    for kind, (make, _) in VALUES.items():
        codec = make()
        value, said = outcome_of(codec.parse, text)
        if not said:
            assert codec.format(value) == " ".join(text.split()), kind


@given(action=ACTIONS)
def test_an_action_comes_back_from_its_text_and_its_json(action: Put | Told | Lit | Ended) -> None:
    """Both forms name the action, and each other."""
    text = toy().format_action(action)
    thing = json.loads(json.dumps(toy().action_to_json(action)))
    assert (
        toy().parse_action(text) == toy().parse_action(f"  {text.replace(' ', '  ')}\n") == action
    )
    assert toy().action_from_json(text) == toy().action_from_json(thing) == action


@given(words=st.lists(WORDS, max_size=5))
def test_a_wrong_text_is_quoted_in_one_line(words: list[str]) -> None:
    """What was given comes first, then what would be right."""
    text = " ".join(words)
    action, said = outcome_of(toy().parse_action, text)
    text = " ".join(text.split())
    if said:
        assert said.startswith(f"'{text}' is not an action; ")
        assert len(said.splitlines()) == 1
    else:
        assert toy().format_action(action) == text


@given(thing=JSON | st.dictionaries(st.sampled_from(["type", "seat", "x"]), JSON))
def test_a_wrong_object_is_refused(thing: Any) -> None:
    """No JSON raises anything else."""
    action, said = outcome_of(toy().action_from_json, thing)
    if said:
        assert "action" in said
    else:
        assert isinstance(action, Put | Told | Lit | Ended)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        (
            "put 22 rde",
            "'put 22 rde' is not an action; write it like 'put 22 red', 'put 22 hidden by 2': ",
        ),
        ("put 22 rde", ": colour is red, green or blue, not 'rde'; did you mean 'red'?"),
        ("put 22", "colour is missing"),
        ("put 55 red", "at is a row and a column, each from 0 to 4, not '55'"),
        ("put 22 red 2", "seat is by a seat number from 0 to 3, not '2'"),
        ("tell 1 red pink", "colours is some; each is red, green or blue, not 'pink'"),
        ("end now", "write it like 'end': nothing follows it"),
        ("ent", "did you mean 'end'?"),
        (
            "fly me",
            (
                "'fly me' is not an action; an action is 'put 22 red', 'put 22 hidden by 2',"
                " 'tell 1 red red', 'red 2' or 'end'"
            ),
        ),
        ("green 2 3", "write it like 'red 2': seat is a seat number from 0 to 3, not '2 3'"),
        ({"type": "put", "at": [2, 2]}, "an object with at, colour, seat; colour is missing"),
        ({"type": "told", "seat": 1, "colour": []}, "not with 'colour'; did you mean 'colours'?"),
        ({"type": "told", "seat": True, "colours": ["red"]}, "from 0 to 3, not True"),
        (
            {"type": "move"},
            (
                "an action is its text, or an object with type 'put' (at, colour, seat),"
                " 'told' (seat, colours), 'lit' (colour, seat), 'ended'"
            ),
        ),
        ({"type": ["put"]}, "an action is its text, or an object"),
    ],
)
def test_a_refusal_says_what_would_be_right(given_: Any, said: str) -> None:
    """The field, what it may be, what was given, and the nearest word."""
    with pytest.raises(InvalidAction, match=re.escape(said)):
        toy().action_from_json(given_)


@pytest.mark.parametrize("game", [rules.NAME for rules in GAMES])
def test_the_texts_that_a_game_shows_are_its_actions(game: str) -> None:
    """Each quoted text is one of the kind that shows it, and is what would be written."""
    notation = importlib.import_module(f"companion.rules.{game}.forms")._ACTIONS
    shown = {kind: re.findall(r"'([^']+)'", kind.usage) for kind in notation._by_name.values()}
    for kind, texts in shown.items():
        assert texts
        for text in texts:
            action = notation.parse_action(text)
            assert type(action) is kind.action
            assert notation.format_action(action) == text


@dataclass(frozen=True)
class Options:
    """Toy options."""

    rounds: int = 4
    tie: str = "share"


def choices() -> Choices[Options]:
    """Return how the toy options are written."""
    return Choices[Options](
        rounds=(number((0, *range(2, 10)), "0 or from 2 to 9"), "TT-12"),
        tie=(one_of(("share", "playoff")), "TT-13"),
    )


@given(rounds=st.sampled_from((0, 2, 9)), tie=st.sampled_from(("share", "playoff")))
def test_options_come_back_from_their_json(rounds: int, tie: str) -> None:
    """What is silent stays as usual."""
    options = Options(rounds, tie)
    assert choices().read(Options(7), choices().to_json(options)) == options
    assert choices().read(Options(7), {"tie": tie}) == Options(7, tie)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"rounds": 1}, "rounds is 0 or from 2 to 9, not 1 (TT-12)"),
        (
            {"tie": "plaoff"},
            "tie is share or playoff, not 'plaoff'; did you mean 'playoff'? (TT-13)",
        ),
        (
            {"ties": 1},
            "there is no option 'ties'; the options are rounds, tie; did you mean 'tie'?",
        ),
    ],
)
def test_a_wrong_option_names_its_clause(given_: dict[str, Any], said: str) -> None:
    """The option, what it may be, what was given, and the clause of the rules."""
    with pytest.raises(InvalidSetup, match=re.escape(said)):
        choices().read(Options(), given_)


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ({"first": 3}, "setup.first is a seat number from 0 to 2, not 3 (TT-1)"),
        ({"frist": 3}, "setup is an object with first, not with 'frist'; did you mean 'first'?"),
    ],
)
def test_a_wrong_set_up_says_where(setup: dict[str, Any], said: str) -> None:
    """The path to what is wrong leads from the set-up."""
    with pytest.raises(InvalidSetup, match=re.escape(said)):
        read_setup(setup, first=(optional(seat(3), 0), "TT-1"))


def test_a_set_up_may_be_silent() -> None:
    """None, nothing and null are the same."""
    fields = {"first": (optional(seat(3), 0), "TT-1")}
    assert read_setup(None, **fields) == read_setup({}, **fields) == {"first": 0}
    assert read_setup({"first": None}, **fields) == {"first": 0}
    assert read_setup({"first": 2}, **fields) == {"first": 2}


@pytest.mark.parametrize("seats", [1, 5, True, "2", None, 2.0])
def test_a_game_is_for_so_many_players(seats: object) -> None:
    """Other numbers, and what is none, are refused with the clause."""
    require_seats(2, range(2, 5), "Toy", "TT-1")
    require_seats(4, range(2, 5), "Toy", "TT-1")
    with pytest.raises(InvalidSetup, match=rf"Toy is for 2 to 4 players, not {seats!r} \(TT-1\)"):
        require_seats(seats, range(2, 5), "Toy", "TT-1")


def test_what_belongs_together_is_plain_in_json() -> None:
    """Tuples are lists, those with named fields objects, all the way down."""

    class Round(NamedTuple):
        line: tuple[str, ...]
        points: int | None

    assert plain((Round(("nani", "nui"), 3), Round((), None))) == [
        {"line": ["nani", "nui"], "points": 3},
        {"line": [], "points": None},
    ]
