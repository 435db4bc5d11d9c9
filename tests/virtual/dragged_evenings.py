"""An evening at the virtual table: a companion, the host's page, and what the rules have of it.

The companion sees pixels and hears sensors; what no camera shows is entered on the page, or told.
"""

import asyncio
import json
import logging
import random
import statistics
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from companion.config import example, load_config
from companion.daemon import Daemon
from companion.rules.base import Outcome
from companion.table.readers import usual_table
from tests.evenings import KEY
from tests.virtual.pointing import Table
from tests.wired_tables import House

LONG_S: Final = 240.0
"""So long a busy machine may take to see and judge a move."""
SEEN_S: Final = 90.0
"""Who has waited so long for a move to be judged enters it, as people do."""
ENTERED: Final = 0.1
"""So many of a game's moves, as a share, people would enter at most."""
LOOK_MS: Final = 30
START_SAID: Final = "Play!"
Place = tuple[float, float]
_log = logging.getLogger(__name__)


@dataclass
class Evening:
    """A companion with a virtual table, the host's page, and how the rules have it.

    letting_go_s: how long it took from letting go of each piece to the move in the log.
    entered: which moves were not judged, and had to be entered.
    """

    daemon: Daemon
    house: House
    page: Page
    hand: Table
    dice: random.Random
    state: Any = None
    moves: int = 0
    letting_go_s: list[float] = field(default_factory=list)
    entered: list[str] = field(default_factory=list)

    @property
    def game(self) -> Any:
        """The game that is played."""
        return self.daemon.live_session.game

    @property
    def rules(self) -> Any:
        """Its rules."""
        return self.game.rules

    @property
    def layout(self) -> Mapping[str, Any]:
        """Where its places are."""
        found: Mapping[str, Any] = usual_table(self.game.name)["layout"]
        return found

    def begin(self) -> None:
        """Wait until the eyes have learned the table, and begin by the rules."""
        expect(self.page.locator("#status")).to_contain_text(START_SAID, timeout=1000 * LONG_S)
        header = self.daemon.live_session.header
        self.state = self.rules.initial(len(header.players), header.options, header.setup)

    def follow(self, action: str) -> None:
        """Let the rules follow *action*."""
        self.state = self.rules.apply(self.state, self.rules.parse_action(action))

    def legal(self) -> list[str]:
        """Return what may happen now."""
        return [self.rules.format_action(each) for each in self.rules.legal_actions(self.state)]

    def tell(self, action: str) -> None:
        """Enter *action* on the page if it has a button for it, else as programs do."""
        self.follow(action)
        button = self.page.locator(f'#entering button[name="action"][value="{action}"]:visible')
        if button.count():
            button.first.click()
        else:
            self.house.ask("/api/tell", {"action": action})
        self.wait(f"{action}, which was entered")

    def seen(self, action: str, *more: str) -> None:
        """Let the rules follow what was dragged, and wait until the companion has logged it."""
        for each in (action, *more):
            self.follow(each)
        self.moves += 1
        if self.follows_within(SEEN_S):
            self.letting_go_s.append(time.monotonic() - self.hand.let_go_s)
            _log.info("%6.2f s  %s", self.letting_go_s[-1], " ".join((action, *more)))
            return
        self.entered.append(f"{action}: {self.shown()}")
        for each in (action, *more):
            self.house.ask("/api/tell", {"action": each})
        self.wait(f"{action}, which was dragged, and then entered")

    def wait(self, what: str) -> None:
        """Wait until the companion has the game as the rules have it."""
        if not self.follows_within(LONG_S):
            raise AssertionError(f"{what}: {self.shown()}")

    def follows_within(self, most_s: float) -> bool:
        """Return whether the companion comes to have the game as the rules have it."""
        wanted = self.game.ruling(self.state)
        deadline = time.monotonic() + most_s
        while self.game.ruling(self.daemon.live_session.session.state) != wanted:
            if time.monotonic() > deadline:
                return False
            self.answer()
            self.page.wait_for_timeout(LOOK_MS)
        return True

    def shown(self) -> str:
        """Return what the companion says of the table."""
        board = self.house.ask("/api/state")
        said = {key: board[key] for key in ("question", "last_move", "waiting_for")}
        return json.dumps(said)[:900]

    def answer(self) -> None:
        """Tap what truly happened where the companion asks."""
        question = self.daemon.live_session.referee.question
        candidates = getattr(question, "candidates", ())
        for number, candidate in enumerate(candidates):
            if self.is_true(candidate):
                self.page.locator(f'#game [name="choice"][value="{number}"]').click()
                return

    def is_true(self, candidate: Any) -> bool:
        """Return whether *candidate* leads to the game as the rules have it."""
        state = self.daemon.live_session.session.state
        try:
            for each in candidate.actions:
                state = self.rules.apply(state, self.rules.parse_action(each))
        except (ValueError, AttributeError):
            return False
        return bool(self.game.ruling(state) == self.game.ruling(self.state))

    def lay_start(self) -> None:
        """Have the start laid."""
        self.page.get_by_role("button", name="Lay the start").click()

    def free(self, kind: str, look: Any, board: Sequence[Place] = ()) -> dict[str, Any]:
        """Return the top of a piece that looks so and lies at none of *board*."""
        return self.hand.find(
            lambda each: each["kind"] == kind and each["look"] == look
            and each["of"] is None and each["held"] is None
            and all(abs(each["x"] - x) + abs(each["y"] - y) > 12 for x, y in board)
        )  # fmt: skip

    def sit(self, seat: int) -> None:
        """Lend the host's arm to *seat*, whose cards are shown then."""
        if self.page.evaluate("virtualTable.world.you.seat") != seat:
            self.page.locator("#whose").select_option(str(seat))
            self.page.wait_for_function("seat => virtualTable.world.you.seat === seat", arg=seat)

    def own(self) -> list[dict[str, Any]]:
        """Return the cards in the hand of whoever is sat for."""
        seat = self.page.evaluate("virtualTable.world.you.seat")
        return [each for each in self.hand.pieces.values() if each["of"] == seat]

    def play_own(self, card: Mapping[str, Any], place: Place) -> None:
        """Drag a card out of the own hand to *place*."""
        button = self.page.locator(f'#own-hand [data-piece="{card["id"]}"]')
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box
        start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        end = self.hand.on_surface(*place)
        self.hand.pointer.down(start)
        for part in (0.2, 0.5, 0.8, 1.0):
            self.hand.pointer.move(
                (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
            )
            self.page.wait_for_timeout(40)
        self.hand.let_go()

    def draw(self, place: Place) -> None:
        """Draw the top card of the pile at *place* into the own hand."""
        held = len(self.own())
        top = self.at(place, "card", 25)[-1]
        self.page.evaluate("id => virtualTable.choose(id)", top["id"])
        self.page.get_by_role("button", name="Draw the top card").click()
        self.hand.wait(lambda _: len(self.own()) == held + 1, "no card was drawn")

    def at(self, place: Place, kind: str, reach: float = 15.0) -> list[dict[str, Any]]:
        """Return the pieces of *kind* at *place*, bottom first."""
        found = [
            each for each in self.hand.pieces.values()
            if each["kind"] == kind and each["of"] is None and each["held"] is None
            and abs(each["x"] - place[0]) < reach and abs(each["y"] - place[1]) < reach
        ]  # fmt: skip
        return sorted(found, key=lambda each: float(each["z"]))

    def assert_as_the_rules(self) -> None:
        """Fail unless scores and winners are those of the bare rules, and moves were judged."""
        outcome = self.rules.outcome(self.state)
        assert isinstance(outcome, Outcome)
        board = self.house.ask("/api/state")
        assert tuple(each["score"] for each in board["players"]) == outcome.scores
        assert tuple(board["winners"] or ()) == outcome.winners
        assert len(self.entered) <= ENTERED * self.moves, self.entered
        _log.info("%s", self.figures())

    def figures(self) -> str:
        """Return how long moves took, in one line."""
        took = sorted(self.letting_go_s)
        if not took:
            return "no moves"
        middle, worst = statistics.median(took), took[-1]
        told = f"{self.moves} moves, {len(self.entered)} entered"
        return f"{told}; from letting go to the log {middle:.2f} s, at most {worst:.1f}"


@contextmanager
def evening(
    browser: Browser, folder: Path, game: str, options: Mapping[str, Any], *,
    by_touch: bool = False, players: int = 2, seed: int = 1,
) -> Iterator[Evening]:  # fmt: skip
    """Serve a virtual table of *game*, and open the host's page once the eyes have learned it."""
    file, names = folder / "tiki.toml", ("Ann", "Bob", "Cem", "Dia")[:players]
    told = ", ".join(f"{key} = {json.dumps(value)}" for key, value in options.items())
    text = (
        example()
        .replace('game = "auto"', f'game = "{game}"')
        .replace('source = "recording"', 'source = "virtual"')
        .replace("rate_hz = 5.0", "rate_hz = 10.0")
        .replace('"Red", "Blue", "Yellow", "Green"', json.dumps(names)[1:-1])
        .replace("options = {}", f"options = {{ {told} }}")
        .replace('host = "::"', 'host = "127.0.0.1"')
        .replace("tls_port = 8443", "tls_port = 0")
        .replace('[log]\nfile = ""', f'[log]\nfile = "{folder / "game.db"}"')
        .replace("port = 8321", "port = 0")
        .replace('key = ""', f'key = "{KEY}"', 1)
    )
    file.write_text(text)
    with _running(file) as daemon:
        context = browser.new_context(viewport={"width": 780, "height": 640}, has_touch=by_touch)
        page = context.new_page()
        page.goto(f"{daemon.reach.here}/?key={KEY}")
        page.goto(f"{daemon.reach.here}/virtual")
        page.wait_for_function("() => virtualTable.world.isThere")
        hand = Table(page, by_touch=by_touch)
        found = Evening(daemon, House(daemon.reach.here), page, hand, random.Random(seed))
        found.begin()
        yield found
        context.close()


@contextmanager
def _running(file: Path) -> Iterator[Daemon]:
    ready, found = threading.Event(), list[Daemon]()

    def run() -> None:
        found.append(Daemon(load_config(file)))
        asyncio.run(found[0].run(ready.set))

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(LONG_S)
    try:
        yield found[0]
    finally:
        found[0].stop()
        thread.join(LONG_S)
        assert not thread.is_alive()
