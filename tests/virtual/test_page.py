"""The page of the virtual table in a real browser, whose companion says what each test says."""

import json

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.table.readers import usual_table
from tests.virtual.opened_pages import ASIDE, BOARD, CARDS, FREE, LAPTOP, NARROW, POSE, opened
from tests.virtual.pointing import Finger, Table
from tests.virtual.stand_in import cards, discs, standing_in
from tests.web.screens import PHONE, TAP_PX, grave, sticks_out


@pytest.mark.parametrize("by_touch", [False, True], ids=["mouse", "finger"])
def test_a_piece_is_taken_carried_and_put_where_it_is_let_go(
    browser: Browser, *, by_touch: bool
) -> None:
    """The companion hears of the hand at most twenty times a second, and last that it is away."""
    screen = PHONE if by_touch else LAPTOP
    with (
        standing_in(BOARD, discs()) as table,
        opened(browser, table, screen, has_touch=by_touch) as page,
    ):
        hand = Table(page, by_touch=by_touch)
        hand.drag(hand.pieces[1], *FREE)
        (put,) = table.wait("put")
        table.wait("away")
        kinds = [each["do"] for each in table.said if each["do"] not in ("hello", "visible")]
        assert kinds == ["take", *["point"] * len(table.of("point")), "put", "away"]
        assert (put["x"], put["y"]) == pytest.approx(FREE, abs=1.5)
        moved = [t for t, each in zip(table.at_s, table.said, strict=True) if each["do"] == "point"]
        assert len(moved) > 2
        assert len(moved) <= 2 + 21 * (moved[-1] - moved[0])
        hand.wait(lambda pieces: abs(pieces[1]["y"] - FREE[1]) < 1.5, "it lies elsewhere")


def test_a_piece_that_is_let_go_near_a_place_is_put_on_it(browser: Browser) -> None:
    """A mark shows where; who cheats puts it exactly where the hand is."""
    balance = usual_table(BOARD)["layout"]["balance"]
    spot = balance["spots"][1][2]
    x, y = balance["x"] + spot["x"], balance["y"] + spot["y"]
    with standing_in(BOARD, discs()) as table, opened(browser, table) as page:
        hand = Table(page)
        with hand.carrying(hand.pieces[2], x + 6, y - 5):
            ghost = page.evaluate("virtualTable.drawing.scene.marks.ghost")
            assert (ghost["x"], ghost["y"]) == (x, y)
        (put,) = table.wait("put")
        assert (put["x"], put["y"]) == (x, y)
        assert page.evaluate("virtualTable.drawing.scene.marks.ghost") is None
        page.get_by_role("button", name="Cheat").click()
        expect(page.get_by_role("button", name="Cheat")).to_have_attribute("aria-pressed", "true")
        hand.drag(hand.pieces[3], x + 6, y - 5)
        put = table.wait("put", 2)[1]
        assert (put["x"], put["y"]) == pytest.approx((x + 6, y - 5), abs=2)


@pytest.mark.slow
def test_what_is_refused_is_said_and_lies_where_it_was(browser: Browser) -> None:
    """The hand holds nothing any more, and puts nothing."""
    with (
        standing_in(BOARD, discs(), refuses="Another hand holds that.") as table,
        opened(browser, table) as page,
    ):
        hand = Table(page)
        before = hand.pieces[1]
        hand.drag(before, *FREE)
        expect(page.locator("#said")).to_have_text("Another hand holds that.")
        assert hand.pieces[1] == before
        assert table.of("put") == []


@pytest.mark.slow
def test_the_background_is_dragged_to_look_from_elsewhere(browser: Browser) -> None:
    """The wheel and the arrow keys too; the companion hears nothing of it."""
    with standing_in(BOARD, discs()) as table, opened(browser, table) as page:
        before = page.evaluate(POSE)
        page.mouse.move(60, 500)
        page.mouse.down()
        page.mouse.move(160, 540, steps=4)
        page.mouse.up()
        turned = page.evaluate(POSE)
        assert turned["azimuth"] != before["azimuth"]
        assert turned["height"] > before["height"]
        page.mouse.wheel(0, 100)
        page.wait_for_function("d => virtualTable.pose.distance > d", arg=turned["distance"])
        page.locator("#scene").focus()
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(POSE)["azimuth"] != turned["azimuth"]
        assert {each["do"] for each in table.said} == {"hello"}


def test_two_fingers_bring_the_table_nearer_and_turn_what_is_held(browser: Browser) -> None:
    """Away from any piece they move the view, on a card the second one turns it."""
    with (
        standing_in(CARDS, cards()) as table,
        opened(browser, table, PHONE, has_touch=True) as page,
    ):
        finger, hand = Finger(page), Table(page, by_touch=True)
        x, y = hand.pixels_of(hand.pieces[1])
        finger.touch("touchStart", (x, y))
        finger.touch("touchMove", (x - 30, y))
        finger.touch("touchStart", (x - 30, y), (x - 30, y - 80))
        finger.touch("touchMove", (x - 30, y), (x + 50, y))
        finger.touch("touchEnd")
        (put,) = table.wait("put")
        assert put.get("turn") == pytest.approx(90, abs=2), table.said
        far = page.evaluate(POSE)["distance"]
        finger.touch("touchStart", (150, 110))
        finger.touch("touchStart", (150, 110), (200, 110))
        for wide in (80, 110, 140):
            finger.touch("touchMove", (150, 110), (150 + wide, 110))
        finger.touch("touchEnd")
        assert page.evaluate(POSE)["distance"] < far
        assert len(table.of("take")) == 1


@pytest.mark.slow
def test_the_wheel_turns_what_is_held(browser: Browser) -> None:
    """By fifteen degrees a notch."""
    with standing_in(CARDS, cards()) as table, opened(browser, table) as page:
        hand = Table(page)
        with hand.carrying(hand.pieces[1], 60, 60):
            page.mouse.wheel(0, 100)
            page.mouse.wheel(0, 100)
            page.wait_for_function("() => virtualTable.hand.turn === 30")
        (put,) = table.wait("put")
        assert put["turn"] == 30


def test_pieces_are_moved_by_keys_alone(browser: Browser) -> None:
    """Tab finds one, Enter takes it, arrows carry it, Enter puts it; each step is said aloud."""
    with standing_in(BOARD, discs()) as table, opened(browser, table) as page:
        page.locator("#by-name summary").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        button = page.locator("#piece-list button").first
        expect(button).to_be_focused()
        expect(button).to_contain_text("blue disc")
        page.keyboard.press("Enter")
        expect(page.locator("#announced")).to_contain_text("You hold blue disc")
        for _ in range(3):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        (put,) = table.wait("put")
        assert (put["x"], put["y"]) == (21.0, 60.0 + 80 + 15)
        expect(page.locator("#announced")).to_contain_text("blue disc lies now")
        page.wait_for_function(
            "() => [...virtualTable.world.pieces.values()].some(({ y }) => y === 155)"
        )
        expect(button).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Escape")
        assert (table.wait("put", 2)[1]["y"], page.evaluate("virtualTable.hand.id")) == (155, None)
        page.get_by_label("Put the chosen piece").select_option("row 2, column 3")
        put = table.wait("put", 3)[2]
        assert (put["x"], put["y"]) == (180, 144)


def test_cards_are_played_from_the_own_hand_and_taken_back(browser: Browser) -> None:
    """By a mouse out of the strip, and into it."""
    with standing_in(CARDS, cards()) as table, opened(browser, table) as page:
        own = page.locator("#own-hand button")
        expect(own).to_have_count(3)
        expect(own.first).to_have_accessible_name("card: red 7")
        hand = Table(page)
        box = own.first.bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + 30)
        page.mouse.down()
        end = hand.pixels(330, 150)
        page.mouse.move(end[0], end[1] + 60, steps=5)
        page.mouse.move(*end, steps=3)
        page.wait_for_timeout(100)
        page.mouse.up()
        (put,) = table.wait("put")
        assert (put["x"], put["y"]) == (330, 150)
        expect(own).to_have_count(2)
        lying = hand.find(lambda each: each["id"] == 2)
        x, y = hand.pixels_of(lying)
        box = page.locator("#own-hand").bounding_box()
        assert box
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 40, steps=6)
        page.mouse.up()
        table.wait("stow")
        expect(own).to_have_count(3)


@pytest.mark.slow
def test_a_finger_plays_a_card_from_the_own_hand(browser: Browser) -> None:
    """Upwards it leaves the strip."""
    with (
        standing_in(CARDS, cards()) as table,
        opened(browser, table, PHONE, has_touch=True) as page,
    ):
        hand, finger = Table(page, by_touch=True), Finger(page)
        box = page.locator("#own-hand button").first.bounding_box()
        assert box
        x, y = box["x"] + 20, box["y"] + 30
        end = hand.pixels(330, 150)
        finger.down((x, y))
        for part in (0.1, 0.3, 0.6, 0.9, 1.0):
            finger.move((x + part * (end[0] - x), y + part * (end[1] - y)))
            page.wait_for_timeout(30)
        finger.up()
        (put,) = table.wait("put")
        assert (put["x"], put["y"]) == (330, 150)


def test_nobody_elses_hand_is_shown(browser: Browser) -> None:
    """What another seat holds is on no page, and who only watches moves nothing."""
    you = {"seat": None, "hand": None, "host": False}
    with standing_in(CARDS, cards(own=1), you=you) as table, opened(browser, table) as page:
        expect(page.locator("#own-hand")).to_be_hidden()
        expect(page.get_by_text("You are watching")).to_be_visible()
        expect(page.locator("#sliders")).to_have_count(0)
        hand = Table(page)
        hand.drag(hand.pieces[1], 100, 100)
        assert {each["do"] for each in table.said} == {"hello"}


def test_the_host_sets_the_room(browser: Browser) -> None:
    """Each slider says its value with its unit, and follows what another host sets."""
    with standing_in(BOARD, discs()) as table, opened(browser, table) as page:
        page.locator("#room-panel summary").click()
        lens = page.get_by_label("Lens: horizontal angle")
        expect(lens).to_have_value("66")
        lens.focus()
        page.keyboard.press("ArrowRight")
        assert table.wait("room")[-1] == {"do": "room", "hfov": 67}
        expect(page.locator('output[for="room-hfov"]')).to_have_text("67°")
        table.tell({"tell": "room", "room": {"tile_scale": 0.97, "light": 0.5}})
        print_size = page.get_by_label("Size of the corner tiles")
        expect(print_size).to_have_value("97")
        page.get_by_label("Picture", exact=True).select_option("1280x720")
        assert table.wait("room", 2)[1] == {"do": "room", "width": 1280, "height": 720}
        page.get_by_role("button", name="Bump the camera").click()
        assert any(table.wait("room", 3)[2]["bump"])


@pytest.mark.parametrize("screen", [LAPTOP, PHONE, NARROW, ASIDE])
def test_every_window_shows_the_table_and_nothing_sticks_out(
    browser: Browser, screen: ViewportSize
) -> None:
    """The table has at least half of what matters, and buttons are as large as a thumb."""
    with standing_in(CARDS, cards()) as table, opened(browser, table, screen) as page:
        assert sticks_out(page)[0] <= 0
        box = page.locator("#scene").bounding_box()
        assert box
        assert box["width"] >= min(screen["width"], 0.5 * screen["width"])
        assert box["height"] >= 0.25 * screen["height"]
        small = page.evaluate(
            f"[...document.querySelectorAll('main button, main summary')].filter((each) =>"
            f" each.offsetWidth && Math.min(each.offsetWidth, each.offsetHeight) < {TAP_PX - 0.5})"
            f".map((each) => each.id || each.textContent)"
        )
        assert small == []
        corners = [[0, 0], [1, 0], [0, 1], [1, 1]]
        mat = usual_table(CARDS)["mat"]
        hand = Table(page)
        for right, down in corners:
            x, y = hand.pixels(right * mat["width"], down * mat["height"])
            assert box["x"] <= x <= box["x"] + box["width"], json.dumps(screen)
            assert box["y"] <= y <= box["y"] + box["height"], json.dumps(screen)


@pytest.mark.parametrize("screen", [LAPTOP, PHONE, NARROW, ASIDE])
def test_the_table_stays_in_view_whatever_is_looked_up_beside_it(
    browser: Browser, screen: ViewportSize
) -> None:
    """The panels scroll by themselves, in at least a fifth of the window."""
    with standing_in(CARDS, cards()) as table, opened(browser, table, screen) as page:
        page.evaluate(
            "document.querySelectorAll('.beside details').forEach((each) => each.open = true)"
        )
        page.locator(".beside").evaluate("(each) => each.scrollTo(0, each.scrollHeight)")
        scene, panels = (page.locator(each).bounding_box() for each in ("#scene", ".beside"))
        assert scene
        assert panels
        assert scene["y"] >= 0
        assert scene["y"] + scene["height"] <= screen["height"]
        assert panels["height"] >= 0.2 * screen["height"]
        assert page.locator(".beside").evaluate("(each) => each.scrollTop") > 100


@pytest.mark.parametrize("screen", [LAPTOP, PHONE])
def test_axe_finds_nothing_serious(browser: Browser, screen: ViewportSize) -> None:
    """With a card chosen, and all panels open."""
    with standing_in(CARDS, cards()) as table:
        context = browser.new_context(bypass_csp=True, viewport=screen)
        page = context.new_page()
        page.goto(table.url)
        page.wait_for_function("() => virtualTable.world.isThere")
        page.evaluate("virtualTable.choose(1)")
        assert grave(page) == []
        context.close()
