"""What past games tell: who has won how often, and what stood out in one of them."""

import asyncio
import re
from typing import Any

import pytest

from companion.apps.statistics.past_games import (
    Summaries,
    Summary,
    records,
    standings,
    summary_of,
)
from companion.games.highlights import best_move
from companion.language.catalogue import LANGUAGES
from companion.referee.past import GameCourse
from companion.referee.record_reading import import_record, read_record
from companion.registry import GAMES, game_of
from companion.rules import topple
from companion.web.pages.game_pages import pages_for
from tests.referee.entering import sit
from tests.referee.played import play
from tests.referee.written_records import data_of, written
from tests.tables import sit_down
from tests.untranslated import NAMED, Marked, untranslated
from tests.web.visitors import open_pub
from tests.web.well_formed import read_page


def game(players: str, scores: tuple[int, ...], winners: tuple[int, ...], **more: Any) -> Summary:
    """Return a finished game in numbers."""
    fields: dict[str, Any] = {
        "number": 1,
        "title": "Topple",
        "rounds": (scores,),
        "steps": 20,
        "is_over": True,
        "together": False,
    }
    return Summary(
        players=tuple(players.split()), scores=scores, winners=winners, **{**fields, **more}
    )


def test_everybody_is_counted_by_name() -> None:
    """Whatever the seat and the case, one name is one person; unfinished games do not count."""
    found = standings(
        [
            game("Ann Bob", (10, 20), (1,)),
            game("bob ANN Cem", (7, 9, 30), (2,), title="Tiki Topple"),
            game("Bob Ann", (40, 1), (0,)),
            game("Ann Dia", (99, 0), (0,), is_over=False),
        ]
    )
    assert [(each.name, each.games, each.won) for each in found] == [
        ("Bob", 3, 2), ("Cem", 1, 1), ("Ann", 3, 0),
    ]  # fmt: skip
    assert found[0].averages == (("Topple", 30.0), ("Tiki Topple", 7.0))
    assert found[2].averages == (("Topple", 5.5), ("Tiki Topple", 9.0))


def test_what_stands_out_among_games() -> None:
    """The longest game and the best round of anybody; a round won together is nobody's."""
    games = [
        game("Ann Bob", (10, 20), (1,), rounds=((4, 12), (6, 8))),
        game("Ann Bob", (50, 50), (0, 1), steps=77, title="Tippi Toppi", together=True),
        game("Ann Bob", (90, 1), (), is_over=False, steps=500),
    ]
    assert [*records(games)] == [
        "The longest game had 77 steps: Tippi Toppi.",
        "The best round earned Bob 12 points: Topple.",
    ]
    assert [*records(games[2:])] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_something_that_stands_out(name: str) -> None:
    """Never more than a handful of sentences, each of which can be translated."""
    found = []
    for seed in range(4):
        live_session = play(name, seed, 120)
        course = GameCourse(live_session.session, live_session.game)
        said = list(pages_for(name).highlights(course))
        assert len(said) <= 4
        found += said
        assert summary_of(1, course).players == live_session.header.players
    assert found
    for each in found:
        assert each.endswith(".")
        assert list(untranslated(each.in_language(Marked()), NAMED)) == []
    live_session = sit(name, seats=game_of(name).seats[0])
    assert (
        len([*pages_for(name).highlights(GameCourse(live_session.session, live_session.game))]) < 2
    )


def test_the_best_move_is_the_one_that_brought_most() -> None:
    """Whoever made it, and however many points others got by it."""
    live_session = play("topple", 3, 60)
    course = GameCourse(live_session.session, live_session.game)
    history, best = live_session.session.history, (0, 0)
    for place, act in enumerate(history.acts):
        if act.seat is not None:
            before, after = (
                topple.totals(history.positions[at][0].state)[act.seat] for at in (place, place + 1)
            )
            best = max(best, (after - before, act.seat), key=lambda each: each[0])
    said = best_move(course)
    if best[0] > 0:
        assert said is not None
        assert str(best[0]) in said
    else:
        assert said is None


def test_past_games_are_counted_once_and_the_one_in_play_as_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A log with games of several kinds; what cannot be read is left out."""
    live_session = sit_down(rounds=1)
    for name in ("tiki_topple", "uno_tiki"):
        other = play(name, 1)
        lines = written(GameCourse(other.session, other.game))
        import_record(live_session.log, read_record(data_of(lines)))
    live_session.log.open_session({"game": "chess"})
    summaries = Summaries(live_session)
    found = asyncio.run(summaries.all())
    assert [(each.number, each.is_over) for each in found] == [(3, True), (2, True), (1, False)]
    monkeypatch.setattr("companion.apps.statistics.past_games.open_course", None)
    assert asyncio.run(summaries.all()) == found


def test_the_page_of_statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has played, how often and with which success; before the first game it says so."""
    live_session = sit_down(rounds=1)
    pub = open_pub(live_session)
    empty = pub.stranger().get("/games/statistics").text
    assert "No game has been finished yet" in empty
    for seed in (1, 2):
        other = play("tiki_topple", seed)
        lines = written(GameCourse(other.session, other.game))
        import_record(live_session.log, read_record(data_of(lines)))
    page = pub.stranger().get("/games/statistics")
    read_page(page.text)
    rows = re.findall(
        r'<th scope="row">(\w+)</th><td class="number">(\d+)</td><td class="number">(\d+)</td>',
        page.text,
    )
    assert {name: int(games) for name, games, _ in rows} == {"Ann": 2, "Bob": 2, "Cem": 2}
    assert sum(int(won) for *_, won in rows) >= 2
    assert "Based on 2 finished games." in page.text
    assert "The longest game had" in page.text
    monkeypatch.setattr("companion.language.speech.language_of", lambda _: Marked())
    for pages in (pub, open_pub(sit_down())):
        text = pages.stranger().get("/games/statistics").text
        assert list(untranslated(text, [*NAMED, *LANGUAGES.values(), "Tiki Topple"])) == []


def test_the_page_of_a_game_says_what_stood_out() -> None:
    """In the game's own sentences."""
    live_session = play("tactiki", 1, 60)
    page = open_pub(live_session).stranger().get("/games/1").text
    assert "The tallest column had" in page
