"""A tournament, brought on by the games of its tables."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.apps.hub import tournaments
from companion.apps.hub.database import Database
from companion.apps.hub.overview import MatchView, TournamentView, read_standings, read_tournaments
from companion.apps.hub.tournaments import Impossible
from tests.hub.publishing import Table, keep, minutes, open_database

FOUR = ("Ann", "Bob", "Cem", "Dia")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Give a database that knows two tables, whose first games are over."""
    with closing(open_database(tmp_path)) as found:
        keep(found, Table().event([1, 0], [0]), Table("pub").event())
        yield found


def begin(database: Database, kind: str = "knockout", names: tuple[str, ...] = FOUR) -> None:
    """Start a tournament at noon."""
    with database.write() as session:
        tournaments.begin(session, "Cup", kind, names, minutes(0))


def assign(database: Database, number: int, name: str = "bar", at: float = 1) -> None:
    """Assign a match to a table, so many minutes after noon."""
    with database.write() as session:
        tournaments.assign(session, number, name, minutes(at))


def decide(database: Database, number: int, winner: str) -> None:
    """Let the host say who has won."""
    with database.write() as session:
        tournaments.decide(session, number, winner)


def shown(database: Database) -> TournamentView:
    """Return the newest tournament."""
    with database.read() as session:
        return read_tournaments(session)[0]


def match(database: Database, number: int) -> MatchView:
    """Return a match."""
    return next(each for of in shown(database).rounds for each in of if each.number == number)


def game(
    database: Database, at: float, *events: tuple[list[int], list[int]], **more: object
) -> Table:
    """Play a game at the bar between Ann and Dia; each event tells points and winners."""
    found = Table(session=9, players=("Dia", "ann"), mark="g", **more)  # type: ignore[arg-type]
    for scores, winners in events:
        keep(database, found.event(scores, winners, at=minutes(at)), now=minutes(at))
    return found


def test_a_match_advances_when_its_game_is_over(database: Database) -> None:
    """While it is played, the page says so; its winner is in the final then."""
    begin(database)
    assign(database, 1)
    assert match(database, 1).table == "bar"
    bar = game(database, 5, ([0, 2], []))
    assert match(database, 1).is_playing
    assert match(database, 1).scores == (2, 0)
    keep(database, bar.event([3, 8], [1], at=minutes(9)), now=minutes(9))
    assert match(database, 1).winner == 1
    assert match(database, 3).names == ("Ann", "")


def test_a_move_taken_back_takes_the_winner_out_of_the_final(database: Database) -> None:
    """And whoever wins then goes on."""
    begin(database)
    assign(database, 1)
    bar = game(database, 5, ([0, 8], [1]))
    keep(database, bar.event([0, 6], kind="undo", at=minutes(6)), now=minutes(6))
    assert match(database, 3).names == ("", "")
    keep(database, bar.event([9, 6], [0], at=minutes(7)), now=minutes(7))
    assert match(database, 3).names == ("Dia", "")


def test_a_game_from_before_the_assignment_or_of_others_does_not_count(database: Database) -> None:
    """Also if it comes late; so does one at another table."""
    begin(database)
    assign(database, 1, at=30)
    late = Table(session=2, players=("Ann", "Dia"), mark="l")
    keep(database, late.event([9, 0], [0], at=minutes(10)), now=minutes(40))
    others = Table(session=3, players=("Bob", "Cem"), mark="o")
    keep(database, others.event([9, 0], [0], at=minutes(41)), now=minutes(41))
    elsewhere = Table("pub", session=3, players=("Ann", "Dia"), mark="e")
    keep(database, elsewhere.event([9, 0], [0], at=minutes(42)), now=minutes(42))
    assert match(database, 1).winner is None
    game(database, 45, ([0, 1], [1]))
    assert match(database, 1).winner == 1


def test_a_game_that_is_on_counts_once_it_is_assigned(database: Database) -> None:
    """The host may be slower than the players."""
    begin(database)
    bar = game(database, -5, ([0, 1], []))
    assign(database, 1, at=3)
    assert match(database, 1).is_playing
    keep(database, bar.event([0, 9], [1], at=minutes(8)), now=minutes(8))
    assert match(database, 1).winner == 1


def test_a_knockout_that_is_drawn_goes_on_with_the_next_game(database: Database) -> None:
    """Nobody is out until somebody has won."""
    begin(database)
    assign(database, 1)
    bar = game(database, 5, ([5, 5], [0, 1]))
    assert match(database, 1).winner is None
    bar.begin()
    keep(database, bar.event([1, 0], [0], at=minutes(20)), now=minutes(20))
    assert match(database, 1).winner == 4


def test_a_league_counts_a_draw(database: Database) -> None:
    """A point for each."""
    begin(database, "league", ("Ann", "Dia", "Eva"))
    number = next(
        each.number for of in shown(database).rounds for each in of
        if set(each.names) == {"Ann", "Dia"}
    )  # fmt: skip
    assign(database, number)
    game(database, 5, ([5, 5], [0, 1]))
    assert match(database, number).is_drawn
    assert [line.points for _, line in shown(database).lines] == [1, 1, 0]


def test_a_resumed_game_goes_on_being_the_match(database: Database) -> None:
    """What was put away is played to its end under another number."""
    begin(database)
    assign(database, 1)
    bar = game(database, 5, ([0, 2], []))
    bar.begin(resumes=9)
    keep(database, bar.event([0, 2], at=minutes(5)), now=minutes(30))
    keep(database, bar.event([7, 2], [0], at=minutes(31)), now=minutes(31))
    assert match(database, 1).winner == 4


def test_a_winner_is_out_of_the_final_once_the_game_is_reopened(database: Database) -> None:
    """Its next session takes the result back, and tells another one; no game counts twice."""
    begin(database)
    assign(database, 1)
    bar = game(database, 5, ([0, 8], [1]))
    assert match(database, 3).names == ("Ann", "")
    bar.begin(resumes=9)
    copied = keep(database, bar.event(at=minutes(5)), now=minutes(30))
    assert copied.standings
    keep(database, bar.event([0, 6], kind="undo", at=minutes(30)), now=minutes(30))
    assert match(database, 3).names == ("", "")
    keep(database, bar.event([9, 6], [0], at=minutes(31)), now=minutes(31))
    assert match(database, 3).names == ("Dia", "")
    with database.read() as session:
        won = {line.name.casefold(): line.won for line in read_standings(session) if line.won}
    assert won == {"ann": 1, "dia": 1}  # Ann's is another game


def test_what_the_host_decides_stays(database: Database) -> None:
    """Until the host opens it again."""
    begin(database)
    assign(database, 1)
    bar = game(database, 5, ([0, 2], []))
    decide(database, 1, "4")
    keep(database, bar.event([0, 9], [1], at=minutes(6)), now=minutes(6))
    assert (match(database, 1).winner, match(database, 1).by_hand) == (4, True)
    assert match(database, 3).names == ("Dia", "")
    decide(database, 1, "")
    assert match(database, 3).names == ("", "")
    keep(database, bar.event([0, 9], [1], kind="closed", at=minutes(7)), now=minutes(7))
    assert match(database, 1).winner == 1


def test_a_whole_knockout_has_a_champion(database: Database) -> None:
    """Decided by hand; then nothing is open."""
    begin(database, names=("Ann", "Bob", "Cem"))
    for number, winner in ((2, "3"), (3, "3")):
        decide(database, number, winner)
    assert shown(database).champion == "Cem"


@pytest.mark.parametrize(
    ("kind", "names", "words"),
    [
        ("knockout", ("Ann",), "You entered 1 players; a tournament of this kind takes 2 to 64"),
        (
            "league",
            tuple(map(str, range(17))),
            "You entered 17 players; a tournament of this kind takes 2",
        ),
        ("knockout", ("Ann", "ann"), "ann is in the list twice"),
        ("swiss", FOUR, "is either a knockout or a league"),
        ("league", ("x" * 41, "y"), "at most 40 characters"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(
    database: Database, kind: str, names: tuple[str, ...], words: str
) -> None:
    """In one sentence, and the one before goes on."""
    begin(database)
    with pytest.raises(Impossible, match=words):
        begin(database, kind, names)
    assert not shown(database).is_over


def test_what_cannot_be_led_is_refused(database: Database) -> None:
    """Unknown matches and tables, matches without players, a table that has another match."""
    begin(database)
    for number, name, words in (
        (77, "bar", "match does not exist"),
        (1, "cellar", "knows no table called “cellar”"),
        (3, "bar", "not known yet who plays"),
    ):
        with pytest.raises(Impossible, match=words):
            assign(database, number, name)
    assign(database, 1)
    with pytest.raises(Impossible, match="Another match is being played at bar"):
        assign(database, 2)
    assign(database, 1, "")
    assign(database, 2)
    for number, winner in ((1, "2"), (1, "draw"), (3, "1"), (1, "x")):
        with pytest.raises(Impossible, match="cannot end like that"):
            decide(database, number, winner)
    with database.write() as session:
        tournaments.end(session, 1)
    with pytest.raises(Impossible, match="is over"):
        assign(database, 1)
    assert shown(database).is_over
