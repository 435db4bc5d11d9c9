"""A new game from the desk: all games are offered, and what the form says is how it begins."""

import re
from itertools import pairwise

import pytest

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import GAMES, game_of
from tests.referee.entering import sit
from tests.tables import NAMES, open_log, sit_down, told
from tests.web.forms import form_of
from tests.web.games import open_game, seats_of
from tests.web.visitors import alert, open_pub


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_chosen(game: str) -> None:
    """Whatever is on, there is a button for each game; the one whose form is shown is marked."""
    host = open_pub(open_game(game)).host()
    for chosen in GAMES:
        page = host.get(f"/desk/new?game={chosen}").text
        for each in GAMES:
            pressed = "true" if each == chosen else "false"
            assert re.search(rf'value="game-{each}"[^>]*aria-pressed="{pressed}"', page)
            assert f"<b>{game_of(each).title}</b>" in page
            assert f"#{each}" in page
        assert f">Start {game_of(chosen).title}</button>" in page
    assert host.get("/desk/new").text == host.get(f"/desk/new?game={game}").text


@pytest.mark.parametrize(("before", "game"), [*pairwise((*GAMES, *GAMES))][: len(GAMES)])
def test_another_game_than_the_one_that_is_on_begins(before: str, game: str) -> None:
    """The form as it stands opens the chosen game, for the people who are there; links are new."""
    pub = open_pub(open_game(before))
    host, link = pub.host(), pub.keys.invitation(0)
    begun: list[str] = []
    pub.live_session.on_game.add(begun.append)
    form = form_of(host.get(f"/desk/new?game={game}"), "/new")
    answer = host.post("/new", step="start", **form.fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk")
    assert pub.live_session.header.game == game
    assert pub.live_session.header.players == NAMES[: seats_of(game, seats_of(before))]
    assert begun == [game]
    assert told(pub.live_session, "closed")
    assert f"<h1>{game_of(game).title}</h1>" in pub.stranger().get("/").text
    assert host.get("/desk").status_code == 200
    assert pub.stranger().post(f"/join/{link}").status_code == 410
    assert pub.player(0).get("/seat").status_code == 200


def test_no_game_of_that_name_is_said() -> None:
    """A name that is not listed is refused in a sentence, and the game goes on."""
    pub = open_pub(sit_down())
    host = pub.host()
    assert host.get("/desk/new?game=chess").status_code == 404
    answer = host.post("/new", step="start", game="chess", players=2)
    assert (answer.status_code, alert(answer)) == (
        404,
        "That game is not available. Choose one from the list.",
    )
    assert not told(pub.live_session, "closed")


def test_what_the_settings_say_of_a_game_comes_with_it() -> None:
    """The options of this table are in the form, and count where the form does not ask."""
    pub = open_pub(sit_down())
    chosen = {"target": 35, "colours": ["red", "orange", "white", "purple"]}
    pub.app.state.site.table.usual = lambda game: chosen if game == "topple" else {}
    host = pub.host()
    form = form_of(host.get("/desk/new?game=topple"), "/new")
    assert form.fields["target"] == "35"
    assert host.post("/new", step="start", **form.fields).status_code == 303
    options = pub.live_session.header.options
    assert {key: options[key] for key in chosen} == chosen


def test_a_new_game_puts_the_old_one_away() -> None:
    """Players, names, sides and rounds are chosen; the seats' old links are void."""
    pub = open_pub(sit_down())
    host, old = pub.host(), pub.keys.invitation(0)
    answer = host.post(
        "/new",
        step="start",
        game="tiki_topple",
        players=2,
        name0=" Eva ",
        name1="Finn",
        side0="far",
        side1="near",
        rounds="2",
    )  # fmt: skip
    assert answer.status_code == 303
    header = pub.live_session.header
    assert (header.players, header.sides) == (("Eva", "Finn"), ("far", "near"))
    assert header.options["rounds"] == 2
    assert told(pub.live_session, "closed")
    assert pub.stranger().post(f"/join/{old}").status_code == 410


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"players": "5"}, "“players” must be a number from 2 to 4."),
        ({"players": "two"}, "“players” must be a number from 2 to 4."),
        ({"rounds": "2"}, "“players” is missing from the form; go back and send it again."),
        ({"players": "2", "name0": "x" * 21}, "A player’s name may have at most 20 characters."),
        (
            {"players": "2", "name0": "a\x1bb"},
            "A player’s name may have only letters, digits and spaces.",
        ),
        ({"players": "2", "name0": "Ann", "name1": "ANN"}, "Two players have the same name"),
        ({"players": "2", "rounds": "0"}, "Enter a whole number from 1 to 12."),
        ({"players": "2", "first": "2"}, "Choose one of the players shown."),
        ({"players": "2", "side0": "near", "side1": "near"}, "Two players are on the same side"),
    ],
)
def test_a_new_game_that_cannot_be_is_refused(form: dict[str, str], sentence: str) -> None:
    """One sentence says what is wrong, and the game goes on."""
    pub = open_pub(sit_down())
    answer = pub.host().post("/new", step="start", game="tiki_topple", **form)
    assert answer.status_code == 400
    assert sentence in alert(answer)
    assert not told(pub.live_session, "closed")


@pytest.mark.parametrize(
    ("game", "form", "setup"),
    [
        ("topple", {"players": "4", "target": "40", "first": "2"}, {"first": 2}),
        ("topple", {"players": "2", "first": "chance"}, {}),
        ("uno_tiki", {"players": "10", "first": "9"}, {"dealer": 9}),
        ("uno_tiki", {"players": "3"}, {"dealer": 0}),
    ],
)
def test_a_new_game_begins_as_the_form_says(
    game: str, form: dict[str, str], setup: dict[str, int]
) -> None:
    """Seats by the game, points to win, and who begins or deals, or chance."""
    pub = open_pub(sit(game))
    host = pub.host()
    assert "Points to win" in host.get("/desk/new").text
    assert host.post("/new", step="start", game=game, **form).status_code == 303
    header = pub.live_session.header
    assert (header.game, len(header.players), dict(header.setup)) == (
        game,
        int(form["players"]),
        setup,
    )
    assert header.options["target"] == int(form.get("target", header.options["target"]))
    assert host.post("/new", step="start", game=game, players="11").status_code == 400


@pytest.mark.parametrize(
    ("game", "key", "sent", "kept"),
    [
        ("topple", "young", "yes", True),
        ("topple", "young", None, False),
        ("uno_tiki", "scoring", "lowest", "lowest"),
    ],
)
def test_a_flag_and_a_word_are_chosen(game: str, key: str, sent: str | None, kept: object) -> None:
    """A box that is not ticked says no; one of several words is taken as it is."""
    pub = open_pub(sit_down())
    form = {key: sent} if sent else {}
    assert pub.host().post("/new", step="start", game=game, players=3, **form).status_code == 303
    assert pub.live_session.header.options[key] == kept


def test_a_word_that_was_not_offered_is_refused() -> None:
    """Only one of those shown will do."""
    pub = open_pub(sit_down())
    answer = pub.host().post("/new", step="start", game="uno_tiki", players=3, scoring="highest")
    assert (answer.status_code, alert(answer)) == (400, "Choose one of the options shown.")
    assert not told(pub.live_session, "closed")


def test_a_new_game_keeps_what_the_table_has_chosen() -> None:
    """The edition's colours and other options stay; what hangs on the number of seats does not."""
    chosen = {"colours": ["red", "orange", "white", "purple"], "next_start": "same"}
    header = open_header(game_of("topple"), NAMES[:2], {**chosen, "target": 30}, 0)
    pub = open_pub(LiveSession(open_log(), header))
    host = pub.host()
    assert 'value="30"' in host.get("/desk/new").text
    assert host.post("/new", step="start", game="topple", players="3", target="").status_code == 303
    options = pub.live_session.header.options
    assert {key: options[key] for key in chosen} == chosen
    assert (options["target"], options["two_colours"]) == (30, False)
