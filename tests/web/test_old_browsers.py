"""The pages in Chromium 79 and 92, as televisions and tablets of 2019 to 2021 have them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from tests.tables import see, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.old_browsers import VERSIONS, OldBrowser, opened, unpack_browser
from tests.web.scenes import gathering
from tests.web.serving import served

pytestmark = pytest.mark.slow
COMPANION = Path(companion.__file__).parent
PHONE = (390, 844)
TELEVISION = (1920, 1080)
FIRST = "(document.querySelector('[data-slot=\"0\"]') || document.documentElement).dataset.tiki"
# A page that cannot follow says so after 4 s and looks again each 10 s.
RELOADED_S = 40.0


@pytest.fixture(name="old", params=VERSIONS, scope="module")
def old_browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OldBrowser]:
    """Return a browser of each age; skipped where npm is out of reach."""
    assert request.config.cache is not None
    kept = request.config.cache.mkdir("old-browsers") / str(request.param)
    if reason := unpack_browser(request.param, kept):
        pytest.skip(reason)
    with opened(kept, tmp_path_factory.mktemp("profile")) as old:
        assert f"Chrome/{request.param}." in old.run("navigator.userAgent")
        yield old


def shown(selector: str) -> str:
    """Return a script: whether something that *selector* names can be seen."""
    return f"[...document.querySelectorAll({selector!r})].some((each) => each.offsetHeight > 0)"


def test_a_script_that_fails_is_told(old: OldBrowser) -> None:
    """The driver below does not take an error for an answer."""
    with pytest.raises(RuntimeError):
        old.run("nothing.at.all")
    with pytest.raises(TimeoutError):
        old.wait("false", seconds=0.3)


MODULE = re.compile(r"^(?:import|export) ", re.MULTILINE)
# Modules are the virtual table's, which no browser of that age can draw: its page says so.
SCRIPTS = sorted(
    each for each in COMPANION.rglob("*.js") if not MODULE.search(each.read_text("utf-8"))
)


def test_every_script_is_understood(old: OldBrowser) -> None:
    """Also those of pages that are not opened here; what is newer is not."""
    assert len(SCRIPTS) > 10
    old.open("about:blank", PHONE)
    for script in SCRIPTS:
        old.run(f"void new Function({json.dumps(script.read_text('utf-8'))})")
    if "Chrome/79." in old.run("navigator.userAgent"):
        with pytest.raises(RuntimeError):
            old.run("void new Function('window?.top')")


@pytest.mark.parametrize("size", [PHONE, TELEVISION])
def test_the_board_follows_a_move(old: OldBrowser, size: tuple[int, int]) -> None:
    """Nothing says that the page could not."""
    with served(sit_down) as house:
        old.open(house.url, size)
        assert old.run(FIRST) == "hookipa"
        house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
        old.wait(f"{FIRST} === 'lokahi'")
        assert not old.run(shown("#unfollowed"))


def test_everybody_who_joins_can_be_seen(old: OldBrowser) -> None:
    """The lobby on a television lists ten players, each whole."""
    with served(gathering) as house:
        old.open(house.host_url, TELEVISION)
        boxes = old.run(
            "[...document.querySelectorAll('.here li')].map((each) => each.getBoundingClientRect())"
            ".map((box) => [box.top, box.bottom, box.width])"
        )
        assert len(boxes) == 10
        assert all(top >= 0 and bottom <= 1080 and width > 300 for top, bottom, width in boxes)


def test_scores_are_large_on_a_television(old: OldBrowser) -> None:
    """The rows beside the board leave them their room."""
    with served(lambda: sit_down(4)) as house:
        house.do(lambda _: house.pub.keys.end_code())
        old.open(house.url, TELEVISION)
        heights = old.run(
            "[...document.querySelectorAll('.player')].map((each) => each.offsetHeight)"
        )
        assert len(heights) == 4
        assert min(heights) > 150


def test_a_move_is_entered_by_taps(old: OldBrowser) -> None:
    """A card, and then one of the tikis that it shows."""
    with served(lambda: sit_down(hand=["up1"])) as house:
        old.open(f"{house.url}join/{house.pub.keys.invitation(0)}", PHONE)
        old.run("document.querySelector('main form button').click()")
        old.wait("location.pathname === '/seat' && document.readyState === 'complete'")
        target = "document.querySelector('button[value=\"up1 lokahi\"]')"
        old.run("document.querySelector('label[for=card-up1]').click()")
        old.wait(f"{target}.offsetHeight > 0")
        old.run(f"{target}.click()")
        old.wait("document.body && /Tiki Up 1 on Lokahi/.test(document.body.textContent)")


def test_without_a_living_script_the_page_says_so_and_is_loaded_again(old: OldBrowser) -> None:
    """Whatever keeps the script from running."""
    old.ask("Network.setBlockedURLs", urls=["*/static/live.js"])
    try:
        with served(sit_down) as house:
            old.open(house.url, TELEVISION)
            old.wait(shown("#unfollowed"))
            house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
            old.wait(f"{FIRST} === 'lokahi'", RELOADED_S)
    finally:
        old.ask("Network.setBlockedURLs", urls=[])
