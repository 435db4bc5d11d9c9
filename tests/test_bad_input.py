"""What does not belong here, from people and sensors: one line, and nothing lost."""

import asyncio
import random
import re
from functools import cache
from html import unescape
from typing import Final

import pytest

from companion.devices.sensor_adapter import SensorAdapter
from companion.referee.facts import TimeFact
from companion.referee.live_session import LiveSession
from companion.registry import GAMES, game_of
from companion.rules.base import InvalidAction, RulesError
from companion.session.log import Log
from hardware.facts import Fact, TowerMoved
from hardware.simulated_sensors import SimulatedSensors
from tests.enterable import enterable
from tests.onlookers import ENTRANCES, PLAY, answer_to, mark_for
from tests.referee.entering import SPUN, TO_SPIN, acts, handle, press, said, sit, tell, tower
from tests.tables import open_log
from tests.unharmed import assert_one_line, nothing_changes, play_on
from tests.web.games import FIRST, open_game, seats_of, somebodys_turn
from tests.web.visitors import Pub, Visitor, open_pub

SEATS = ("/enter", PLAY)
HOSTS = tuple(path for path in ENTRANCES if path != PLAY)
"""Where each of them may enter something."""


def table_of(game: str, *actions: str) -> LiveSession:
    """Return a session of *game* in its middle, at which *actions* have been entered too."""
    live_session = somebodys_turn(game).live_session
    tell(live_session, *actions)
    return live_session


@cache
def words_of(game: str) -> tuple[str, ...]:
    """Return an action of *game* for each of its verbs that a random game comes upon."""
    found: dict[tuple[str, int], str] = {}
    for seed in range(3):
        live_session, rng = open_game(game), random.Random(seed)
        for _ in range(120):
            for action in enterable(live_session):
                found.setdefault((action.split()[0], len(action.split())), action)
            if not play_on(live_session, rng):
                break
    return (*FIRST.get(game, ()), *found.values())


def assert_folds_alike(live_session: LiveSession, log: Log) -> None:
    """Fail unless a restart finds the same game in *log*."""
    again = LiveSession(log, live_session.header)
    assert again.resumed
    assert again.session.state == live_session.session.state
    assert [*again.session.history.acts] == [*live_session.session.history.acts]


async def answers_to(visitor: Visitor, pub: Pub, action: str) -> dict[str, str]:
    """Return what *visitor* is answered who enters *action*, by where."""
    return {
        path: await answer_to(visitor, path, {"action": action, "mark": mark_for(pub, path)})
        for path in ENTRANCES
    }


def refusal_of(answer: str) -> str:
    """Return the sentence in which a page or the interface refuses."""
    found = re.search(r'"error":"(.*)"}|role="alert"[^>]*>([^<]+)<', answer)
    assert found, answer[:200]
    return unescape(found[1] or found[2])


# People.


@pytest.mark.parametrize("game", GAMES)
def test_no_action_of_another_game_is_taken(game: str) -> None:
    """Whatever verb it has the referee refuses it in one line; so do desk, seat and `tiki tell`."""
    turn = somebodys_turn(game)
    pub = open_pub(turn.live_session)
    host, seat = pub.host(), pub.player(turn.seat)
    with nothing_changes(pub.live_session):
        for other in (each for each in GAMES if each != game):
            foreign = [action for action in words_of(other) if not is_known(game, action)]
            for action in foreign:
                with pytest.raises(InvalidAction) as caught:
                    pub.live_session.referee.enter(action)
                assert_one_line(str(caught.value))
            for visitor in (host, seat):
                for path, answer in asyncio.run(answers_to(visitor, pub, foreign[-1])).items():
                    if path not in (SEATS if visitor is seat else HOSTS):
                        assert answer.startswith("403 "), (path, foreign[-1])
                        continue
                    assert answer.startswith(("409 ", "400 ")), (path, foreign[-1])
                    assert_one_line(refusal_of(answer))


def is_known(game: str, action: str) -> bool:
    """Tell whether *game* has such an action too."""
    try:
        game_of(game).rules.parse_action(action)
    except InvalidAction:
        return False
    return True


@pytest.mark.parametrize("game", GAMES)
def test_a_word_that_two_games_share_is_judged_by_the_one_that_is_on(game: str) -> None:
    """Taken where it is among what may be entered, refused by the rules where it is not."""
    others = (words_of(other) for other in GAMES if other != game)
    for action in {action for words in others for action in words if is_known(game, action)}:
        live_session = table_of(game)
        if action in enterable(live_session):
            tell(live_session, action)
            assert acts(live_session)[-1] == action
            continue
        with nothing_changes(live_session), pytest.raises(RulesError) as caught:
            tell(live_session, action)
        assert_one_line(str(caught.value))


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_may_never_tap_what_is_anothers(game: str) -> None:
    """At some moments of a random game, each offer, by each seat whose business it is not."""
    rng, pub = random.Random(7), open_pub(open_game(game))
    players = [pub.player(seat) for seat in range(seats_of(game))]
    refused = 0
    for _ in range(12):
        referee = pub.live_session.referee
        offers = enterable(pub.live_session)
        for seat, player in enumerate(players):
            theirs = [action for action in offers if not referee.may_enter(seat, action)]
            for action in rng.sample(theirs, min(2, len(theirs))):
                form = {"action": action, "mark": pub.live_session.session.next_seq, "back": "seat"}
                with nothing_changes(pub.live_session):
                    answer = asyncio.run(answer_to(player, "/enter", form))
                assert answer.startswith("403 ")
                assert_one_line(refusal_of(answer))
                refused += 1
        if not play_on(pub.live_session, rng):
            break
    assert refused


@pytest.mark.parametrize(
    ("game", "before", "action", "words"),
    [
        ("topple", ("roll 3",), "roll 4", "the die has already been rolled"),
        ("topple", (), "topple", "the die has to be rolled first"),
        ("topple", (), "place 22 pink", "the die has to be rolled first"),
        ("uno_tiki", (), "spin 1", ""),
        ("uno_tiki", TO_SPIN, "play red-3", ""),
        ("uno_tiki", (*TO_SPIN, "spin between 1 2"), "spin 1", ""),
        ("tactiki", ("move 42 32",), "clash win", ""),
        ("tippi_toppi", (), "play green7 0", ""),
        ("tippi_toppi", (), "goal sum red 7", ""),
        ("tiki_topple", (), "up1 nani", ""),
    ],
)
def test_what_comes_too_early_or_twice_is_refused(
    game: str, before: tuple[str, ...], action: str, words: str
) -> None:
    """A second roll, a spin that nothing asked for, a move before the set-up: one line each."""
    live_session = sit(game, *before, seats=seats_of(game))
    with nothing_changes(live_session), pytest.raises(RulesError) as caught:
        tell(live_session, action)
    assert_one_line(str(caught.value))
    assert words in str(caught.value)


# Sensors.

FACTS: Final[tuple[Fact, ...]] = (
    *(tower(word) for word in ("still", "wobble", "lean", "topple")),
    tower("wobble", knocked=True),
    *(press(button, seat) for button in ("done", "uno", "me") for seat in (0, 1, 9)),
    SPUN,
    SPUN,
)


@pytest.mark.parametrize("game", GAMES)
def test_a_fact_before_the_game_has_begun_is_one_line(game: str) -> None:
    """A fall before any roll, a spin before any card, a button: said, and nothing is played."""
    for fact in FACTS:
        log = open_log()
        live_session = sit(game, log=log, seats=seats_of(game))
        state = live_session.session.state
        handle(live_session, fact)
        assert acts(live_session) == [], fact
        assert live_session.session.state == state
        assert live_session.referee.question is None
        if live_session.transient_notice is not None:
            assert_one_line(said(live_session))
        else:
            assert isinstance(fact, TowerMoved)
            assert fact.state == "still" or not live_session.has_tower
        assert_folds_alike(live_session, log)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_facts_in_any_order_leave_a_log_that_folds_to_the_same_game(game: str, seed: int) -> None:
    """At random between the moves of a random game, also the end of a time that is not running."""
    rng, log = random.Random(seed), open_log()
    live_session = sit(game, *FIRST.get(game, ()), log=log, seats=seats_of(game))
    sensor_adapter = SensorAdapter(live_session)
    for _ in range(60):
        for fact in rng.choices((*FACTS, press("undo"), press("pause")), k=rng.randint(0, 3)):
            sensor_adapter.handle(fact)
            if live_session.transient_notice is not None:
                assert_one_line(said(live_session))
        live_session.referee.on_fact(TimeFact())
        if not play_on(live_session, rng):
            break
    assert_folds_alike(live_session, log)


def test_the_same_spin_twice_counts_once() -> None:
    """The second is kept for the statistics, said, and nobody has to act again."""
    log = open_log()
    live_session = sit("uno_tiki", *TO_SPIN, log=log)
    sensor_adapter = SensorAdapter(live_session)
    sensor_adapter.handle(SPUN)
    after, state = acts(live_session), live_session.session.state
    sensor_adapter.handle(SPUN)
    assert acts(live_session) == after
    assert live_session.session.state == state
    assert_one_line(said(live_session))
    assert [entry.event.type for entry in live_session.session.entries].count("spin") == 2
    assert_folds_alike(live_session, log)


BOGUS: Final = (
    "bogus 1", "spin", "spin 1", "spin nan 2", "spin 10 inf", "spin 1e999 2", "spin ten two",
    "press", "press fly 1", "press uno", "press uno 9", "press uno -1", "press uno ²",
    "press undo 1", "topple topple", "x" * 500,
)  # fmt: skip


def test_a_fact_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    """`tiki tell --sensor` and its interface: one line, and nothing has been sensed."""
    pub = open_pub(table_of("uno_tiki"))
    told: list[Fact] = []
    seats = len(pub.live_session.header.players)
    pub.app.state.site.table.simulate = SimulatedSensors(lambda: seats, told.append).simulate
    host = pub.host()
    with nothing_changes(pub.live_session):
        for words in BOGUS:
            answer = asyncio.run(answer_to(host, "/api/tell", {"sensor": words}))
            assert answer.startswith("400 "), words
            assert_one_line(refusal_of(answer))
            assert "words are 'topple'" in answer
    assert told == []


def test_what_is_no_form_is_refused_by_the_interface() -> None:
    """JSON, a form without an action, and one that is none of ours."""
    pub = open_pub(table_of("topple"))
    host = pub.host()
    answers = (
        (host.ask("POST", "/api/tell", json={"sensor": "topple"}), 415),
        (host.ask("POST", "/api/tell", json={"type": "spin", "angle_deg": 7}), 415),
        (host.post("/api/tell", fact="topple"), 400),
        (host.ask("POST", "/api/tell", content=b"action=%ff", headers=URLENCODED), 400),
        (host.ask("POST", "/api/tell", content=b"\xff\xfe", headers=URLENCODED), 400),
    )
    with nothing_changes(pub.live_session):
        for answer, status in answers:
            assert answer.status_code == status
            assert_one_line(answer.json()["error"])


URLENCODED: Final = {"content-type": "application/x-www-form-urlencoded"}
