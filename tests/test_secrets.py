"""Whoever may not see a secret does not: two games that differ in it look alike to all others."""

import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from companion.games.tactiki.pages import PAGES
from companion.games.uno_tiki.game import UnoTiki
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from companion.rules import uno_tiki
from companion.session.events import SecretEntered
from companion.session.log import Log
from companion.web.http.keys import Keys
from companion.web.site import Site
from tests.enterable import enterable
from tests.onlookers import OWNER, Onlookers, differing, open_known_pub
from tests.secret_games import MOST, PRIVATE, WAYS, Kept, Script, Secret, other_cards, write_script
from tests.tables import NAMES

SEEDS: Final = 2
OPEN: Final = ("topple", "score_sheet")
"""The games in which nothing is secret."""


@dataclass
class Watched:
    """What others saw of one game at some moments, and what its owner did at the first."""

    seen: list[dict[str, str]]
    owner: str


def watch(
    kept: Kept,
    secret: Secret,
    script: Script,
    stops: set[int],
    patch: pytest.MonkeyPatch,
    log: pytest.LogCaptureFixture,
) -> Watched:
    """Play *script* in the game whose owner has *secret*, and look around at *stops*."""
    pub = open_known_pub(kept.live_session(secret), patch)
    onlookers = Onlookers.of(pub, log)
    owner = pub.player(OWNER)
    kept.enter(onlookers.visitors["seat 0"], kept.neighbour)
    kept.enter(owner, secret)
    found = Watched([], owner.get("/seat").text)
    for number, action in enumerate(script.actions, start=1):
        pub.live_session.referee.enter(action)
        pub.live_session.changed()
        if number in stops:
            entries = pub.live_session.session.next_seq
            seen = {**onlookers.seen(), **onlookers.probe(*script.probes)}
            assert pub.live_session.session.next_seq == entries
            found.seen.append(seen)
    return found


def watch_twins(
    way: str, seed: int, patch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> tuple[Watched, Watched]:
    """Return what others saw of two games that differ in a secret alone, at two moments."""
    rng, kept = random.Random(seed), WAYS[way]
    twins = kept.twins(rng)
    script = write_script(rng, kept, twins, MOST[kept.game])
    length = len(script.actions)
    stops = {rng.randint(1, length), length}
    one, other = (watch(kept, secret, script, stops, patch, log) for secret in twins)
    return one, other


def tell_difference(name: str, mine: Mapping[str, str], yours: Mapping[str, str]) -> str:
    """Return the first line in which two games differ at *name*."""
    lines = zip(mine[name].splitlines(), yours[name].splitlines(), strict=False)
    pair = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
    return f"{name}: {pair[0][:300]!r} is not {pair[1][:300]!r}"


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow(keep=["[tiki_topple-0", "[tactiki, both-0", "[tippi_toppi-0", "[uno_tiki-0"])
def test_two_games_that_differ_in_a_secret_look_alike_to_all_others(
    way: str, seed: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Pages, streams, MQTT, pictures, lights, sound, logging, refusals: the same to the byte."""
    one, other = watch_twins(way, seed, monkeypatch, caplog)
    for mine, yours in zip(one.seen, other.seen, strict=True):
        found = differing(mine, yours)
        assert not found, tell_difference(found[0], mine, yours)
    if WAYS[way].shows:
        assert one.owner != other.owner


def leaks(
    way: str, seed: int, patch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> set[str]:
    """Return who could tell two games apart, and where."""
    one, other = watch_twins(way, seed, patch, log)
    pairs = zip(one.seen, other.seen, strict=True)
    return {name for mine, yours in pairs for name in differing(mine, yours)}


def plant_in_feed(patch: pytest.MonkeyPatch) -> None:
    """Let the feed tell what a seat has entered for itself."""
    patch.setattr("companion.session.events.PRIVATE", {})


def plant_in_view(patch: pytest.MonkeyPatch) -> None:
    """Let everybody see the owner's hand."""
    patch.setattr(UnoTiki, "view", lambda _, state: uno_tiki.view(state, OWNER))


def plant_in_log(patch: pytest.MonkeyPatch) -> None:
    """Let the companion log what a seat enters, for whoever reads the journal."""
    own_keep = PAGES.keep

    def keep(site: Site, seat: int, form: Mapping[str, str]) -> None:
        logging.getLogger("companion.web").debug("seat %s keeps %s", seat, dict(form))
        own_keep(site, seat, form)

    patch.setattr(PAGES, "keep", keep)


@pytest.mark.parametrize(
    ("way", "plant", "where"),
    [
        ("tiki_topple", plant_in_feed, ("feed", "stranger /api/events", "mqtt tiki/table/events")),
        (
            "uno_tiki",
            plant_in_view,
            (
                "stranger /api/state",
                "host /api/state",
                "seat 0 /api/state",
                "mqtt tiki/table/state",
            ),
        ),
        ("tactiki", plant_in_log, ("logging",)),
    ],
)
def test_a_planted_leak_is_noticed(
    way: str,
    plant: Callable[[pytest.MonkeyPatch], None],
    where: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The comparison can fail, and says who could tell the games apart."""
    plant(monkeypatch)
    found = leaks(way, 0, monkeypatch, caplog)
    for place in where:
        assert any(name.startswith(place) for name in found), (place, found)


def test_every_other_game_is_among_the_ways() -> None:
    """So that no game with a secret is left out."""
    assert {kept.game for kept in WAYS.values()} == {*GAMES} - {*OPEN}


@pytest.mark.parametrize("name", OPEN)
def test_a_game_without_secrets_shows_all_of_its_state(name: str) -> None:
    """Nothing is entered unseen, due or hidden, and everybody sees the whole state."""
    rng, game = random.Random(1), game_of(name)
    live_session = Kept(name, 3, other_cards, tuple).live_session(())
    for _ in range(60):
        state = live_session.session.state
        offers = enterable(live_session)
        if not offers:
            break
        assert not {*PRIVATE} & {*type(state).__annotations__}
        assert (game.secrets_due(state), game.secrets_entered(state)) == ((), ())
        for action in offers:
            parsed = game.rules.parse_action(action)
            assert not game.is_secret(state, parsed)
            assert not game.is_kept(parsed)
            assert game.public(action) == action
        views = [game.rules.view(state, seat) for seat in (None, 0, 1, 2)]
        assert all(view == views[0] for view in views)
        live_session.referee.enter(rng.choice(offers))


@pytest.mark.parametrize("way", ["tiki_topple", "tactiki"])
def test_another_phone_at_the_owners_seat_does_not_see_what_was_entered_before(
    way: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A new link to a seat opens no secret of whoever sat there."""
    kept, rng, seen = WAYS[way], random.Random(3), []
    for secret in kept.twins(rng):
        pub = open_known_pub(kept.live_session(secret), monkeypatch)
        kept.enter(pub.player(OWNER), secret)
        for action in kept.first:
            pub.live_session.referee.enter(action)
        pub.keys.invite_anew(OWNER)
        newcomer = pub.player(OWNER)
        seen.append(Onlookers(pub, {"newcomer": newcomer}, caplog).seen())
    assert differing(*seen) == []


def test_the_log_on_disk_holds_the_secret_for_the_host_alone(tmp_path: Path) -> None:
    """A restart must know it; nobody else on that machine may read the log or the keys."""
    path = tmp_path / "games.db"
    kept, secret = WAYS["tiki_topple"], ("kapu", "nui", "nani")
    with Log(path) as log:
        header = open_header(game_of(kept.game), NAMES[:3], {}, 0)
        live_session = LiveSession(log, header)
        live_session.referee.enter_secret(OWNER, kept.probes(secret)[0])
        again = log.entries(live_session.session.number)
        assert any(isinstance(each.event, SecretEntered) for each in again)
        Keys(file=path.with_suffix(".keys.json"))
        files = sorted(tmp_path.iterdir())
        assert len(files) >= 3  # SQLite's own journal among them
        for file in files:
            assert file.stat().st_mode & 0o777 == 0o600, file
    assert b"kapu nui nani" in path.read_bytes()
