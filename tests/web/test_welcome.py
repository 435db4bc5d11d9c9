"""The welcome page: from the host's key to the first move, with nothing that was typed lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.language.catalogue import LANGUAGES
from companion.registry import GAMES
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.pages.game_pages import pages_for
from companion.web.running_table import RunningTable
from companion.web.table_memory import TableMemory
from hardware.output_devices import OutputDevices
from tests.tables import sit_down, told
from tests.web.forms import Form, form_of
from tests.web.phones import Phone
from tests.web.screens import PHONE, SMALL_PHONE, TELEVISION, sticks_out
from tests.web.serving import served
from tests.web.visitors import HOST_KEY, Pub, Visitor, alert, open_pub

READABLE_PX = 40
"""From four metres, at 1080p."""
FONT_SIZES = """place => [...place.querySelectorAll("*")]
  .filter(each => !each.closest("svg") && each.checkVisibility())
  .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .map(each => parseFloat(getComputedStyle(each).fontSize))"""
TAPS_TO_FIRST_MOVE = 8
"""From the host's key on: game, players, two sides, start, the host's seat, the die, a piece."""


def new_pub(folder: Path | None = None) -> Pub:
    """Return pages of a table that nobody has set up."""
    live_session, keys, outputs = sit_down(line=None), Keys(HOST_KEY), OutputDevices()
    memory = TableMemory(folder and folder / "games.table.json", is_set_up=False)
    table = RunningTable(live_session, keys, outputs, memory=memory)
    return Pub(live_session, create_app(table), keys, outputs)


def welcome(host: Visitor) -> Form:
    """Return the form of the welcome page."""
    return form_of(host.get("/welcome"), "/new")


def step(host: Visitor, form: Form, name: str, **typed: str) -> Form:
    """Return the form after *typed* was entered into it and the button *name* tapped."""
    answer = host.post("/new", **form.fields | typed, step=name)
    assert answer.status_code == 200, alert(answer)
    return form_of(answer, "/new")


def test_the_hosts_key_leads_to_the_welcome_page_once() -> None:
    """Until the table is set up; the rooms' pages say that it is being set up."""
    pub = new_pub()
    host = pub.stranger()
    answer = host.get(f"/?key={HOST_KEY}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/welcome")
    assert "Welcome to Tiki Companion" in host.get("/welcome").text
    assert 'href="/welcome"' in host.get("/").text
    assert "is being set up" in pub.stranger().get("/").text
    assert 'id="joining"' not in host.get("/").text
    assert host.post("/new", step="start", **welcome(host).fields).status_code == 303
    assert pub.stranger().get(f"/?key={HOST_KEY}").headers["location"] == "/"
    assert 'id="join-code"' in host.get("/").text


def test_every_game_says_what_it_is_and_who_begins() -> None:
    """A sentence each, which ends as sentences do; in a game of a box every option has one too."""
    for game, listed in GAMES.items():
        pages = pages_for(game)
        assert pages.summary.endswith("."), game
        if not listed.has_mat:
            continue
        for words in (pages.first_reason, *(each.help for each in pages.choices)):
            assert words.endswith("."), (game, words)
        page = new_pub().host().get(f"/desk/new?game={game}").text
        for each in pages.choices:
            if each.is_asked(3):
                assert each.help.split("’")[0] in page, each.key


def test_names_are_asked_for_the_players_there_are() -> None:
    """So many fields as players, and who changes the number loses no name."""
    host = new_pub().host()
    form = step(host, welcome(host), "players-2")
    names = [name for name in form.fields if name.startswith("name")]
    assert names == ["name0", "name1"]
    form = step(host, form, "players-4", name0="Ann", name1="Bob")
    form = step(host, form, "players-4", name2="Cleo", name3="Dora")
    form = step(host, form, "players-3")
    shown = host.post("/new", **form.fields, step="look").text
    assert shown.count('maxlength="20"') == 3
    form = step(host, form, "players-4")
    assert [form.fields[f"name{seat}"] for seat in range(4)] == ["Ann", "Bob", "Cleo", "Dora"]


def test_another_game_keeps_the_people() -> None:
    """Its own options come instead, and its number of players."""
    host = new_pub().host()
    form = step(host, welcome(host), "game-uno_tiki", name0="Ann")
    form = step(host, form, "players-10", name9="Zoe", target="250")
    assert form.fields["target"] == "250"
    form = step(host, form, "game-topple")
    assert (form.fields["players"], form.fields["target"]) == ("4", "100")
    form = step(host, form, "game-tactiki")
    assert (form.fields["players"], form.fields["name0"]) == ("2", "Ann")
    form = step(host, step(host, form, "game-uno_tiki"), "players-10")
    assert form.fields["name9"] == "Zoe"


def test_a_tap_on_the_table_seats_the_next_player() -> None:
    """And another one on the same side makes it free again."""
    pub = new_pub()
    host = pub.host()
    form = step(host, step(host, welcome(host), "players-2"), "side-near", name0="Ann")
    form = step(host, form, "side-far")
    assert (form.fields["side0"], form.fields["side1"]) == ("near", "far")
    form = step(host, form, "side-near")
    assert "side0" not in form.fields
    answer = host.post("/new", step="start", **form.fields)
    assert (answer.status_code, alert(answer)) == (
        400,
        "Also tap where Ann sits, or leave the whole drawing empty.",
    )
    form = step(host, form_of(answer, "/new"), "side-right")
    assert host.post("/new", step="start", **form.fields).status_code == 303
    assert pub.live_session.header.sides == ("right", "far")


def test_the_last_of_four_sits_where_nobody_else_does() -> None:
    """Three taps are enough."""
    pub = new_pub()
    host = pub.host()
    form = step(host, welcome(host), "players-4")
    for side in ("side-near", "side-left", "side-far"):
        form = step(host, form, side)
    assert host.post("/new", step="start", **form.fields).status_code == 303
    assert pub.live_session.header.sides == ("near", "left", "far", "right")


def test_what_was_wrong_is_said_beside_the_field_and_nothing_is_lost() -> None:
    """The names, the colours and the options stand as they were typed."""
    pub = new_pub()
    host = pub.host()
    form = step(host, welcome(host), "game-tippi_toppi")
    typed = {"name0": "Ann", "name1": "ann", "goals": "0", "colour1": form.fields["colour0"]}
    answer = host.post("/new", step="start", **form.fields | typed)
    assert answer.status_code == 400
    for name in ("name1", "goals", "colour1"):
        assert f'id="wrong-{name}"' in answer.text
        assert f'wrong-{name}"' in answer.text.partition(f'name="{name}"')[2].partition(">")[0]
    again = form_of(answer, "/new").fields
    assert (again["name0"], again["name1"], again["goals"]) == ("Ann", "ann", "0")
    assert answer.text.count('role="alert"') >= 1
    assert '<details class="panel" id="rules" open>' in answer.text
    assert not told(pub.live_session, "closed")


def test_colours_are_chosen_where_the_pieces_do_not_say() -> None:
    """Each its own; in Topple the pieces have theirs."""
    pub = new_pub()
    host = pub.host()
    form = step(host, step(host, welcome(host), "game-uno_tiki"), "players-2")
    sent = form.fields | {"colour0": "white", "colour1": "red"}
    assert host.post("/new", step="start", **sent).status_code == 303
    assert pub.live_session.header.colours == ("white", "red")
    page = host.get("/desk/new?game=topple").text
    assert "plays pink" in page
    assert '<select name="colour0"' not in page
    assert host.post("/new", step="start", **sent | {"colour0": "mauve"}).status_code == 400


def test_two_colours_are_asked_of_two_players_only() -> None:
    """With three it is not asked, and no answer is made up."""
    pub = new_pub()
    host = pub.host()
    form = step(host, step(host, welcome(host), "game-topple"), "players-3")
    assert "two_colours" not in form.fields
    form = step(host, form, "players-2")
    assert form.fields["two_colours"] == "yes"
    del form.fields["two_colours"]
    assert host.post("/new", step="start", **form.fields).status_code == 303
    assert pub.live_session.header.options["two_colours"] is False


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_has_a_language_of_its_own(tmp_path: Path, language: str) -> None:
    """It is the host's at first, and kept; players without a name are called in it."""
    pub = new_pub(tmp_path)
    host = pub.host()
    page = host.ask("GET", "/welcome", headers={"accept-language": language})
    assert form_of(page, "/new").fields["language"] == language
    fields = welcome(host).fields | {"language": language}
    assert host.post("/new", step="start", **fields).status_code == 303
    kept = TableMemory(tmp_path / "games.table.json", is_set_up=False)
    assert (kept.language, kept.is_set_up) == (language, True)
    assert host.post("/new", step="start", **fields | {"language": "tlh"}).status_code == 400


@pytest.mark.parametrize("text", ["", "{", "[]", '{"language": 1}', "[" * 100_000])
def test_a_spoilt_memory_is_begun_anew(tmp_path: Path, text: str) -> None:
    """The worst of it is that the host is welcomed again."""
    file = tmp_path / "table.json"
    file.write_text(text)
    memory = TableMemory(file, is_set_up=False)
    assert (memory.language, memory.is_set_up) == ("en", False)
    assert not TableMemory(file, is_set_up=True).is_set_up  # as it was begun anew


def test_the_mat_that_the_camera_sees_is_offered() -> None:
    """By name, with a button that chooses it in the form."""
    pub = new_pub()
    host = pub.host()
    assert "lay out a game’s mat" in host.get("/welcome").text
    pub.app.state.site.spotted = "topple"
    page = host.get("/welcome").text
    assert "The camera sees the corner tiles of Topple." in page
    assert 'form="newgame" class="main" name="step" value="game-topple"' in page


def test_every_game_has_a_sign() -> None:
    """One symbol each in one picture."""
    sprite = open_pub(sit_down()).stranger().get("/static/signs.svg")
    assert sprite.headers["content-type"].startswith("image/svg+xml")
    for game in GAMES:
        assert f'<symbol id="{game}"' in sprite.text


def test_from_the_key_to_the_first_move(browser: Browser) -> None:
    """The host's key, a game, who plays, where they sit, start, sit down, play: by taps alone."""
    with served(lambda: sit_down(line=None)) as house:
        house.pub.app.state.site.table.memory.is_set_up = False
        page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        page.goto(house.host_url)
        assert page.url == f"{house.url}welcome"
        phone = Phone(page, house)
        phone.tap('button[value="game-topple"]')
        phone.tap('button[value="players-2"]')
        for seat, name in enumerate(("Ann", "Bob")):
            page.locator(f"[name=name{seat}]").fill(name)
        phone.tap("button.near")
        phone.tap("button.far")
        expect(page.locator("button.far")).to_contain_text("Bob")
        phone.tap('button[value="start"]')
        expect(page.locator("#join-code")).to_be_visible()
        phone.tap("text=This phone is Ann’s")
        assert page.url == f"{house.url}desk"
        phone.tap('button[value="roll 6"]')
        phone.tap('button[value="place 22"]')
        expect(page.locator("#last-move")).to_contain_text("Ann")
        assert house.do(lambda live_session: live_session.header.sides) == ("near", "far")
        assert phone.taps == TAPS_TO_FIRST_MOVE


def test_nothing_sticks_out_of_the_pages_of_the_lobby(browser: Browser) -> None:
    """Long names, ten players, a phone as small as they come: it all fits across."""
    with served(sit_down) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(house.host_url)
        code = house.pub.keys.code
        paths = ["desk/new?game=uno_tiki", "desk/new", "desk", f"join?code={code}", "desk/past", ""]
        for path in paths:
            page.goto(f"{house.url}{path}")
            if path.endswith("uno_tiki"):
                page.locator('button[value="players-10"]').click()
                for seat in range(10):
                    page.locator(f"[name=name{seat}]").fill(f"Wilhelmina-Beatrix{seat}")
                page.locator('button[value="start"]').click()
                page.goto(house.url)
            for size in (SMALL_PHONE, TELEVISION, PHONE):
                page.set_viewport_size(size)
                assert sticks_out(page)[0] <= 0, (path, size)


def test_a_television_shows_the_lobby_and_then_the_table(browser: Browser) -> None:
    """The code as large as a hand while phones join, the players as they come; nothing else."""
    with served(sit_down) as house:
        page = browser.new_page(viewport=TELEVISION)
        page.goto(house.url)
        page.locator(".screen-ask button").click()
        sign = page.locator("#screen-sign").text_content() or ""
        cookie = house.pub.app.state.site.screens.take(sign)
        house.do(lambda _: let_in(house.pub, cookie or ""))
        code = page.locator("#join-code")
        expect(code).to_have_text(house.pub.keys.code)
        box = code.bounding_box()
        assert box
        assert box["height"] > 100
        sizes = page.locator("#joining").evaluate(FONT_SIZES)
        assert min(sizes) >= READABLE_PX, sizes
        expect(page.locator(".region.table")).to_be_hidden()
        who = page.locator(".here .who").first.bounding_box()
        assert who
        assert box["x"] + box["width"] < who["x"]
        expect(page.locator("[data-here='1']")).to_have_count(0)
        house.do(lambda _: join(house.pub, 1))
        expect(page.locator("[data-here='1']")).to_contain_text("Bob")
        down = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        assert down <= 0
        house.do(lambda live_session: live_session.referee.enter("up1 lokahi"))
        house.do(lambda live_session: live_session.changed())
        expect(page.locator(".region.table")).to_be_visible()
        expect(code).to_have_count(0)


def let_in(pub: Pub, cookie: str) -> None:
    """Let the browser that holds *cookie* be a screen of the table."""
    pub.keys.add_screen(cookie)
    pub.live_session.changed()


def join(pub: Pub, seat: int) -> None:
    """Let a phone take *seat*."""
    assert pub.keys.claim(pub.keys.invitation(seat) or "", 0)
    pub.live_session.changed()
