"""No secret of a seat is at the hub: two whole games that differ in one look alike there."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.apps.hub.published import Board, read
from companion.apps.mqtt.topics import Topics
from companion.referee.live_session import LiveSession
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from tests.hub.publishing import NOON, keep
from tests.hub.visiting import House, open_house
from tests.onlookers import OWNER, open_known_pub, publish_all
from tests.secret_games import MOST, WAYS, Kept, Script, Secret, write_script

TOPICS = Topics("tiki", "bar")


def tell_hub(
    house: House, kept: Kept, secret: Secret, script: Script, patch: pytest.MonkeyPatch
) -> LiveSession:
    """Tell the hub of the whole game in which *secret* is known, and return that."""
    live_session = kept.live_session(secret)
    pub = open_known_pub(live_session, patch)
    kept.enter(pub.player(OWNER), secret)
    if kept.neighbour:
        kept.enter(pub.player(0), kept.neighbour)
    for action in script.actions:
        live_session.referee.enter(action)
    for probe in script.probes:
        try:
            live_session.referee.enter(probe)
        except (RulesError, ReplayError):
            continue
    messages = asyncio.run(publish_all(live_session, TOPICS))
    keep(house.database, *(each for each in messages if each.topic == TOPICS.events), now=NOON)
    state = next(each.payload for each in messages if each.topic == TOPICS.state)
    house.boards["bar"] = read(Board, state)
    house.refresh()
    return live_session


def all_of(house: House) -> dict[str, str]:
    """Return all that the database has and all that the pages show, to the host as well."""
    with closing(sqlite3.connect(house.database.shown)) as raw:
        names = [
            name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        found = {
            name: repr(raw.execute(f'SELECT * FROM "{name}"').fetchall())
            for name in names
            if name != "hub"
        }
    for who, visitor in (("guest", house.stranger()), ("host", house.host())):
        for path in ("/", "/tables/bar", "/standings", "/tournament", "/api/v1/state"):
            found[f"{who} {path}"] = visitor.get(path).text
    return found


def twin_hubs(way: str, seed: int, folder: Path, patch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Return all that two hubs have that were told of games which differ in a secret alone."""
    kept, rng = WAYS[way], random.Random(seed)
    twins = kept.twins(rng)
    script = write_script(rng, kept, twins, MOST[kept.game])
    assert len(script.actions) > 4
    found = []
    for number, secret in enumerate(twins):
        (folder / str(number)).mkdir()
        with open_house(folder / str(number)) as house:
            live_session = tell_hub(house, kept, secret, script, patch)
            found.append(all_of(house))
        assert found[-1]["event"].count("'1.") >= live_session.session.next_seq - 1
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow(keep=["[tiki_topple]", "[tactiki, both]", "[uno_tiki]"])
def test_two_games_that_differ_in_a_secret_look_alike_at_the_hub(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the database, on every page and in the JSON, to the letter."""
    one, other = twin_hubs(way, 1, tmp_path, monkeypatch)
    assert one == other


def test_the_check_sees_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If tables published what a seat enters for itself, it would be here."""
    monkeypatch.setattr("companion.session.events.PRIVATE", {})
    one, other = twin_hubs("tiki_topple", 1, tmp_path, monkeypatch)
    assert one["event"] != other["event"]
