"""The referee before simulated eyes, all games: nothing wrong is believed, nobody gets stuck.

`./run bench` prints the same for many more games.
"""

import pytest

from companion.referee.evidence import Limits
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import simulate, watched

GAMES = sorted(watched())
STEPS = 15
COLUMNS = {
    "noise": Faults(doubtful=0.08, hidden=0.03),
    "lost": Faults(lost=0.2),
    "cheats": Faults(cheat=0.25),
    "take-backs": Faults(back=0.2),
    "all": Faults(doubtful=0.05, hidden=0.02, lost=0.1, cheat=0.1, back=0.1, unseen_arm=0.2),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("faults", COLUMNS)
@pytest.mark.slow(keep=["lost"])
def test_random_games_are_followed_and_nothing_wrong_is_believed(game: str, faults: str) -> None:
    """Plays seen, doubtful, doubled, taken back or forged: right, asked or refused, never wrong."""
    tally = simulate(game, 2, COLUMNS[faults], steps=STEPS)
    assert tally.plays > 0
    assert (tally.wrong, tally.believed, tally.stuck) == (0, 0, 0), tally.faults
    assert tally.right + tally.asked == tally.plays


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["topple", "tactiki"])
def test_plain_games_need_few_words(game: str) -> None:
    """With all in view hardly anything is asked, but for a Wild's colour, which no card shows."""
    tally = simulate(game, 2, Faults(entered=0.05), steps=STEPS)
    assert tally.asked <= 0.25 * tally.plays
    cheats = simulate(game, 2, Faults(cheat=0.4), steps=STEPS)
    assert cheats.named == cheats.cheats > 0


def test_the_simulation_notices_a_referee_that_believes_all_it_sees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With limits that let everything pass, wrong plays and cheats are counted."""
    gullible = Limits(odds=1.01, worst=0.0, unexplained=1e-9, contradicted=0.0)
    monkeypatch.setattr("companion.referee.observation_judge.LIMITS", gullible)
    tally = simulate("tiki_topple", 3, Faults(doubtful=0.3, mistaken=0.3, cheat=0.5))
    assert tally.wrong + tally.believed > 0
    assert tally.faults
