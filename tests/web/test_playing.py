"""A program plays for a seat: its token, what is legal for it, and what it may enter."""

import json
import random
from typing import Any

import httpx
import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from companion.session.events import SecretEntered
from companion.session.session import Header
from companion.web.http.attempts import ACTIONS_PER_SEAT, WrongKeys
from companion.web.pages.seats import USED
from tests.referee.entering import sit
from tests.referee.played import play
from tests.tables import NAMES, open_log, sit_down
from tests.web.desks import begin_again
from tests.web.standing_clock import Clock
from tests.web.visitors import HOST_KEY, Pub, Visitor, assert_silent_about, open_pub

RANKS = "ranks 0 1 5 2 4 3 3 4 2 5 1"


class Bot:
    """A program at *seat*, that has taken it by its link."""

    def __init__(self, pub: Pub, seat: int) -> None:
        self._stranger = pub.stranger()
        link = f"http://tiki.local:8321/join/{pub.keys.invitation(seat)}"
        self.joined = self._stranger.post("/api/v1/join", link=link)
        self._headers = {"authorization": f"Bearer {self.joined.json()['token']}"}

    def get(self, what: str) -> httpx.Response:
        """Return the answer to a request with the token."""
        return self._stranger.ask("GET", f"/api/v1/{what}", headers=self._headers)

    def legal(self) -> dict[str, Any]:
        """Return what it may enter now."""
        found: dict[str, Any] = self.get("legal").json()
        return found

    def actions(self) -> list[str]:
        """Return the texts of what it may enter now."""
        return [each["action"] for each in self.legal()["actions"]]

    def play(self, action: str, mark: str | None = None) -> httpx.Response:
        """Send *action*, by default with the mark of now."""
        form = {"action": action, "mark": mark or self.legal()["mark"]}
        return self._stranger.ask("POST", "/api/v1/play", form, headers=self._headers)


def entries(pub: Pub) -> int:
    """Return how many entries the log has."""
    return len(pub.live_session.session.entries)


def test_a_seats_link_gives_a_token_once() -> None:
    """The seat is taken, everyone is told by what, and the link opens it to nobody else."""
    pub = open_pub(sit_down())
    link = pub.keys.invitation(1)
    bot = Bot(pub, 1)
    assert bot.joined.status_code == 200
    assert bot.joined.json() | {"token": ""} == {"seat": 1, "name": "Bob", "token": ""}
    assert pub.keys.is_taken(1)
    newest = pub.live_session.feed.since(0)[-1].body
    assert newest["message"] == "A program plays for Bob"
    again = pub.stranger().post("/api/v1/join", link=link)
    assert (again.status_code, again.json()["error"]) == (410, USED)
    assert bot.joined.headers["cache-control"] == "no-store"


def test_a_new_link_revokes_the_token() -> None:
    """As it does for a phone: the program reads nothing more of the seat, and enters nothing."""
    pub = open_pub(sit_down())
    bot = Bot(pub, 0)
    assert bot.get("seat").status_code == 200
    assert pub.host().post("/invite", seat="0").status_code == 303
    mark = pub.stranger().get("/api/v1/legal").json()["mark"]
    for answer in (bot.get("seat"), bot.get("legal"), bot.play("up1 nani", mark)):
        assert answer.status_code == 403
        assert "new link" in answer.json()["error"]
    assert entries(pub) == 0
    for _ in range(100):  # a program that asks on costs nobody else a try
        assert bot.get("legal").status_code == 403
    key = {"authorization": f"Bearer {HOST_KEY}"}
    told = pub.stranger().ask("POST", "/api/v1/tell", {"action": "up1 nani"}, headers=key)
    assert told.status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_what_is_listed_is_taken_and_belongs_to_the_seat(game: str) -> None:
    """Over random games: a seat is offered its own business alone, and each of it is legal."""
    for seed in range(3):
        pub = open_pub(play(game, seed, 20, with_secrets=False))
        referee, rules = pub.live_session.referee, pub.live_session.game.rules
        everyone = pub.stranger().get("/api/v1/legal").json()
        assert everyone["seat"] is None
        assert [each["action"] for each in everyone["actions"]] == [*referee.offers()]
        bots = [Bot(pub, seat) for seat in range(2)]
        for seat, bot in enumerate(bots):
            legal = bot.legal()
            assert (legal["seat"], legal["mark"]) == (seat, everyone["mark"])
            for each in legal["actions"]:
                assert referee.may_enter(seat, each["action"])
                assert each in everyone["actions"]
                same = rules.action_from_json(each["object"])
                assert rules.format_action(same) == each["action"]
                assert each["words"]
        for bot in bots:
            actions = bot.actions()
            if actions:
                told = bot.play(random.Random(seed).choice(actions))
                assert told.status_code in (200, 409), told.text
                assert told.status_code == 200 or "question" in told.json()


def test_a_seat_is_offered_no_card_that_it_does_not_hold() -> None:
    """Where the companion knows its hand; everyone else is offered what fits, whoever holds it."""
    hand = ["red-1", "red-2", "blue-3", "blue-4", "green-5", "green-6", "wild"]
    header = open_header(game_of("uno_tiki"), NAMES[:2], {}, 1)
    setup = {**header.setup, "hands": [hand, None]}
    known = Header("uno_tiki", header.players, header.options, setup)
    live_session = LiveSession(open_log(), known)
    for action in ("turn tiki-draw4", "turn red-7"):
        live_session.referee.enter(action)
    pub = open_pub(live_session)
    plays = [action for action in Bot(pub, 0).actions() if action.startswith("play ")]
    assert plays[:2] == ["play red-1", "play red-2"]
    assert {action.split()[1] for action in plays} == {"red-1", "red-2", "wild"}
    listed = pub.stranger().get("/api/v1/legal").json()["actions"]
    assert {"play red-9", "play blue-7"} < {each["action"] for each in listed}


def test_a_program_plays_its_own_turn() -> None:
    """It is told what was entered and what comes next, as `tiki tell` is."""
    pub = open_pub(sit_down())
    bot = Bot(pub, 0)
    assert "up1 nani" in bot.actions()
    told = bot.play("up1 nani")
    assert told.status_code == 200
    assert "Nani" in told.json()["told"]
    assert pub.live_session.session.history.acts[-1].seat == 0
    assert bot.actions() == []


def test_an_illegal_action_is_refused_with_its_clause() -> None:
    """In a sentence, and nothing has changed; `tell` names the clause as well."""
    pub = open_pub(sit_down())
    bot = Bot(pub, 0)
    answer = bot.play("toast nani")
    assert answer.status_code == 409
    assert answer.json()["clause"] == "TT-8"
    assert answer.json()["error"].startswith("The rules do not allow that: ")
    key = {"authorization": f"Bearer {HOST_KEY}"}
    told = pub.stranger().ask("POST", "/api/v1/tell", {"action": "toast nani"}, headers=key)
    assert told.json() == answer.json()
    assert entries(pub) == 0


@pytest.mark.parametrize("action", ["", "x", "up1 nobody", "undo", "pause", "adopt 1", "🙂" * 300])
def test_no_action_at_all_is_refused(action: str) -> None:
    """Nor may a seat take back, pause or adopt, as the host may."""
    pub = open_pub(sit_down())
    answer = Bot(pub, 0).play(action)
    assert answer.status_code in (400, 409)
    assert answer.json()["error"]
    assert (entries(pub), pub.live_session.paused) == (0, False)


def test_anothers_turn_is_refused() -> None:
    """What only the seat whose turn it is may enter."""
    pub = open_pub(sit_down())
    answer = Bot(pub, 1).play("up1 nani")
    assert answer.status_code == 403
    assert entries(pub) == 0


def test_a_late_action_is_refused() -> None:
    """The list that it was chosen from was of another moment."""
    pub = open_pub(sit_down())
    bot = Bot(pub, 0)
    mark = bot.legal()["mark"]
    pub.live_session.referee.enter("up1 lokahi")
    pub.live_session.referee.undo()
    pub.live_session.changed()
    known = entries(pub)
    answer = bot.play("up1 nani", mark)
    assert answer.status_code == 409
    assert "changed in the meantime" in answer.json()["error"]
    assert entries(pub) == known
    assert bot.play("up1 nani").status_code == 200


def test_an_action_for_an_earlier_game_is_late() -> None:
    """Though that one had as many entries; the token goes on, as a phone stays."""
    pub = open_pub(sit("topple", seats=2))
    bot = Bot(pub, 0)
    mark = bot.legal()["mark"]
    begin_again(pub, pub.host())
    assert mark.partition(".")[2] == bot.legal()["mark"].partition(".")[2]
    answer = bot.play("chance", mark)
    assert (answer.status_code, entries(pub)) == (409, 0)
    assert "changed in the meantime" in answer.json()["error"]


def test_a_thousand_actions_are_too_many() -> None:
    """From the limit on each is refused until the clock goes on; other seats do not wait."""
    pub, clock = open_pub(sit_down()), Clock()
    pub.app.state.site.actions = WrongKeys(ACTIONS_PER_SEAT, clock=clock)
    bot, other = Bot(pub, 1), Bot(pub, 0)
    mark = bot.legal()["mark"]
    answers = [bot.play("up1 nani", mark) for _ in range(1000)]
    kinds = [answer.status_code for answer in answers]
    assert kinds == [403] * ACTIONS_PER_SEAT.burst + [429] * (1000 - ACTIONS_PER_SEAT.burst)
    assert answers[-1].headers["retry-after"] == "1"
    assert answers[-1].json()["error"] == "Too many tries. Try again in 1 second."
    assert entries(pub) == 0
    assert other.play("up1 nani").status_code == 200
    clock.now_s += 1
    assert bot.play("up1 lokahi").status_code == 200


def test_a_secret_is_kept_for_the_seat_alone() -> None:
    """A program enters its ranks, sees them, and nobody else is told them."""
    pub = open_pub(sit("tactiki", seats=2))
    bot, other = Bot(pub, 0), Bot(pub, 1)
    assert bot.legal()["secret"] == "ranks"
    assert pub.stranger().get("/api/v1/legal").json()["secret"] == ""
    told = bot.play(RANKS)
    assert told.status_code == 200
    assert_silent_about(told.text, RANKS)
    assert isinstance(pub.live_session.session.entries[-1].event, SecretEntered)
    own = bot.get("seat").json()
    assert own["secret"] == RANKS
    assert [piece["ranks"] for piece in own["view"]["cells"][4][0]] == [[1], [5]]
    assert other.get("seat").json()["secret"] is None
    assert RANKS not in other.get("seat").text
    assert other.play(RANKS).status_code == 403


def test_a_program_may_say_which_of_its_pieces_comes_back() -> None:
    """If it has entered the ranks; others are offered that one comes back, and not told which."""
    pub = open_pub(sit("tactiki", seats=2))
    bot, other = Bot(pub, 0), Bot(pub, 1)
    assert bot.play(RANKS).status_code == 200
    assert other.play(RANKS.replace("ranks 0", "ranks 1")).status_code == 200
    rng, referee = random.Random(2), pub.live_session.referee
    while "back" not in {action.split()[0] for action in bot.actions()}:
        referee.enter(rng.choice([each for each in referee.offers() if each != "draw"]))
        pub.live_session.changed()
    listed = [action for action in bot.actions() if action.startswith("back")]
    pool = pub.live_session.session.state.pools[0]
    assert {int(action.split()[2]) for action in listed} == set(pool)
    everyone = [each["action"] for each in pub.stranger().get("/api/v1/legal").json()["actions"]]
    backs = [action for action in everyone if action.startswith("back")]
    assert backs
    assert all(len(action.split()) == 2 for action in backs)
    assert bot.play(listed[0]).status_code == 200
    referee.undo()
    pub.host().post("/invite", seat="0")
    assert [action for action in Bot(pub, 0).actions() if action.startswith("back")] == backs


def test_a_secret_that_is_not_wanted_or_not_the_own_is_refused() -> None:
    """Another's, one that the rules do not know, and one that comes too late."""
    pub = open_pub(sit("tactiki", seats=2))
    bot = Bot(pub, 0)
    for action in (
        RANKS.replace("ranks 0", "ranks 1"),
        f"{RANKS} 1",
        "ranks 0 1 1 1 1 1 1 1 1 1 1",
    ):
        assert bot.play(action).status_code in (403, 409)
    pub.live_session.referee.enter("move 42 32")
    pub.live_session.changed()
    assert bot.legal()["secret"] == ""
    assert bot.play(RANKS).status_code == 409
    assert entries(pub) == 1


def test_the_next_holder_of_a_seat_does_not_see_its_ranks() -> None:
    """A new link must not open what another has entered there."""
    pub = open_pub(sit("tactiki", seats=2))
    Bot(pub, 0).play(RANKS)
    pub.host().post("/invite", seat="0")
    found = Bot(pub, 0).get("seat").json()
    assert found["secret"] is None
    assert '"ranks"' not in json.dumps(found["view"]["cells"])


def test_a_program_may_let_the_companion_roll() -> None:
    """`chance` is taken where the list says so, of the seat that rolls alone."""
    pub = open_pub(sit("topple", seats=2))
    bots = [Bot(pub, seat) for seat in (0, 1)]
    for _ in range(20):
        turn = pub.live_session.session.state.seat
        assert [bot.legal()["chance"] for bot in bots] == [turn == 0, turn == 1]
        assert bots[1 - turn].play("chance").status_code in (403, 409)
        assert bots[turn].play("chance").status_code == 200
        if pub.live_session.session.state.phase == "place":
            return
    pytest.fail("nobody has begun")


def test_the_pages_of_a_phone_answer_without_a_token() -> None:
    """A page of the seat's own may ask, too, by its cookie."""
    pub = open_pub(sit_down())
    player: Visitor = pub.player(0)
    assert player.get("/api/v1/legal").json()["seat"] == 0
    assert player.get("/api/v1/seat").json()["name"] == "Ann"
    assert pub.stranger().get("/api/v1/seat").status_code == 403
