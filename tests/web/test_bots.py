"""The example bots sit at a served table, two at a time, and play whole games."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.tiki_topple import TIKIS
from companion.session.events import SecretEntered
from tests.tables import NAMES, open_log
from tests.web.serving import Served, served

BOTS = Path(__file__).parents[2] / "docs" / "bots"
LONGEST_S = 60.0
SHORT: dict[str, dict[str, Any]] = {
    "tiki_topple": {"rounds": 1, "tie": "share"},
    "tactiki": {"max_turns": 20},
    "topple": {"young": True},
}
BotProcess = subprocess.Popen[str]


def sit(game: str, *actions: str) -> LiveSession:
    """Return a short game of *game* for two at which *actions* have been entered."""
    header = open_header(game_of(game), NAMES[:2], SHORT[game], 0)
    live_session = LiveSession(open_log(), header)
    for action in actions:
        live_session.referee.enter(action)
    return live_session


@contextmanager
def running(house: Served, seat: int, bot: str, *words: str) -> Iterator[BotProcess]:
    """Let *bot* sit at *seat*; it is ended if it does not end itself."""
    link = f"{house.url}join/{house.pub.keys.invitation(seat)}"
    command = [sys.executable, "-u", str(BOTS / bot), link, *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def play_out(house: Served, *bots: tuple[str, ...]) -> list[str]:
    """Return what each of *bots* has said, one a seat, once the game is over and all have ended."""
    with ExitStack() as stack:
        ends_s, said, started = time.monotonic() + LONGEST_S, [], []
        for seat, words in reversed([*enumerate(bots)]):
            started.append(stack.enter_context(running(house, seat, *words)))
            while words[1:] and not secrets_of(house, seat):  # the first move would end that
                assert time.monotonic() < ends_s
                time.sleep(0.02)
        for process in started:
            out, errors = process.communicate(timeout=max(0.1, ends_s - time.monotonic()))
            assert (process.returncode, errors) == (0, "")
            said.append(out)
    assert house.do(
        lambda live_session: live_session.session.rules.outcome(live_session.session.state)
    )
    return said


def secrets_of(house: Served, seat: int) -> list[str]:
    """Return what *seat* has entered in secret."""
    entries = house.do(lambda live_session: [*live_session.session.entries])
    events = [entry.event for entry in entries]
    return [each.action for each in events if isinstance(each, SecretEntered) and each.seat == seat]


@pytest.mark.parametrize(
    ("game", "secrets"),
    [
        ("topple", ("", "")),
        ("tactiki", ("ranks 0 1 5 2 4 3 3 4 2 5 1", "ranks 1 1 2 3 4 5 5 4 3 2 1")),
    ],
)
def test_two_bots_play_a_game_at_random(game: str, secrets: tuple[str, ...]) -> None:
    """To its end, each its own turns, and nothing of it is refused but what came late."""
    with served(lambda: sit(game)) as house:
        said = play_out(house, *(("random_bot.py", *secret.split()) for secret in secrets))
    played = []
    for lines in map(str.splitlines, said):
        refused = [line for line in lines if line.startswith("refused")]
        assert all("meantime" in line for line in refused), refused
        played.append(len(lines) - len(refused))
    # Where pieces may fall at once, one of them may be out before the other has moved.
    assert any(played) if game == "topple" else all(played)


def test_two_bots_play_with_secret_cards() -> None:
    """Each enters its own card, which the other is not told before the cards are shown."""
    cards = ("nani huhu nui", "kapu eepo lokahi")
    with served(lambda: sit("tiki_topple", " ".join(("line", *TIKIS)))) as house:
        bots = [("tiki_topple_bot.py", *card.split()) for card in cards]
        play_out(house, *bots)
        session = house.do(lambda live_session: live_session.session)
        kept = {seat: secret for seat in (0, 1) for secret in secrets_of(house, seat)}
    assert kept == {seat: f"card {seat} {card}" for seat, card in enumerate(cards)}
    shown = [act.forms[0] for act in session.history.acts if act.forms[0].startswith("card")]
    assert sorted(shown) == sorted(kept.values())


def test_a_bot_whose_seat_is_given_to_another_ends() -> None:
    """With the sentence that says why; a link that was used is told likewise."""
    with served(lambda: sit("topple")) as house:
        used = f"{house.url}join/{house.pub.keys.invitation(1)}"
        with running(house, 1, "random_bot.py") as process:
            while not house.pub.keys.is_taken(1):
                time.sleep(0.02)
            house.do(lambda _: house.pub.keys.invite_anew(1))
            _, errors = process.communicate(timeout=LONGEST_S)
        assert process.returncode == 1
        assert "the host has given the seat a new link" in errors
        done = subprocess.run(
            [sys.executable, str(BOTS / "random_bot.py"), used],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_the_bots_are_short_and_need_no_package() -> None:
    """Some thirty lines of statements each, of the standard library."""
    for bot in BOTS.glob("*.py"):
        lines = bot.read_text(encoding="utf-8").splitlines()
        assert len([line for line in lines if line.strip()]) <= 40, bot.name
        imported = {
            line.split()[1].partition(".")[0]
            for line in lines
            if line.startswith(("import", "from"))
        }
        assert imported <= sys.stdlib_module_names, bot.name
