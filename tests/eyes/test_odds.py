"""The odds of explanations: what is asked stands level, what is forbidden is none of these."""

from dataclasses import replace

import pytest

from companion.referee.explain import Certain
from companion.referee.live_session import LiveSession
from companion.referee.odds import Odds, reckon_odds
from companion.referee.wording import Wording
from companion.rules.tiki_topple import TIKIS
from tests.eyes.films import play_film
from tests.tables import see, see_hand, sit_down
from tests.web.lines import LOKAHI_UP
from vision.observation import Evidence

MOST = 5


def odds_of(live_session: LiveSession) -> Odds:  # type: ignore[type-arg]
    """Return the odds of the last picture; they are a posterior."""
    look = live_session.referee.look
    assert look is not None
    assert look.reckoning is not None
    odds = reckon_odds(live_session.game, look.reckoning, MOST)
    assert sum(each.share for each in odds.explanations) + odds.none + odds.rest == pytest.approx(1)
    return odds


def courses(live_session: LiveSession, odds: Odds) -> list[str]:  # type: ignore[type-arg]
    """Return what has happened by each explanation, in words."""
    words = Wording(live_session.game, live_session.header.players)
    return [words.course(each.proposal) for each in odds.explanations]


def test_what_is_accepted_is_beyond_the_mark() -> None:
    """The other explanations are far behind it, or vetoed by the very places that they miss."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    odds = odds_of(live_session)
    assert courses(live_session, odds)[0] == "Ann: Tiki Up 1 on Lokahi"
    first, *others = odds.explanations
    assert first.share > odds.accepted_from > 0.9
    assert all(each.contradicting or each.share < 0.01 for each in others)


def test_two_plays_at_once_are_none_of_these() -> None:
    """Nobody saw what lay between, so that the plain explanations have nothing to say to it."""
    live_session = sit_down()
    live_session.observe(see("1", ("nani", "lokahi", "hookipa", *TIKIS[3:])))
    odds = odds_of(live_session)
    assert odds.none > 0.99
    assert all(each.contradicting for each in odds.explanations)


def test_a_doubtful_picture_lies_between() -> None:
    """Half a place for each of two tables: nothing is accepted."""
    live_session = sit_down()
    sure = see("1", LOKAHI_UP)
    places = list(sure.places)
    for at in range(9):
        if LOKAHI_UP[at] != TIKIS[at]:
            places[at] = Evidence({LOKAHI_UP[at]: 0.6, TIKIS[at]: 0.4})
    live_session.observe(replace(sure, places=tuple(places)))
    odds = odds_of(live_session)
    assert not live_session.session.history.acts[1:]
    assert {*courses(live_session, odds)[:2]} == {"nothing happened", "Ann: Tiki Up 1 on Lokahi"}
    assert odds.explanations[0].share < odds.accepted_from


@pytest.mark.parametrize(
    ("game", "picture", "level"), [("uno_tiki", 8, 4), ("tippi_toppi", 9, 0), ("topple", 12, 0)]
)
def test_films_ask_and_forbid(game: str, picture: int, level: int) -> None:
    """Through the real readers: a Wild is asked, a forbidden play is none of these."""
    live_session = play_film(game, picture)
    odds = odds_of(live_session)
    if level:
        shares = [each.share for each in odds.explanations[:level]]
        assert max(shares) - min(shares) < 0.01
        assert odds.none < 0.05
        return
    assert odds.none > 0.95
    question = live_session.referee.question
    assert question is not None
    assert getattr(question, "clause", None)
    assert all(each.contradicting for each in odds.explanations if not each.share)


def test_another_players_arm_rules_an_explanation_out() -> None:
    """The judge accepts by it, and so the odds are of what it leaves."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    live_session.observe(see_hand("2", "near"))
    back = see("3", TIKIS)
    live_session.observe(replace(back, arms=frozenset({"near"})))
    odds = odds_of(live_session)
    assert courses(live_session, odds)[0] == "Ann took back the last move"
    assert odds.explanations[0].share > odds.accepted_from
    assert courses(live_session, odds)[1] == "Bob: Tiki Up 1 on Hookipa"
    assert odds.explanations[1].lacks_arm
    assert odds.explanations[1].share == 0.0


def test_nothing_is_reckoned_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge keeps what it had anyway, by reference; odds are made when they are asked for."""

    def fail(*_: object) -> None:
        raise AssertionError("odds were reckoned")

    monkeypatch.setattr("companion.referee.odds._kinds", fail)
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    look = live_session.referee.look
    assert look is not None
    assert look.reckoning is not None
    assert isinstance(look.reckoning.verdict, Certain)
    with pytest.raises(AssertionError, match="reckoned"):
        odds_of(live_session)
