"""What the eyes show is the same to the byte in two games that differ in a secret alone."""

import random
from collections.abc import Mapping
from typing import Any, Final

import pytest

from companion.apps.eyes.explanations import explanations_of
from companion.apps.eyes.regions import eyes_regions
from companion.referee import odds
from companion.referee.clerk import Look
from companion.referee.live_session import LiveSession
from companion.web.site import Visitor
from tests.onlookers import OWNER, differing, open_known_pub
from tests.secret_games import MOST, WAYS, write_script
from vision.observation import EMPTY, Evidence, Observation, Reason, Status

SEEDS: Final = 2
EVERY: Final = 4
"""After so many actions a picture comes."""
MOST_KINDS: Final = 4
LOOKERS: Final = {"host": Visitor((), True, None, None), "seat 0": Visitor((), False, 0, None)}


def doubtful(live_session: LiveSession, frame: str, rng: random.Random) -> Observation:
    """Return a picture that shows the table half, and what may lie there next half.

    It is the same in both games: what may come next is taken as a bystander knows it.
    """
    game, state = live_session.game, live_session.session.state
    shown = game.shown(state)
    plays = [*game.plays(game.rules.seen_by(state, None))]
    chosen = rng.sample(plays, min(MOST_KINDS, len(plays)))
    places = []
    for place, content in enumerate(shown):
        names = [content or EMPTY, *(play.table[place] or EMPTY for play in chosen)]
        shares: dict[str, float] = {}
        for name in names:
            shares[name] = shares.get(name, 0.0) + 1 / len(names)
        places.append(Evidence(shares))
    return Observation(frame, Status.UNSETTLED, tuple(places), reason=Reason.UNCLEAR)


def see_alike(way: str, seed: int, patch: pytest.MonkeyPatch) -> list[list[Any]]:
    """Return what the eyes show in two games that differ in a secret, picture by picture.

    Nothing is accepted by the pictures, so that both games go on as the script has it.
    """
    rng, kept = random.Random(seed), WAYS[way]
    twins = kept.twins(rng)
    script = write_script(rng, kept, twins, MOST[kept.game])
    pubs = []
    for secret in twins:
        pub = open_known_pub(kept.live_session(secret), patch)
        kept.enter(pub.player(0), kept.neighbour)
        kept.enter(pub.player(OWNER), secret)
        pubs.append(pub)
    found: list[list[Any]] = [[], []]
    for number, action in enumerate(script.actions):
        for pub in pubs:
            pub.live_session.referee.enter(action)
        if number % EVERY:
            continue
        picture = doubtful(pubs[0].live_session, f"{number}.jpg", rng)
        for pub, seen in zip(pubs, found, strict=True):
            site, live_session = pub.app.state.site, pub.live_session
            sight, judge = live_session.referee._clerk.sight, live_session.referee._judge
            sight.newest, sight.look = picture, Look(picture, judge._reckon(picture))
            live_session.changed()
            bars = explanations_of(site, sight.look).bars
            assert len(bars) > 1
            seen.append({who: eyes_regions(site, looker) for who, looker in LOOKERS.items()})
    return found


def tell_difference(mine: Mapping[str, str], yours: Mapping[str, str]) -> str:
    """Return the first line in which two pages differ."""
    for name in differing(mine, yours):
        for one, other in zip(mine[name].splitlines(), yours[name].splitlines(), strict=False):
            if one != other:
                return f"{name}: {one!r} is not {other!r}"
    return ""


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow(keep=["[tiki_topple-0", "[tactiki, both-0", "[tippi_toppi-1", "[uno_tiki-0"])
def test_the_eyes_tell_no_secret(way: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks, hands and secret cards: bars, places, witnesses, lights and scores are the same."""
    one, other = see_alike(way, seed, monkeypatch)
    assert len(one) > 3
    for mine, yours in zip(one, other, strict=True):
        assert all(mine["host"].values())
        for who, pieces in mine.items():
            assert not differing(pieces, yours[who]), tell_difference(pieces, yours[who])


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the odds of what the companion itself thinks possible, known ranks show."""
    monkeypatch.setattr(odds, "_public_candidates", lambda _game, reckoning: reckoning.candidates)
    leaks = 0
    for way in ("tactiki", "tippi_toppi", "uno_tiki"):
        one, other = see_alike(way, 0, monkeypatch)
        leaks += one != other
    assert leaks
