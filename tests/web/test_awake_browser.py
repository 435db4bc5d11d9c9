"""A page that keeps its screen on where that is wanted, and says truthfully whether it does."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.tables import sit_down
from tests.web.serving import Served, served

STAYS = "This screen stays on"
SHOULD_STAY = "This screen should stay on"
# What plain http looks like: no wake lock at all.
NO_LOCK = "delete Navigator.prototype.wakeLock;"
# A browser of Apple's: sound only after a touch.
APPLE = """
Object.defineProperty(navigator, "vendor", { value: "Apple Computer, Inc." });
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  const isAllowed = this.muted || navigator.userActivation.isActive;
  return isAllowed ? play.call(this) : Promise.reject(new DOMException("", "NotAllowedError"));
};
"""
NO_VIDEO = """
const refusal = new DOMException("", "NotSupportedError");
HTMLMediaElement.prototype.play = () => Promise.reject(refusal);
"""
# A lock that the test can take away, as hiding the page does.
COUNTED_LOCKS = """
window.locks = [];
Navigator.prototype.__defineGetter__("wakeLock", () => ({ async request() {
  const lock = new EventTarget();
  lock.release = () => { lock.isReleased = true; lock.dispatchEvent(new Event("release")); };
  locks.push(lock);
  return lock;
} }));
window.turn = (visibility) => {
  Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""


def video_of(page: Page) -> dict[str, object]:
    """Return what engines look at before they keep the screen on for a video."""
    found: dict[str, object] = page.evaluate(
        """() => {
          const video = document.querySelector("video");
          const { width, height } = video.getBoundingClientRect();
          const { muted, loop, paused } = video;
          return { muted, loop, paused, share: width * height / (innerWidth * innerHeight) };
        }"""
    )
    return found


def switched_on(phone: BrowserContext, house: Served, words: str) -> Page:
    """Return the scoreboard on which somebody wanted that, once the switch says *words*."""
    page = phone.new_page()
    page.goto(house.url)
    page.locator("#awake").click()
    expect(page.locator("#awake")).to_have_text(words)
    return page


def test_a_wake_lock_is_taken_kept_in_mind_and_let_go(phone: BrowserContext) -> None:
    """The browser's own lock; the choice outlives a reload, in this browser only."""
    phone.grant_permissions(["screen-wake-lock"])
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.url)
        switch = page.locator("#awake")
        expect(switch).to_have_text("Keep this screen on")
        switch.click()
        expect(switch).to_have_text(STAYS)
        expect(switch).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#awake-hint")).to_be_hidden()
        page.reload()
        expect(switch).to_have_text(STAYS)
        switch.click()
        expect(switch).to_have_text("Keep this screen on")
        page.reload()
        expect(switch).to_have_attribute("aria-pressed", "false")
        page.close()


def test_a_lock_that_was_lost_while_hidden_is_taken_again(phone: BrowserContext) -> None:
    """Browsers let go when a page is hidden; none is asked for meanwhile."""
    phone.add_init_script(COUNTED_LOCKS)
    with served(sit_down) as house:
        page = switched_on(phone, house, STAYS)
        page.evaluate("turn('hidden'); locks[0].release()")
        assert page.evaluate("locks.length") == 1
        page.evaluate("turn('visible')")
        page.wait_for_function("() => locks.length === 2")
        page.locator("#awake").click()
        page.wait_for_function("() => locks[1].isReleased")
        page.close()


def test_a_playing_video_stands_in_on_plain_http(phone: BrowserContext) -> None:
    """Muted and large enough for Chromium; the page promises no more than it knows."""
    phone.add_init_script(NO_LOCK)
    with served(sit_down) as house:
        page = switched_on(phone, house, SHOULD_STAY)
        expect(page.locator("#awake-hint")).to_contain_text("longer screen timeout")
        video = video_of(page)
        assert (video["muted"], video["loop"], video["paused"]) == (True, True, False)
        assert video["share"] == 1
        assert page.evaluate("document.querySelector('video').duration") == 4
        page.wait_for_function("() => document.querySelector('video').currentTime > 0.5")
        page.locator("h1").click()  # it lies over nothing
        page.locator("#awake").click()
        expect(page.locator("video")).to_have_count(0)
        expect(page.locator("#awake-hint")).to_be_hidden()
        page.close()


def test_an_iphone_gets_sound_that_is_no_loop_after_a_touch(phone: BrowserContext) -> None:
    """Its engine counts neither muted videos nor loops, and it wants a touch after a reload."""
    phone.add_init_script(NO_LOCK + APPLE)
    with served(sit_down) as house:
        page = switched_on(phone, house, SHOULD_STAY)
        video = video_of(page)
        assert (video["muted"], video["loop"], video["paused"]) == (False, False, False)
        page.evaluate("document.querySelector('video').currentTime = 3.9")
        page.wait_for_function("() => document.querySelector('video').currentTime < 2")
        page.reload()
        expect(page.locator("#awake")).to_have_text("Tap to keep this screen on again")
        page.locator("h1").click()
        expect(page.locator("#awake")).to_have_text(SHOULD_STAY)
        page.close()


def test_a_browser_that_can_do_neither_is_not_believed(phone: BrowserContext) -> None:
    """Then the page says so, and what helps."""
    phone.add_init_script(NO_LOCK + NO_VIDEO)
    with served(sit_down) as house:
        page = switched_on(phone, house, "This browser does not keep the screen on")
        expect(page.locator("#awake-hint")).to_be_visible()
        page.close()


def test_each_page_that_is_left_open_has_the_switch(phone: BrowserContext) -> None:
    """The scoreboard, a seat's page and the host's; not the strip over a film."""
    with served(sit_down) as house:
        link = house.do(lambda _: house.pub.keys.invitation(1))
        page = phone.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}join/{link}")
        page.locator("main form button").first.click()
        for path in ("", "?view=screen", "seat", "desk"):
            page.goto(house.url + path)
            expect(page.locator("#awake")).to_be_visible()
        page.goto(f"{house.url}?view=overlay")
        expect(page.locator("#awake")).to_have_count(0)
        page.close()
