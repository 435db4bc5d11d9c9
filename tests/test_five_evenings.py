"""Whole evenings at the real daemon through three open pages, and what the bare rules make of them.

The host's desk, one player's seat and a stranger's board are open at once.  The first moves are
clicked, then a few more and the last; those between are sent as the desk's forms send them.
"""

import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from companion.web.pages.game_pages import Pages, pages_for
from tests.bare_rules import Bare, read_rows
from tests.soak.house import KEY, House
from tests.tables import NAMES, open_log
from tests.tapping import SHORT, chosen, fill_in, forms_in, is_wise, secret_of, tap
from tests.web.forms import Form
from tests.web.games import seats_of
from tests.web.serving import served
from tests.web.test_every_game import action_of
from tests.web.visitors import assert_silent_about

SEAT = 1
"""The seat whose page is open in a browser; the others have visitors without one."""
CLICKED, SELDOM, MOST = 16, 25, 900
UNDONE, KILLED = 5, 9
DEADLINE_S = 60.0
REGION = re.compile(r'data-region="(\w+)" data-mark="(\w+)"')
MARKS = """() => Object.fromEntries([...document.querySelectorAll("[data-region]")].map(
  (each) => [each.dataset.region, each.dataset.mark]))"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Give one daemon for all evenings."""
    found = House(tmp_path_factory.mktemp("house"))
    yield found
    found.kill()


class Final(NamedTuple):
    """How a page says that a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    crowned: tuple[int, ...]


def numbers(page: Page, selector: str, attribute: str) -> tuple[int, ...]:
    """Return the numbers in *attribute* of all pieces of *page* that *selector* names."""
    return tuple(int(each.get_attribute(attribute) or "") for each in page.locator(selector).all())


def final_of(page: Page) -> Final:
    """Return what a scoreboard says at the end; where all play together, they share the score."""
    met = numbers(page, "[data-met]", "data-met")
    scores = numbers(page, ".player [data-score]", "data-score")
    return Final(
        scores or met * page.locator(".player").count(),
        numbers(page, "[data-winner]", "data-winner"),
        numbers(page, ".player.winner", "data-seat"),
    )


def true_final(log: Path) -> Final:
    """Return how the game in *log* ended by the rules alone."""
    outcome = Bare(*read_rows(log)).outcome()
    return Final(outcome.scores, outcome.winners, outcome.winners)


@dataclass
class Evening:
    """A game that is on, the three pages on which it is open, and visitors without a browser.

    bare: what the bare rules make of the log.  is_written: whether everyone may write at any time.
    round: whose secrets are entered.  own: how much was entered on the seat's own page.
    """

    house: House
    rng: random.Random
    desk: Page
    seat: Page
    board: Page
    host: httpx.Client
    others: list[httpx.Client]
    bare: Bare
    is_written: bool = False
    round: int = 0
    own: int = 0
    secrets: list[str] = field(default_factory=list)

    @property
    def pages(self) -> dict[str, Page]:
        """The open pages by their addresses."""
        return {"/desk": self.desk, "/seat": self.seat, "/": self.board}

    def state(self) -> dict[str, Any]:
        """Return what everybody may know."""
        found: dict[str, Any] = self.host.get("/api/state").json()
        return found

    def settle(self) -> None:
        """Wait until each open page shows what it would show if it were loaded anew."""
        for path, page in self.pages.items():
            until = time.monotonic() + DEADLINE_S
            while True:
                fresh = page.context.request.get(self.house.url + path).text()
                if page.evaluate(MARKS) == dict(REGION.findall(fresh)):
                    break
                assert time.monotonic() < until, f"{path} is not what it should be"
                page.wait_for_timeout(30)

    def follow(self) -> None:
        """Let the bare rules follow the log."""
        self.bare.follow(read_rows(self.house.log)[1])

    def assert_silent(self) -> None:
        """Fail if the stranger's page tells a secret that the table does not show yet."""
        self.follow()
        shown = " ".join(form for act in self.bare.acts if not act.kept for form in act.forms)
        hidden = [secret for secret in self.secrets if secret not in shown]
        wanted = [secret.replace(" ", between) for secret in hidden for between in (" ", ", ")]
        assert_silent_about(self.board.content(), *wanted)
        assert not self.board.locator("[data-own]").count()

    def keep_secrets(self) -> None:
        """Let every seat enter its secret, if the game has any: one by taps."""
        self.settle()
        for visitor in (None, *self.others):
            html = self.seat.content() if visitor is None else visitor.get("/seat").text
            for form in forms_in(html):
                if form.path == "/seat":
                    self.keep_secret(visitor, form)

    def keep_secret(self, visitor: httpx.Client | None, form: Form) -> None:
        """Let one seat enter its secret: a visitor's, or for None that of the open page."""
        sent = secret_of(self.rng, form)
        if visitor is None:
            tap(self.seat, self.seat.locator('form[action="/seat"]'), sent)
        else:
            assert visitor.post("/seat", data=form.fields | sent).status_code == 303
        self.secrets.append(" ".join(sent.values()))

    def click(self) -> None:
        """Take something that is offered: on the seat's page in its turn, else on the desk."""
        self.settle()
        self.assert_silent()
        own = self.seat.locator(f'[data-seat-turn="{SEAT}"]').count()
        own = own or (self.is_written and self.rng.random() < 0.5)
        for page in (self.seat, self.desk) if own else (self.desk,):
            choice = chosen(self.rng, page.content())
            if choice is not None:
                self.own += page is self.seat
                tap(page, page.locator("form").nth(choice[0]), choice[1])
                return
        pytest.fail("nothing is offered")

    def send(self) -> None:
        """Take something as the desk's forms do; what would end the game is clicked."""
        choice = chosen(self.rng, self.host.get("/desk").text)
        assert choice is not None
        self.follow()
        if self.bare.ends_with(action_of(choice[1])):
            self.settle()
            tap(self.desk, self.desk.locator("form").nth(choice[0]), choice[1])
        else:
            assert self.host.post("/enter", data=choice[1]).status_code in (303, 409), choice

    def take_back(self) -> None:
        """Take back what happened last, with a tap."""
        self.settle()
        with self.desk.expect_navigation(wait_until="load"):
            self.desk.locator("#undo").click()

    def answer(self) -> None:
        """Answer what is asked, with a tap: which of several pieces it was, the table tells."""
        self.settle()
        with self.desk.expect_navigation(wait_until="load"):
            self.desk.locator('form[action="/choose"] button').first.click()

    def kill(self) -> None:
        """Kill the daemon; the pages say so, and follow again by themselves once it is back."""
        self.settle()
        before = self.state()["history"]
        for page in self.pages.values():
            page.evaluate("window.stayed = true")
        self.house.kill()
        for page in self.pages.values():
            expect(page.locator("#connection")).to_be_visible()
        self.house.start()
        for page in self.pages.values():
            expect(page.locator("#connection")).to_be_hidden()
            assert page.evaluate("window.stayed")
        self.settle()
        assert self.state()["history"] == before

    def play(self) -> None:
        """Play the game to its end."""
        for step in range(MOST):
            state = self.state()
            if state["is_over"]:
                return
            if self.round != (now := state["round"]):
                self.round = now
                self.keep_secrets()
            if state["question"]:
                self.answer()
                continue
            if step == UNDONE:
                self.take_back()
            if step == KILLED:
                self.kill()
            if step < CLICKED or step % SELDOM == 0:
                self.click()
            else:
                self.send()
        pytest.fail("the game does not end")


def begin(desk: Page, game: str, seats: int) -> None:
    """Begin *game* by its form, from the desk."""
    with desk.expect_navigation():
        desk.get_by_role("link", name="New people").click()
    for step in (f"game-{game}", f"players-{seats}"):
        with desk.expect_navigation():
            desk.locator(f'button[value="{step}"]').click()
    form = desk.locator('form[action="/new"]')
    told = {f"name{seat}": NAMES[seat] for seat in range(seats)}
    fill_in(form, {**told, **SHORT.get(game, {})})
    desk.get_by_role("button", name="Start").click()
    expect(desk).to_have_url(re.compile("/desk$"))


def link_of(desk: Page, seat: int) -> str:
    """Return the invitation that the desk shows for *seat*."""
    return desk.locator(f'[data-link-seat="{seat}"] a.link').get_attribute("href") or ""


@contextmanager
def gathered(browser: Browser, house: House, game: str) -> Iterator[Evening]:
    """Begin *game* with everybody there, and fail if a page's script has failed."""
    house.start()
    seats = seats_of(game)
    contexts = [browser.new_context() for _ in range(3)]
    errors: list[str] = []
    for context in contexts:
        context.set_default_timeout(DEADLINE_S * 1000)
        context.on("weberror", lambda error: errors.append(str(error.error)))
    desk, seat, board = (context.new_page() for context in contexts)
    board.goto(house.url)
    desk.goto(f"{house.url}/?key={KEY}")
    desk.goto(f"{house.url}/desk")
    begin(desk, game, seats)
    expect(board.locator("h1")).to_have_text(game_of(game).title)
    host = httpx.Client(base_url=house.url)
    assert host.get("/", params={"key": KEY}).status_code == 303
    others = [httpx.Client(base_url=house.url) for _ in range(seats - 1)]
    for number, visitor in zip({*range(seats)} - {SEAT}, others, strict=True):
        assert visitor.post(link_of(desk, number)).status_code == 303
    seat.goto(link_of(desk, SEAT))
    seat.get_by_role("button", name=f"I am {NAMES[SEAT]}").click()
    expect(seat).to_have_url(re.compile("/seat$"))
    try:
        bare, is_written = Bare(*read_rows(house.log)), not game_of(game).places
        yield Evening(house, random.Random(game), desk, seat, board, host, others, bare, is_written)
    finally:
        for client in (host, *others):
            client.close()
        for context in contexts:
            context.close()
    assert errors == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_an_evening_ends_on_all_pages_as_by_the_rules(
    browser: Browser, house: House, game: str
) -> None:
    """Begun by its form, taken back, killed -9, won: three pages say what the bare rules say."""
    with gathered(browser, house, game) as evening:
        evening.play()
        evening.settle()
        evening.assert_silent()
        expected = true_final(house.log)
        for page in evening.pages.values():
            assert numbers(page, "[data-winner]", "data-winner") == expected.winners
            expect(page.locator("#waiting")).to_have_text("The game is over.")
        for page in (evening.desk, evening.seat):
            page.get_by_role("link", name="Scoreboard").click()
            expect(page.locator("h1")).to_have_text(game_of(game).title)
        assert [final_of(page) for page in evening.pages.values()] == [expected] * 3
        types = {row["type"] for row in read_rows(house.log)[1]}
        assert "undo" in types
        keeps_secrets = type(pages_for(game)).keep is not Pages.keep
        assert bool(evening.secrets) == ("secret" in types) == keeps_secrets
        assert evening.own


def finished(log: Path) -> LiveSession:
    """Return a session of Topple that has been played to its end."""
    header = open_header(game_of("topple"), NAMES[:2], {"target": 9}, 0)
    live_session, rng = LiveSession(open_log(log), header), random.Random(1)
    while wise := [each for each in live_session.referee.offers() if is_wise(rng, each)]:
        live_session.referee.enter(rng.choice(wise))
    return live_session


def test_a_page_that_says_otherwise_is_noticed(browser: Browser, tmp_path: Path) -> None:
    """Another score, another winner or another log is not the same end."""
    log = tmp_path / "game.db"
    with served(lambda: finished(log)) as house:
        page = browser.new_page()
        for change in (
            "document.querySelector('[data-score]').dataset.score = 99",
            "document.querySelector('[data-winner]').dataset.winner = 9",
            "document.querySelector('.player.winner').classList.remove('winner')",
        ):
            page.goto(house.url)
            assert final_of(page) == true_final(log)
            page.evaluate(change)
            assert final_of(page) != true_final(log)
        page.close()
    header, rows = read_rows(log)
    moves = [row for row in rows if row["type"] == "move"]
    with pytest.raises(AssertionError, match="not over"):
        Bare(header, rows[: rows.index(moves[-1])]).outcome()
    with pytest.raises(AssertionError, match="the rules refuse"):
        Bare(header, [row for row in rows if row is not moves[0]])
