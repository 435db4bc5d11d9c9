"""Corners that are dragged by real fingers on a phone: the browser's own touch events."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, ViewportSize, expect

from companion.session.log import Log
from tests.tables import sit_down
from tests.web.screens import PHONE, SMALL_PHONE
from tests.web.setting_up import picture_of, set_table

LYING: ViewportSize = {"width": PHONE["height"], "height": PHONE["width"]}
FINGER_PX = 44.0
HALF_PX = 26.0
"""Of a handle; it stays so far inside the picture."""
Point = tuple[float, float]
FRAMES = "() => new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))"
"""Two frames, in which the browser tells what it has gathered."""


class Hand:
    """Fingers on the screen, by name."""

    def __init__(self, page: Page) -> None:
        self._wire: CDPSession = page.context.new_cdp_session(page)
        self._page = page
        self._down: dict[int, Point] = {}

    def _send(self, kind: str) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in self._down.items()]
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def press(self, at: Point, finger: int = 0) -> None:
        """Put a finger down."""
        self._down[finger] = at
        self._send("touchStart")

    def move(self, by: Point, finger: int = 0, steps: int = 5) -> None:
        """Move a finger, in steps as a hand does."""
        for _ in range(steps):
            x, y = self._down[finger]
            self._down[finger] = (x + by[0] / steps, y + by[1] / steps)
            self._send("touchMove")
        self._page.evaluate(FRAMES)

    def lift(self, finger: int = 0) -> None:
        """Take a finger away."""
        del self._down[finger]
        self._send("touchEnd")
        self._page.evaluate(FRAMES)


@pytest.fixture(scope="module")
def host_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve one table that is seen, for all tests, and give where its host is let in."""
    folder = tmp_path_factory.mktemp("table")
    # Its log outlives a test, so it is none of those that each test closes.
    lay = lambda: sit_down(line=None, log=Log(":memory:"))  # noqa: E731
    with set_table(lay, picture_of("tiki_topple"), folder) as (house, _):
        yield house.host_url


def start_dragging(browser: Browser, host_url: str, size: ViewportSize = PHONE) -> Page:
    """Return the page on a phone, with the corners out."""
    page = browser.new_context(viewport=size, has_touch=True, is_mobile=True).new_page()
    page.goto(host_url)
    page.goto(host_url.partition("?")[0] + "desk/set-up")
    expect(page.locator("#overlay .outline")).to_have_count(1)
    page.locator("#by-corners summary").tap()
    page.get_by_role("button", name="Drag the corners").tap()
    expect(page.locator("#dragged .place")).to_have_count(9)
    return page


@pytest.fixture
def page(browser: Browser, host_url: str) -> Page:
    """Return the page on a phone, with the corners out."""
    return start_dragging(browser, host_url)


def corners_of(page: Page) -> list[Point]:
    """Return the dragged corners, in pixels of the page, beside the picture's top left."""
    box = box_of(page.locator("#view"))
    said = [float(each) for each in page.locator("#corners").input_value().split()]
    return [(x * box[2], y * box[3]) for x, y in zip(said[::2], said[1::2], strict=True)]


def box_of(what: Locator) -> tuple[float, float, float, float]:
    """Return left, top, width and height."""
    box = what.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


def flat(points: list[Point]) -> list[float]:
    """Return *points* as numbers, to be compared."""
    return [number for point in points for number in point]


def middle_of(page: Page, corner: int) -> Point:
    """Return the middle of a corner's handle."""
    left, top, width, height = box_of(page.locator(".handle").nth(corner))
    return left + width / 2, top + height / 2


def beside(before: Point, after: Point) -> Point:
    """Return how far a corner has moved."""
    return after[0] - before[0], after[1] - before[1]


def test_a_corner_moves_as_the_finger_does_and_the_page_stays(page: Page) -> None:
    """It does not jump under a finger that holds it at its rim, and is seen enlarged elsewhere."""
    hand, before, scrolled = Hand(page), corners_of(page), page.evaluate("scrollY")
    assert scrolled > 0
    x, y = middle_of(page, 0)
    hand.press((x - 15, y + 18))
    assert flat(corners_of(page)) == pytest.approx(flat(before))
    hand.move((34, 90))
    after = corners_of(page)
    assert beside(before[0], after[0]) == pytest.approx((34, 90), abs=1)
    assert flat(after[1:]) == pytest.approx(flat(before[1:]))
    left, top, width, height = box_of(page.locator("#lens"))
    finger = (x - 15 + 34, y + 18 + 90)
    assert not (left <= finger[0] <= left + width and top <= finger[1] <= top + height)
    hand.lift()
    expect(page.locator("#lens")).to_be_hidden()
    assert page.evaluate("scrollY") == scrolled


def test_a_finger_beside_the_handles_scrolls_the_page(page: Page) -> None:
    """Also while corners are dragged: on a phone the picture may fill the screen."""
    hand, before = Hand(page), corners_of(page)
    left, top, width, height = box_of(page.locator("#view"))
    scrolled = page.evaluate("scrollY")
    hand.press((left + width / 2, top + height / 2))
    hand.move((0, -100), steps=10)
    hand.lift()
    assert page.evaluate("scrollY") > scrolled
    assert corners_of(page) == before


def test_a_drag_out_of_the_picture_ends_at_its_edge_and_can_be_taken_back(page: Page) -> None:
    """There the whole handle is still in the picture, as large as a fingertip."""
    hand = Hand(page)
    hand.press(middle_of(page, 3))
    hand.move((-250, 400), steps=10)
    height = box_of(page.locator("#view"))[3]
    assert corners_of(page)[3] == pytest.approx((0, height), abs=0.1)
    hand.lift()
    assert corners_of(page)[3] == pytest.approx((0, height), abs=0.1)
    view, handle = box_of(page.locator("#view")), box_of(page.locator(".handle").nth(3))
    assert min(handle[2:]) >= FINGER_PX
    assert handle[0] >= view[0] - 0.5
    assert handle[1] + handle[3] <= view[1] + view[3] + 0.5
    hand.press(middle_of(page, 3))
    hand.move((40, -30))
    hand.lift()
    assert corners_of(page)[3] == pytest.approx((40, height - 30), abs=1)
    # Nor does the page grow wider than the screen.
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_fingers_move_two_corners(page: Page) -> None:
    """A second one on the same handle moves nothing, and letting go of it lets go of nothing."""
    hand, before = Hand(page), corners_of(page)
    x, y = middle_of(page, 0)
    hand.press((x, y))
    hand.press(middle_of(page, 2), finger=1)
    hand.move((10, 20))
    hand.move((-14, -8), finger=1)
    after = corners_of(page)
    assert beside(before[0], after[0]) == pytest.approx((10, 20), abs=1)
    assert beside(before[2], after[2]) == pytest.approx((-14, -8), abs=1)
    hand.lift(1)
    hand.press((x + 18, y + 20), finger=2)
    hand.move((30, 30), finger=2)
    assert flat(corners_of(page)) == pytest.approx(flat(after))
    hand.lift(2)
    hand.move((5, 5))
    assert beside(before[0], corners_of(page)[0]) == pytest.approx((15, 25), abs=2)
    hand.lift()
    assert page.evaluate("visualViewport.scale") == 1


def test_a_phone_that_is_turned_in_mid_drag_keeps_the_corners(page: Page) -> None:
    """In shares of the picture, which is whole on the screen then; and the finger goes on."""
    hand = Hand(page)
    hand.press(middle_of(page, 1))
    hand.move((-20, 15))
    before = page.locator("#corners").input_value()
    page.set_viewport_size(LYING)
    page.wait_for_timeout(300)
    assert page.locator("#corners").input_value() == before
    view = box_of(page.locator("#view"))
    assert view[3] <= LYING["height"]
    assert view[2] / view[3] == pytest.approx(1280 / 720, abs=0.01)
    turned = corners_of(page)
    for corner in range(4):
        assert middle_of(page, corner) == pytest.approx(
            (view[0] + turned[corner][0], view[1] + turned[corner][1]), abs=1
        )
    hand.move((8, 8), steps=1)  # where it is now; no corner jumps there
    hand.lift()
    assert flat(corners_of(page)) == pytest.approx(flat(turned), abs=1)
    hand.press(middle_of(page, 1))
    hand.move((12, 6))
    hand.lift()
    assert beside(turned[1], corners_of(page)[1]) == pytest.approx((12, 6), abs=1)


def test_handles_lie_on_the_corners_and_are_large_enough(browser: Browser, host_url: str) -> None:
    """On phones of each size and turn, and where the drawing over the picture lies, too."""
    for size in (PHONE, LYING, SMALL_PHONE):
        page = start_dragging(browser, host_url, size)
        view, picture = box_of(page.locator("#view")), box_of(page.locator("#picture"))
        assert view == pytest.approx(picture, abs=0.5)
        for corner, (x, y) in enumerate(corners_of(page)):
            middle = middle_of(page, corner)
            inside = [
                min(max(at, HALF_PX), side - HALF_PX)
                for at, side in zip((x, y), view[2:], strict=True)
            ]
            assert middle == pytest.approx((view[0] + inside[0], view[1] + inside[1]), abs=1)
            assert abs(inside[0] - x) + abs(inside[1] - y) < HALF_PX
            assert min(box_of(page.locator(".handle").nth(corner))[2:]) >= FINGER_PX
        page.close()


def test_without_a_pointer_the_keys_do_all(page: Page) -> None:
    """Each corner is reached by the tabulator, named, moved to the edge and no further."""
    page.locator(".handle").first.focus()
    names = []
    for _ in range(4):
        names.append(page.evaluate("document.activeElement.ariaLabel"))
        page.keyboard.press("Tab")
    assert [name.partition(";")[0] for name in names] == [
        "Corner 1, top left",
        "Corner 2, top right",
        "Corner 3, bottom right",
        "Corner 4, bottom left",
    ]
    page.locator(".handle").first.focus()
    for _ in range(60):
        page.keyboard.press("Shift+ArrowLeft")
    assert corners_of(page)[0][0] == 0.0
    scrolled = page.evaluate("scrollY")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("scrollY") == scrolled
