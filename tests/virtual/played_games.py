"""People who play whole games on the page of the virtual table, beside the bare rules.

What they do is chosen from what the rules allow; whatever a camera can see of it is dragged by a
real mouse or finger, the rest entered on the page or told. The companion sees pixels and hears
sensors.
"""

import asyncio
import json
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

from companion.apps.virtual.balance import lean_of
from companion.config import example, load_config
from companion.daemon import Daemon
from companion.referee.game import EMPTY
from companion.registry import game_of
from companion.rules.base import Outcome
from companion.rules.tactiki.pieces import SIDES
from companion.table.readers import usual_table
from tests.evenings import KEY
from tests.virtual.pointing import Table
from tests.wired_tables import House

LONG_S: Final = 240.0
"""So long a busy machine may take to see and judge a move."""
LOOK_MS: Final = 30
START_SAID: Final = "Play!"
Place = tuple[float, float]


@dataclass
class Evening:
    """A companion with a virtual table, the host's page, and how the rules have it.

    letting_go_s: how long it took from letting go of each piece to the move in the log.
    """

    daemon: Daemon
    house: House
    page: Page
    hand: Table
    dice: random.Random
    state: Any = None
    moves: int = 0
    letting_go_s: list[float] = field(default_factory=list)

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
        button = self.page.locator(f'#game button[name="action"][value="{action}"]:visible')
        if button.count():
            button.first.click()
        else:
            self.house.ask("/api/tell", {"action": action})
        self.wait(f"{action}, which was entered")

    def seen(self, action: str, *more: str) -> None:
        """Let the rules follow what was dragged, and wait until the companion has logged it."""
        begun = time.monotonic()
        for each in (action, *more):
            self.follow(each)
        self.wait(f"{action}, which was dragged")
        self.letting_go_s.append(time.monotonic() - begun)
        self.moves += 1

    def wait(self, what: str) -> None:
        """Wait until the companion has the game as the rules have it."""
        wanted = self.game.ruling(self.state)
        deadline = time.monotonic() + LONG_S
        while self.game.ruling(self.daemon.live_session.session.state) != wanted:
            if time.monotonic() > deadline:
                board = self.house.ask("/api/state")
                shown = {key: board[key] for key in ("question", "last_move", "waiting_for")}
                raise AssertionError(f"{what}: {json.dumps(shown)[:900]}")
            self.answer()
            self.page.wait_for_timeout(LOOK_MS)

    def answer(self) -> None:
        """Tap what truly happened where the companion asks."""
        question = self.daemon.live_session.referee.pending
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

    def at(self, place: Place, kind: str, reach: float = 15.0) -> list[dict[str, Any]]:
        """Return the pieces of *kind* at *place*, bottom first."""
        found = [
            each for each in self.hand.pieces.values()
            if each["kind"] == kind and each["of"] is None and each["held"] is None
            and abs(each["x"] - place[0]) < reach and abs(each["y"] - place[1]) < reach
        ]  # fmt: skip
        return sorted(found, key=lambda each: float(each["z"]))

    def assert_as_the_rules(self) -> Outcome:
        """Fail unless scores and winners on the board are those of the bare rules."""
        outcome = self.rules.outcome(self.state)
        assert isinstance(outcome, Outcome)
        board = self.house.ask("/api/state")
        assert tuple(each["score"] for each in board["players"]) == outcome.scores
        assert tuple(board["winners"] or ()) == outcome.winners
        return outcome

    def figures(self) -> str:
        """Return how long moves took, in one line."""
        took = sorted(self.letting_go_s)
        if not took:
            return "no moves"
        middle, worst = statistics.median(took), took[-1]
        return f"{self.moves} moves; from letting go to the log {middle:.2f} s, at most {worst:.1f}"


@contextmanager
def evening(
    browser: Browser, folder: Path, game: str, options: Mapping[str, Any], *,
    by_touch: bool = False, players: int = 2, seed: int = 1,
) -> Iterator[Evening]:  # fmt: skip
    """Serve a virtual table of *game*, and open the host's page on it."""
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
        context = browser.new_context(
            viewport={"width": 1100, "height": 760}, has_touch=by_touch
        )
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


def play_discs(table: Evening, most: int = 1000) -> None:
    """Play on a board that balances: a die that is entered, discs that are dragged."""
    balance = table.layout["balance"]
    spots = [(balance["x"] + each["x"], balance["y"] + each["y"])
             for row in balance["spots"] for each in row]  # fmt: skip
    colours = table.rules.parse_action
    del colours
    while table.rules.outcome(table.state) is None and table.moves < most:
        legal = table.legal()
        rolls = [each for each in legal if each.startswith("roll ") and each[-1].isdigit()]
        if rolls:
            table.tell(table.dice.choice(rolls))
            continue
        places = [each for each in legal if each.startswith("place ")]
        action = min(table.dice.sample(places, min(8, len(places))), key=lambda each: _lever(
            table, spots, each))  # fmt: skip
        _, at, colour = action.split()
        x, y = spots[5 * int(at[0]) + int(at[1])]
        rounds = len(getattr(table.state, "rounds", ()))
        disc = table.free("disc", colour, spots)
        table.hand.drag(disc, x, y)
        table.seen(action)
        if len(getattr(table.state, "rounds", ())) != rounds:
            table.lay_start()


def _lever(table: Evening, spots: Sequence[Place], action: str) -> float:
    """Return how far the board would lean after *action*."""
    balance = table.layout["balance"]
    discs = [each for each in table.hand.pieces.values() if each.get("rides") == "board"]
    loads = [(each["x"] - balance["x"], each["y"] - balance["y"]) for each in discs]
    at = action.split()[1]
    x, y = spots[5 * int(at[0]) + int(at[1])]
    return lean_of([*loads, (x - balance["x"], y - balance["y"])], is_fallen=False).tilt_deg


def play_line(table: Evening, most: int = 1000) -> None:
    """Play with a line of tikis, which closes up by itself where one is taken out."""
    slots = [(each["x"], each["y"]) for each in table.layout["slots"]]
    while table.rules.outcome(table.state) is None and table.moves < most:
        legal = table.legal()
        if legal[0].startswith("line "):
            seen = [table.at(slot, "tiki")[-1]["look"] for slot in slots]
            table.seen(f"line {' '.join(seen)}")
            continue
        plays = [each for each in legal if not each.startswith(("line ", "secret"))]
        action = table.dice.choice(plays)
        tiki = action.split()[-1]
        before = [each for each in table.game.shown(table.state) if each not in (EMPTY, None)]
        after_state = table.rules.apply(table.state, table.rules.parse_action(action))
        after = [each for each in table.game.shown(after_state) if each not in (EMPTY, None)]
        if before == after or after_state.phase == "reveal" and tiki not in before:
            table.tell(action)
            continue
        piece = table.free("tiki", tiki)
        if tiki in after:
            table.hand.drag(piece, *slots[after.index(tiki)])
        else:
            table.hand.drag(piece, -70.0, 20.0 + 30.0 * (9 - len(after)))
        table.seen(action)
        if table.state.phase == "line":
            table.lay_start()


def play_columns(table: Evening, most: int = 1000) -> None:
    """Play with two tribes of figures; who wins a clash is known to the dice alone."""
    cells = [(each["x"], each["y"]) for row in table.layout["cells"] for each in row]
    while table.rules.outcome(table.state) is None and table.moves < most:
        action = table.dice.choice([each for each in table.legal() if each != "draw"])
        done = [action]
        state = table.rules.apply(table.state, table.rules.parse_action(action))
        while state.phase == "clash":
            results = [table.rules.format_action(e) for e in table.rules.legal_actions(state)]
            clash = table.dice.choice(results)
            done.append(clash)
            state = table.rules.apply(state, table.rules.parse_action(clash))
        columns = [[SIDES[piece.side if hasattr(piece, "side") else piece // 10] for piece in each]
                   for each in state.columns]  # fmt: skip
        restack(table, cells, columns, action)
        table.seen(*done)


def restack(
    table: Evening, cells: Sequence[Place], wanted: Sequence[Sequence[str]], action: str
) -> None:
    """Drag figures until each cell has the looks that are *wanted*, bottom first."""
    if action.startswith("move "):
        source, target = (5 * int(each[0]) + int(each[1]) for each in action.split()[1:3])
        table.hand.drag(table.at(cells[source], "figure", 25)[-1], *cells[target])
        table.hand.wait(lambda _: len(table.at(cells[source], "figure", 25)) == len(wanted[source]),
                        "the figure was not moved")  # fmt: skip
    for cell, looks in zip(cells, wanted, strict=True):
        lying = table.at(cell, "figure", 25)
        same = 0
        while same < min(len(lying), len(looks)) and lying[same]["look"] == looks[same]:
            same += 1
        for piece in reversed(lying[same:]):
            aside = -78.0 if piece["look"] == "tiki" else table.hand.page.evaluate(
                "virtualTable.world.mat.width") + 78.0  # fmt: skip
            table.hand.drag(piece, aside, 40.0 + 32.0 * table.dice.randrange(8))
        for look in looks[same:]:
            table.hand.drag(table.free("figure", look, cells), *cell)
