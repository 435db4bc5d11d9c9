"""The pictures in docs/pictures/: the pages as people see them, taken anew by `./run pictures`."""

import io
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageOps
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from companion.apps.printing.sheets import game_sheets
from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from tests import app_icons, moving_picture, part_pictures
from tests.conftest import CHROMIUM
from tests.hub import pictures as hub_pictures
from tests.printing.pages import render
from tests.referee.entering import sit, tell
from tests.tables import sit_down
from tests.tapping import is_wise
from tests.web.serving import Served, served

FOLDER: Final = Path(__file__).parent.parent / "docs" / "pictures"
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
TELEVISION: Final[ViewportSize] = {"width": 1920, "height": 1080}
SMALL: Final = {390: 300, 1920: 800}
"""Pixels across that a picture is kept with, by those it was taken with."""
INKS: Final = 96
SETTLED_MS: Final = 400
Vision = Literal["none", "protanopia", "deuteranopia", "tritanopia"]
Scheme = Literal["dark", "light"]


@dataclass(frozen=True)
class Shot:
    """A page at a moment of a game, as somebody sees it."""

    name: str
    make: Callable[[], LiveSession]
    page: str
    size: ViewportSize
    language: str = "en"
    scheme: Scheme = "dark"
    vision: Vision = "none"


def played(game: str, seats: int, until: Callable[[LiveSession], bool]) -> LiveSession:
    """Return a session of *game* that was played wisely at random for a while."""
    rng, live_session = random.Random(5), sit(game, seats=seats)
    for _ in range(500):
        offers = live_session.referee.offers()
        if until(live_session) or not offers:
            break
        tell(live_session, rng.choice([each for each in offers if is_wise(rng, each)] or offers))
    return live_session


def tower() -> LiveSession:
    """Return Topple in the middle of a round, before a piece is placed."""

    def until(live: LiveSession) -> bool:
        acts = live.session.history.acts
        return len(acts) > 44 and acts[-1].seat is None

    return played("topple", 4, until)


def round_end() -> LiveSession:
    """Return Tiki Topple at the end of its first round, all cards shown."""
    live_session = sit_down(3, hand=["up1", "up2", "up3"])
    line = TIKIS
    for number in range(9):
        card = ("up1", "up2", "up3")[number // 3]
        line = live_session.session.state.line
        tell(live_session, f"{card} {line[4 + number % 4]}")
    tell(live_session, "card 0 nani nui kapu", "card 1 huhu akamai eepo")
    tell(live_session, "card 2 lokahi wikiwiki hookipa")
    return live_session


def cards() -> LiveSession:
    """Return UNO Tiki in the middle of a round."""
    return played("uno_tiki", 4, lambda live: len(live.session.history.acts) > 14)


def goals() -> LiveSession:
    """Return Tippi Toppi after some cards."""
    return played("tippi_toppi", 3, lambda live: len(live.session.history.acts) > 16)


def tribes() -> LiveSession:
    """Return TacTiki after some turns."""
    return played("tactiki", 2, lambda live: len(live.session.history.acts) > 24)


SHOTS: Final = (
    Shot("television", tower, "", TELEVISION),
    Shot("phone", tower, "seat", PHONE),
    Shot("round-end", round_end, "", TELEVISION, scheme="light"),
    Shot("welcome", lambda: sit_down(4, line=None), "welcome", PHONE),
    Shot("rules-de", tower, "rules", PHONE, "de"),
    Shot("television-es", cards, "", TELEVISION, "es"),
    Shot("phone-de-light", goals, "seat", PHONE, "de", "light"),
    Shot("phone-es", tribes, "seat", PHONE, "es"),
    Shot("television-deuteranopia", cards, "", TELEVISION, vision="deuteranopia"),
    Shot("television-protanopia", tower, "", TELEVISION, vision="protanopia"),
    Shot("overlay", tower, "?view=overlay", TELEVISION),
)


def open_page(browser: Browser, house: Served, shot: Shot) -> Page:
    """Return the page of *shot*, opened by whoever sees it."""
    context = browser.new_context(
        viewport=shot.size, locale=shot.language, color_scheme=shot.scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    if shot.page == "welcome":
        page.goto(house.host_url)
    if shot.page == "seat":
        seat = house.do(lambda live: live.game.expected(live.session.state)) or 0
        page.goto(f"{house.url}join/{house.pub.keys.invitation(seat)}")
        page.locator("main form button").first.click()
    page.goto(f"{house.url}{shot.page}")
    if shot.vision != "none":
        session = context.new_cdp_session(page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": shot.vision})
    page.wait_for_timeout(SETTLED_MS)
    return page


def end_joining(house: Served) -> None:
    """Let the lobby go: all have joined."""
    house.do(lambda _: house.pub.keys.end_code())


def keep(png: bytes, file: Path) -> None:
    """Write a screenshot small: fewer pixels and few colours."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    width = SMALL[picture.width]
    size = (width, round(picture.height * width / picture.width))
    small = picture.resize(size, Image.Resampling.LANCZOS)
    small.quantize(INKS, dither=Image.Dither.NONE).save(file, optimize=True)


def take_tiles(file: Path) -> None:
    """Draw the page of a game's corner tiles, with an edge as paper has it."""
    page = render(game_sheets("tiki_topple").to_pdf("a4", "en"), px_per_mm=8)[0]
    small = Image.fromarray(page).resize((640, 905), Image.Resampling.LANCZOS)
    edged = ImageOps.expand(small, 1, (190, 190, 190))
    edged.quantize(INKS, dither=Image.Dither.NONE).save(file, optimize=True)


def main(names: list[str]) -> int:
    """Take the pictures that *names* name, by default all."""
    FOLDER.mkdir(exist_ok=True)
    if not names or "parts" in names:
        part_pictures.take(FOLDER)
    if not names or "tiles" in names:
        take_tiles(FOLDER / "tiles.png")
    if not names or "moving" in names:
        moving_picture.take(FOLDER / "moving.webp")
    if names and {"parts", "tiles", "moving"}.issuperset(names):
        return 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        for shot in SHOTS:
            if names and shot.name not in names:
                continue
            with served(shot.make) as house:
                if shot.page != "welcome":
                    end_joining(house)
                page = open_page(browser, house, shot)
                keep(page.screenshot(), FOLDER / f"{shot.name}.png")
                page.context.close()
        if not names or "hub" in names:
            hub_pictures.take(browser, keep, FOLDER)
        if not names or "icons" in names:
            app_icons.take(browser)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
