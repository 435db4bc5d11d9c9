"""Colours of pages as everybody sees them: a browser that simulates each kind of colour blindness.

What differs in its colour alone has to look different to everyone; all else has a word, a letter or
a shape of its own.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.hardware.colour_vision import ciede2000, linear, seen_as
from tests.web.screens import TELEVISION, photograph
from tests.web.serving import served
from tests.web.test_entering_browser import SCENES

LEAST_APART = 9.0  # CIEDE2000: told apart at a glance; rounding to pixels takes some of it
VISIONS = ("none", "protanopia", "deuteranopia", "tritanopia")
GAMES_SHOWN = ("topple", "cards", "ten", "tactiki", "tippi toppi", "line")
# All that is painted in a player's, a card's or a tribe's colour: its kind, its colour, the words
# at it or beside it, its shape and its place on the screen.
PAINTED = """(() => {
  const hue = /^(?:paint|ink)-([a-z]+)$/, sides = ["tiki", "tac"];
  const isSide = (each, name) => each.classList.contains("tribe") && sides.includes(name);
  const things = document.querySelectorAll("[class*=paint-], [class*=ink-], .tribe");
  return [...things].map((each) => {
    const names = [...each.classList];
    const colours = names.map((name) => name.match(hue)?.[1] ?? (isSide(each, name) ? name : ""));
    const kinds = names.filter((_, at) => !colours[at]).sort();
    const near = each.closest("g, li, button, label, h2, figure, summary, p, article") ?? each;
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return {
      kind: [each.tagName, ...kinds].join("."), colour: colours.filter(Boolean)[0] ?? "",
      words: near.textContent.replace(/\\s+/g, " ").trim(),
      shape: each.tagName == "svg" ? each.innerHTML.trim() : each.tagName,
      box: [left, top, right, bottom],
    };
  }).filter(({ colour, box: [left, top, right, bottom] }) => colour && colour != "none"
    && right - left > 3 && bottom - top > 3
    && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight);
})()"""


@dataclass(frozen=True)
class Painted:
    """Something painted.  words: at it or beside it.  seen: its colour on the screen."""

    kind: str
    colour: str
    words: str
    shape: str
    seen: str

    def differs(self, other: "Painted") -> bool:
        """Return whether it is told from *other* by more than its colour."""
        return self.words != other.words or self.shape != other.shape

    def apart(self, other: "Painted") -> float:
        """Return how far apart the two look."""
        return ciede2000(
            seen_as(linear(self.seen), "normal"), seen_as(linear(other.seen), "normal")
        )


def main_colour(shot: Image.Image, box: list[float]) -> str:
    """Return the colour that most pixels of *box* have."""
    piece = shot.crop((round(box[0]), round(box[1]), round(box[2]), round(box[3])))
    [(pixel, _)] = Counter(zip(*[iter(piece.tobytes())] * 3, strict=True)).most_common(1)
    return "#{:02x}{:02x}{:02x}".format(*pixel)


def painted(page: Page, vision: str) -> list[Painted]:
    """Return all that is painted on *page*, as somebody with that *vision* sees it."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
    found: list[dict[str, Any]] = page.evaluate(PAINTED)
    shot = photograph(page).convert("RGB")
    return [
        Painted(
            each["kind"], each["colour"], each["words"], each["shape"],
            main_colour(shot, each["box"]),
        )
        for each in found
    ]  # fmt: skip


def confusions(things: list[Painted]) -> Iterator[str]:
    """Yield every two things of one kind that differ in a colour which cannot be told apart."""
    for one, other in combinations(dict.fromkeys(things), 2):
        if one.kind != other.kind or one.colour == other.colour or one.differs(other):
            continue
        if one.apart(other) < LEAST_APART:
            yield f"{one.kind} {one.colour} {one.seen} looks like {other.colour} {other.seen}"


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("scene", GAMES_SHOWN)
@pytest.mark.slow(keep=["cards-deuteranopia"])
def test_players_cards_and_pieces_are_told_apart(browser: Browser, scene: str, vision: Any) -> None:
    """On the scoreboard and on the host's desk, in the dark and in the light."""
    with served(SCENES[scene]) as house:
        for scheme in ("dark", "light"):
            context = browser.new_context(
                color_scheme=scheme,
                viewport=TELEVISION,
            )
            page = context.new_page()
            page.goto(house.host_url)
            pawns = [each for each in painted(page, vision) if "pawn" in each.kind]
            assert len({each.shape for each in pawns}) == len({each.colour for each in pawns}) >= 2
            assert list(confusions(painted(page, vision))) == []
            page.goto(f"{house.url}desk")
            assert list(confusions(painted(page, vision))) == []
            context.close()


@pytest.mark.parametrize("vision", VISIONS[1:])
def test_the_simulation_is_the_browsers_own(browser: Browser, vision: str) -> None:
    """Red and green of a traffic light look alike to some, and the measure says so: it can fail."""
    page = browser.new_page()
    page.set_content(
        '<p><b class="blot ink-red" style="background:#c8621a;display:block;height:20px"></b></p>'
        '<p><b class="blot ink-green" style="background:#8a8a1c;display:block;height:20px"></b></p>'
    )
    plain = painted(page, "none")
    seen = painted(page, vision)
    assert [each.seen for each in plain] == ["#c8621a", "#8a8a1c"]
    assert seen != plain
    assert list(confusions(plain)) == []
    assert bool(list(confusions(seen))) is (vision != "tritanopia")
    page.close()
