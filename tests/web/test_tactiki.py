"""TacTiki on the pages: steps by two taps, attacks, returns, and ranks for one phone alone."""

import itertools
import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from starlette.requests import HTTPConnection

from companion.games.tactiki.pages import TOLD_WRONG
from companion.referee.sitting import Sitting
from companion.web.app import LIVE_PAGES
from companion.web.entering import NOT_OPENLY, NOT_YOURS
from tests.referee.test_entering import acts, sit, tell
from tests.tables import told
from tests.web.forms import Form, actions_of, form_of, forms_of
from tests.web.serving import served
from tests.web.test_browser import PHONE, TAP_PX, browser, phone
from tests.web.visitors import HOST_KEY, Pub, Visitor, alert, assert_silent_about, open_pub

__all__ = ["browser", "phone"]

ANNS = "1 5 2 4 3 3 4 2 5 1"
BOBS = "5 4 3 2 2 1 1 3 4 5"
TWINS = "5 4 3 2 1 2 1 3 4 5"
"""As BOBS, but for the two pieces on C1; each of them falls to a 3."""
SECRET = re.compile(r"data-own|data-rank|\b[1-5]( [1-5]){3,}\b|back \d\d [1-5]")


def sit_two(*actions: str) -> Sitting:
    """Return a game of Ann, who is TIKI, and Bob, at which *actions* have been entered."""
    return sit("tactiki", *actions, seats=2)


def play(pub: Pub, *actions: str) -> None:
    """Enter *actions* by hand, and let the pages know."""
    tell(pub.sitting, *actions)
    pub.sitting.changed()


def enter_ranks(visitor: Visitor, ranks: str) -> httpx.Response:
    """Return the answer to ten pickers that show *ranks*."""
    return visitor.post("/seat", **{f"piece{k}": rank for k, rank in enumerate(ranks.split())})


def form_with(page: httpx.Response, action: str) -> Form:
    """Return the one form of *page* by which *action* may be entered."""
    (found,) = (form for form in forms_of(page) if action in form.choices.get("action", ()))
    return found


def tap(visitor: Visitor, path: str, *actions: str, **parts: str) -> None:
    """Tap in *actions* on the page at *path*, by its own forms."""
    for action in actions:
        form = form_with(visitor.get(path), action)
        assert {*parts} <= {*form.choices}
        answer = visitor.post(form.path, **{**form.fields, **parts, "action": action})
        assert (answer.status_code, answer.headers["location"]) == (303, path), alert(answer)


def statue() -> list[str]:
    """Return the moves of a game in which TIKI builds the statue on C1 with the last of them."""
    ways = [("41", "42")] * 2 + [("43", "42")] + [("42", "42")] * 2
    tiki = [
        f"move {source} {target}"
        for start, column in reversed(ways)
        for source, target in itertools.pairwise(
            ([start] if start != column else []) + [f"{row}2" for row in (4, 3, 2, 1, 0)]
        )
    ]
    tac = ["move 02 01", "move 02 03"] + ["move 04 03", "move 03 04"] * 20
    turns = [tiki[at : at + 2] + tac[at : at + 2] for at in range(0, len(tiki), 2)]
    whole = [action for turn in turns for action in turn]
    return whole[: whole.index(tiki[-1], len(whole) - 4) + 1]


# A game, tapped in.


def test_a_game_without_ranks_is_tapped_in() -> None:
    """Steps, an attack that both sides may settle, a return: on phones and on the desk."""
    pub = open_pub(sit_two())
    host, ann, bob = pub.host(), pub.player(0), pub.player(1)
    assert "move 42 32" in actions_of(ann.get("/seat"))
    assert actions_of(bob.get("/seat")) == []
    tap(ann, "/seat", "move 42 32", "move 42 32")
    tap(bob, "/seat", "move 02 12", "move 12 22")
    tap(ann, "/seat", "move 32 22")
    for visitor, path in ((ann, "/seat"), (bob, "/seat"), (host, "/desk")):
        page = visitor.get(path)
        assert "TIKI attacks on C3: who was taken off?" in page.text
        assert actions_of(page) == ["clash win", "clash lose", "clash tie"]
        assert "the attacker" in page.text
        assert "neither: equal" in page.text
    assert 'data-sides="tac tiki" data-attacked' in pub.stranger().get("/").text
    tap(bob, "/seat", "clash lose")
    assert "1 defeated" in pub.stranger().get("/").text
    tap(host, "/desk", "move 32 31", "move 22 32", "move 32 33")
    assert "back 42" in actions_of(ann.get("/seat"))
    assert "part0" not in form_with(ann.get("/seat"), "back 42").choices
    tap(ann, "/seat", "back 42")
    board = pub.stranger().get("/").text
    assert "Ann: puts a piece back on C5" in board
    assert "1 defeated" not in board
    assert acts(pub.sitting)[-1] == "back 42"


def test_the_statue_ends_the_game() -> None:
    """TA-11: the last step is tapped, and all are told who has won."""
    *before, last = statue()
    pub = open_pub(sit_two(*before))
    ann = pub.player(0)
    board = pub.stranger().get("/").text
    assert 'data-sides="tiki tiki tiki tiki" data-arrived="4"' in board
    assert "4 of 5 for a statue" in board
    tap(ann, "/seat", last)
    board = pub.stranger().get("/").text
    assert '<span data-winner="0">Ann</span> wins!' in board
    assert 'data-sides="tiki tiki tiki tiki tiki" data-arrived="5"' in board
    assert "The game is over." in ann.get("/seat").text
    assert actions_of(pub.host().get("/desk")) == []


def test_a_draw_is_claimed_where_it_may_be() -> None:
    """TA-13: by the seat to act, or on the desk."""
    round_about = ("move 40 41", "move 41 40", "move 00 01", "move 01 00")
    pub = open_pub(sit_two(*round_about))
    ann, bob = pub.player(0), pub.player(1)
    assert "draw" not in actions_of(ann.get("/seat"))
    play(pub, *round_about)
    assert "draw" in actions_of(pub.host().get("/desk"))
    assert "draw" not in actions_of(bob.get("/seat"))
    tap(ann, "/seat", "draw")
    assert "Nobody has won" in pub.stranger().get("/").text


def test_the_board_shows_every_column() -> None:
    """Fields have names; height, top, all sides from the bottom up; sides differ in shape too."""
    pub = open_pub(sit_two("move 42 32", "move 32 22", "move 02 12", "move 12 22", "clash tie"))
    board = pub.stranger().get("/").text
    (field,) = re.findall(r'<g [^>]*data-spot="22".*?</g>', board, re.DOTALL)
    assert 'data-sides="tiki tac"' in field
    assert '<rect class="piece tribe tac" x="11"' in field
    assert ">2</text>" in field
    assert ">TAC</text>" in field
    assert '<circle class="piece tribe tiki"' in board
    assert "C3 TIKI TAC," in board
    for name in ("A5 TIKI TIKI,", "E1 TAC TAC,"):
        assert name in board


def test_each_player_sees_the_board_from_the_own_side() -> None:
    """The fields of a phone lie as they do before its owner; each step points where it goes."""
    pub = open_pub(sit_two("move 42 32", "move 43 33"))
    bob, host = pub.player(1).get("/seat").text, pub.host().get("/desk").text
    names = r'class="level" aria-hidden="true">([A-E][1-5])</span>\s*(?:</span>|</label>)'
    assert re.findall(names, bob)[:5] == ["E5", "D5", "C5", "B5", "A5"]
    assert re.findall(names, host)[:5] == ["A1", "B1", "C1", "D1", "E1"]
    assert 'class="spot to up" name="action" value="move 02 12"' in bob
    assert 'class="spot to left" name="action" value="move 02 03"' in bob
    assert 'class="spot to down" name="action" value="move 02 12"' in host
    play(pub, "move 02 12", "move 12 22")
    assert 'class="spot to up attack" name="action" value="move 32 22"' in host_desk(pub)


def host_desk(pub: Pub) -> str:
    """Return the desk as the host has it."""
    return pub.host().get("/desk").text


def test_a_new_game_asks_for_the_statue_and_not_who_begins() -> None:
    """TA-1: TIKI begins, always."""
    pub = open_pub(sit_two())
    host = pub.host()
    form = form_of(host.get("/desk/new"), "/new")
    assert form.choices["statue"] == ["five", "pure"]
    assert "first" not in form.choices
    assert host.post("/new", **{**form.fields, "statue": "pure"}).status_code == 303
    assert pub.sitting.header.options["statue"] == "pure"
    assert pub.sitting.header.setup == {}
    assert host.post("/new", **{**form.fields, "statue": "tall"}).status_code == 400


# Ranks.


def known_game(bobs: str = BOBS) -> tuple[Pub, Visitor, Visitor]:
    """Return a game whose ranks both have entered on their phones."""
    pub = open_pub(sit_two())
    ann, bob = pub.player(0), pub.player(1)
    for visitor, ranks in ((ann, ANNS), (bob, bobs)):
        answer = enter_ranks(visitor, ranks)
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    return pub, ann, bob


def lose_two(pub: Pub) -> None:
    """Let Bob attack Ann's 3 on C3 with both pieces of C1, and Ann move."""
    play(pub, "move 42 32", "move 32 22", "move 02 12", "move 12 22")
    play(pub, "move 40 30", "move 40 41", "move 02 12", "move 12 22")
    play(pub, "move 41 42", "move 42 41")


def test_known_ranks_settle_attacks() -> None:
    """Two entered sets of ranks: the companion tells the result, and asks nobody."""
    pub, ann, bob = known_game()
    assert pub.stranger().get("/").text.count("ranks kept") == 2
    tap(ann, "/seat", "move 42 32", "move 32 22")
    tap(bob, "/seat", "move 02 12", "move 12 22")
    board = pub.stranger().get("/").text
    assert "Bob attacks C3: falls" in board
    assert 'data-spot="22" data-sides="tiki"' in board
    assert actions_of(bob.get("/seat")) == []
    assert "Defeated: <b>1</b>" in bob.get("/seat").text


def test_a_phone_shows_its_own_ranks_and_what_clashes_showed() -> None:
    """Every own piece by its rank, the enemy's as far as clashes tell, behind a fold."""
    pub, ann, bob = known_game()
    page = ann.get("/seat").text
    assert '<details class="panel" id="peek"><summary>' in page
    own = re.findall(r'data-own="(\w+) (\d+)"', page)
    assert dict(own) == {f"tiki{k + 1}": rank for k, rank in enumerate(ANNS.split())}
    assert page.count('aria-label="TAC: unknown">?<') == 10
    play(pub, "move 42 32", "move 32 22", "move 02 12", "move 12 22")
    assert 'aria-label="TIKI: 3">3<' in bob.get("/seat").text
    play(pub, "move 41 31", "move 31 32")  # a 4, and it attacks nobody
    assert 'aria-label="TIKI: 4"' not in bob.get("/seat").text


def test_a_piece_comes_back_by_its_owners_phone() -> None:
    """TA-10: which one is chosen there and kept there; all read where it stands, and no more."""
    pub, ann, bob = known_game()
    lose_two(pub)
    form = form_with(bob.get("/seat"), "back 02")
    assert form.choices["part0"] == ["1", "2"]
    assert "part0" not in form.fields
    host = pub.host()
    assert "part0" not in form_with(host.get("/desk"), "back 02").choices
    mark = {"mark": str(pub.sitting.session.next_seq)}
    for visitor, sentence in ((host, NOT_OPENLY), (ann, NOT_YOURS)):
        for rank in (1, 5):
            refused = visitor.post("/enter", action=f"back 02 {rank}", **mark)
            assert (refused.status_code, alert(refused)) == (403, sentence)
    for rank in (1, 5):
        refused = host.post("/api/tell", action=f"back 02 {rank}")
        assert (refused.status_code, refused.json()["error"]) == (403, NOT_OPENLY)
        refused = host.post("/instead", action=f"back 02 {rank}", **mark)
        assert (refused.status_code, alert(refused)) == (403, NOT_OPENLY)
    tap(bob, "/seat", "back 02", part0="2")
    assert acts(pub.sitting)[-1] == "back 02 2"
    assert 'data-own="tac11 2"' in bob.get("/seat").text
    assert "Defeated: <b>1</b>" in bob.get("/seat").text
    assert 'aria-label="TAC: 1 or 2">12<' in ann.get("/seat").text
    assert told(pub.sitting, "move")[-1]["action"] == "back 02"
    assert "Bob: puts a piece back on C1" in pub.stranger().get("/").text


def test_a_piece_that_the_host_puts_back_may_be_each_of_the_defeated() -> None:
    """Where the phone is not at hand: the own page then says which ranks it may have."""
    pub, _, bob = known_game()
    lose_two(pub)
    assert "Best done on the phone that entered Bob" in host_desk(pub)
    assert "Best done on the phone" not in bob.get("/seat").text
    tap(pub.host(), "/desk", "back 02")
    page = bob.get("/seat").text
    assert 'data-own="tac11 12" aria-label="TAC, yours: 1 or 2">12<' in page
    assert "Defeated: <b>1 or 2</b>" in page


@pytest.mark.parametrize(
    "ranks",
    [
        ANNS[:-2],
        ANNS.replace("3 3", "3 4"),
        ANNS.replace("3 3", "3 0"),
        ANNS.replace("3 3", "3 x"),
        ANNS.replace("3 3", "3 33"),
        "5 5 5 5 5 5 5 5 5 5",
        "3",
    ],
)
def test_ranks_that_are_no_tribes_are_refused(ranks: str) -> None:
    """In one sentence that repeats nothing, and nothing is kept."""
    pub = open_pub(sit_two())
    answer = enter_ranks(pub.player(0), ranks)
    assert (answer.status_code, alert(answer)) == (
        400,
        "Pick a rank for all ten pieces: two of each from 1 to 5.",
    )
    assert "selected" not in answer.text
    assert not told(pub.sitting, "secret")


def test_ranks_are_entered_once_and_before_the_first_move() -> None:
    """TA-2: afterwards neither form nor answer takes any; nobody without a seat enters them."""
    pub, ann, _ = known_game()
    assert 'id="ranks"' not in ann.get("/seat").text
    late = open_pub(sit_two("move 42 32"))
    bob = late.player(1)
    assert 'id="ranks"' not in bob.get("/seat").text
    for visitor in (ann, bob):
        answer = enter_ranks(visitor, BOBS)
        assert (answer.status_code, "before the first move" in alert(answer)) == (409, True)
    for visitor in (pub.host(), pub.stranger()):
        assert enter_ranks(visitor, BOBS).status_code == 403
    assert len(told(pub.sitting, "secret")) == 2
    spoken = late.host().post("/enter", action=f"ranks 1 {BOBS}", mark=2)
    assert (spoken.status_code, "player's business" in alert(spoken)) == (409, True)
    assert_silent_about(alert(spoken), BOBS)


def test_a_new_phone_is_told_nothing_that_was_entered_before() -> None:
    """A link that was made anew opens the seat, but neither its ranks nor their returns."""
    pub, _, bob = known_game()
    lose_two(pub)
    assert pub.host().post("/invite", seat=1).status_code == 303
    assert bob.get("/seat").status_code == 403
    late = pub.player(1)
    page = late.get("/seat")
    assert "they stay hidden here" in page.text
    assert_silent_about(page.text, "data-own", "Defeated:", 'aria-label="TIKI: 3"')
    assert "part0" not in form_with(page, "back 02").choices
    refused = late.post("/enter", action="back 02 2", mark=pub.sitting.session.next_seq)
    assert (refused.status_code, alert(refused)) == (403, NOT_OPENLY)
    tap(late, "/seat", "back 02")


def test_a_wrong_result_is_explained_only_while_no_ranks_are_known() -> None:
    """TA-14: the clashes that contradict each other are named, unless that would tell of ranks."""
    moves = (
        *("move 42 32", "move 32 22", "move 02 12", "move 12 22", "clash tie"),
        *("move 40 30", "move 40 30", "move 22 21", "move 02 12"),
        *("move 30 31", "move 30 31", "move 12 22", "clash tie", "move 22 23"),
        *("move 31 32", "move 31 32", "move 21 22"),
    )
    for ranks in ("", "5 4 3 2 1 1 2 3 4 5"):
        pub = open_pub(sit_two())
        bob = pub.player(1)
        if ranks:
            assert enter_ranks(bob, ranks).status_code == 303
        play(pub, *moves)
        assert pub.sitting.session.state.phase == "clash"
        form = form_with(bob.get("/seat"), "clash win")
        refused = bob.post("/enter", **{**form.fields, "action": "clash win"})
        assert refused.status_code == 409
        if ranks:
            assert alert(refused) == f"The rules do not allow that: {TOLD_WRONG}."
        else:
            assert "turn 2: tac6 tied with tiki6" in alert(refused)


# What others are told.


def everything(pub: Pub, *visitors: Visitor) -> Iterator[str]:
    """Yield all that *visitors* can open, the pieces of their pages, and the event stream."""
    site = pub.app.state.site
    seqs = [told.seq for told in site.board().history]
    paths = ("/", "/desk", "/desk/new", "/seat", "/api/state", "/nothing")
    for visitor in visitors:
        for path in (*paths, *(f"/desk/correct/{seq}" for seq in seqs)):
            yield visitor.get(path).text
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        headers = [(b"cookie", cookie.encode()), (b"host", b"127.0.0.1")]
        scope = {"type": "http", "headers": headers, "scheme": "http", "path": "/", "root_path": ""}
        who = site.visitor(HTTPConnection(scope))
        for regions in LIVE_PAGES.values():
            yield from regions(site, who).values()
    for item in pub.sitting.feed.since(0):
        yield repr({key: value for key, value in item.body.items() if key != "at"})


QUIET = (
    *("move 42 32", "move 32 22", "move 00 10", "move 10 11"),
    *("move 42 32", "move 32 22", "move 02 12", "move 03 04"),
    *("move 44 34", "move 22 21", "move 12 13", "move 13 12"),
)
"""Nobody is attacked. Had Ann gone from C3 to C2 instead of from E5 to E4, Bob's next move would
have been possible only if Ann's piece had fallen there."""


def test_before_a_clash_nobody_is_told_any_rank(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Two games that differ in Bob's ranks alone are the same to Ann, the host and a stranger."""
    seen = []
    for ranks in (BOBS, "1 1 2 2 5 5 3 3 4 4"):
        keys = itertools.count()
        monkeypatch.setattr("secrets.token_urlsafe", lambda _, keys=keys: f"key-{next(keys)}")
        pub, ann, bob = known_game(ranks)
        enter_ranks(bob, ranks)
        enter_ranks(bob, ranks[2:])
        others = (ann, pub.host(), pub.stranger())
        shown = list(everything(pub, *others))
        play(pub, *QUIET)
        shown += everything(pub, *others)
        seen.append("\n".join((*shown, caplog.text)))
        caplog.clear()
        own = bob.get("/seat").text
        assert "data-own" in own
        assert ranks not in seen[-1]
    assert seen[0] == seen[1]


def test_the_others_are_told_how_attacks_went_and_no_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """TA-2: with clashes and a return that look alike, host and stranger see the same game."""
    seen = []
    for ranks, back in ((BOBS, "2"), (TWINS, "1")):
        keys = itertools.count()
        monkeypatch.setattr("secrets.token_urlsafe", lambda _, keys=keys: f"key-{next(keys)}")
        pub, ann, bob = known_game(ranks)
        others = (pub.host(), pub.stranger())
        lose_two(pub)
        shown = list(everything(pub, *others))
        tap(bob, "/seat", "back 02", part0=back)
        play(pub, "move 22 12", "move 41 31", "move 02 01", "move 01 00")
        shown += everything(pub, *others)
        seen.append("\n".join(shown))
        assert not SECRET.search(seen[-1])
        assert f'data-own="tac11 {back}"' in bob.get("/seat").text
        assert_silent_about("\n".join(everything(pub, ann)), 'data-own="tac')
    assert seen[0] == seen[1]


def test_the_comparison_of_ranks_can_fail() -> None:
    """Bob's own page differs by his ranks, and holds what is looked for on the others'."""
    pages = [known_game(ranks)[2].get("/seat").text for ranks in (BOBS, TWINS)]
    assert pages[0] != pages[1]
    assert SECRET.search(pages[0])


def test_known_ranks_correct_nothing_that_was_played_on() -> None:
    """What fits in a move's place would tell: without ranks it may be corrected, with them not."""
    blind = open_pub(sit_two(*QUIET)).host()
    assert "Correct something earlier" in blind.get("/desk").text
    assert 'value="move 41 31"' in blind.get("/desk/correct/9").text
    pub, _, _ = known_game()
    play(pub, *QUIET)
    host = pub.host()
    assert "Correct something earlier" not in host.get("/desk").text
    assert 'name="action"' not in host.get("/desk/correct/11").text
    answer = host.post("/correct", seq=11, action="move 41 31", mark=pub.sitting.session.next_seq)
    assert answer.status_code == 409


# In a browser.


@pytest.mark.browser
def test_what_is_filled_in_outlives_a_live_update(phone: BrowserContext) -> None:
    """Ranks half entered, and a piece that was chosen, stay while the others go on."""
    with served(sit_two) as house:
        page = phone.new_page()
        link = house.do(lambda _: house.pub.keys.invitation(0))
        page.goto(f"{house.url}join/{link}")
        page.click("button.main")
        page.click("#ranks > summary")
        page.select_option("#piece3", "4")
        page.click("label[for=seat-from-42]")
        mark = page.locator("[data-region=seat]").get_attribute("data-mark")

        def others_ranks(sitting: Sitting) -> None:
            sitting.referee.enter_secret(1, f"ranks 1 {BOBS}")
            sitting.changed()

        house.do(others_ranks)
        expect(page.locator("[data-region=seat]")).not_to_have_attribute("data-mark", mark or "")
        expect(page.locator("#piece3")).to_have_value("4")
        expect(page.locator("#ranks")).to_have_attribute("open", "")
        page.click("button.to.up:visible")
        expect(page.locator("#last-move")).to_contain_text("Ann: moves C5 to C4")
        assert house.do(acts)[-1] == "move 42 32"


@pytest.mark.browser
def test_a_step_is_two_taps_without_any_script(browser: Browser) -> None:
    """First the piece, then one of the fields that then show themselves, all large enough."""
    width, height = PHONE
    with served(sit_two) as house:
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=False
        )
        page = context.new_page()
        page.goto(f"{house.url}?key={HOST_KEY}")
        page.goto(f"{house.url}desk")
        assert page.locator("button.to:visible").count() == 0
        page.click("label[for=desk-from-40]")
        targets = page.locator("button.to:visible")
        assert [each.get_attribute("value") for each in targets.all()] == [
            "move 40 30",
            "move 40 41",
        ]
        for each in (*targets.all(), page.locator("label[for=desk-from-41]")):
            box = each.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= TAP_PX
        page.click('button[value="move 40 41"]')
        assert page.url == f"{house.url}desk"
        assert house.do(acts) == ["move 40 41"]
        context.close()
