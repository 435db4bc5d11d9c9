"""The tables of the card games: Tippi Toppi's four piles, UNO Tiki's discard pile and idol."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering import drawn
from rendering.art import PX_PER_MM, draw_back, draw_goal, draw_wild
from rendering.designs import random_print
from rendering.idol import random_idol, stand_idol
from rendering.prints import Colour, Print, Random, hue_colour
from rendering.props import CARD_MM, Thing, pile, slab
from rendering.room import Spot
from rendering.typefaces import Typeface
from vision.cards.layout import COLOURS, TIPPI_TOPPI, UNO_TIKI, VALUES, CardSize

PILE_HUES: Final = {"orange": 25.0, "pink": 325.0, "green": 132.0, "purple": 272.0}
GOALS: Final = tuple((place.x, 60.0) for place in TIPPI_TOPPI.piles)
GOAL_MM: Final = (58.0, 88.0)
MOST_CARDS: Final = 20
DARKEST_YELLOW: Final = 0.85
"""A darker one is brown, and nobody would play with it."""
UNO_HUES: Final = {"red": 358.0, "yellow": 47.0, "green": 132.0, "blue": 210.0}
SYMBOLS: Final = (*"0123456789", "skip", "reverse")
LINED: Final = 0.85
"""How many printers underline 6 and 9."""
SPIN, WILD, TIKI = 0.25, 0.07, 0.06
"""How many cards are marked for a spin, and how many are of no colour."""


def _card_spot(size: CardSize) -> Spot:
    """Return what a card hides of a table, around its middle."""
    return Spot(0.0, 0.0, size.w / 2, size.h / 2, 4.0)


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card of Tippi Toppi."""

    color: str
    value: int


class PileTable:
    """Describes Tippi Toppi's tables."""

    name = "tippi_toppi"
    mat = TIPPI_TOPPI.mat

    def __init__(self, typefaces: Sequence[Typeface] = ()) -> None:
        """*typefaces*: what its sets may be printed in; if none, those of this machine."""
        self._typefaces = typefaces
        own = _card_spot(TIPPI_TOPPI.card)
        self.spots = tuple(replace(own, x=at.x, y=at.y) for at in TIPPI_TOPPI.piles)
        goals = (Spot(x, y, GOAL_MM[0] / 2, GOAL_MM[1] / 2, 0.0) for x, y in GOALS)
        wide = (replace(at, half_w=at.half_w + 8, half_h=at.half_h + 8) for at in self.spots)
        self.kept = (*wide, *goals)

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        card = TIPPI_TOPPI.card
        return {
            "piles": [
                {"pile": at, "x": place.x, "y": place.y, "w": card.w, "h": card.h}
                for at, place in enumerate(TIPPI_TOPPI.piles)
            ],
            "goals": [{"x": x, "y": y} for x, y in GOALS],
            "colors": list(COLOURS),
            "values": list(VALUES),
            "card_thickness": CARD_MM,
        }

    def dress(self, random: Random, folder: Path, stem: str) -> dict[str, Any]:
        """Return how one set looks; its prints are drawn into *folder*."""
        size = TIPPI_TOPPI.card
        design = random_print(random, False, self._typefaces)
        paints = _random_paints(random, PILE_HUES)
        for color, paint in paints.items():
            for value in VALUES:
                card = drawn.draw_card(str(value), paint, design, random)
                _save(folder / f"{stem}-{color}{value}.png", card, size)
        for goal in range(len(GOALS)):
            _save(folder / f"{stem}-goal{goal}.png", draw_goal(random, GOAL_MM))
        return {"stem": stem, **_random_wear(random)}

    def known(self) -> tuple[PileCard, ...]:
        """Return the cards that teach a reader."""
        return tuple(PileCard(color, at + 1) for at, color in enumerate(COLOURS))

    def deal(self, random: Random) -> tuple[PileCard, ...]:
        """Return any four cards there may be."""
        return tuple(
            PileCard(str(random.choice(COLOURS)), int(random.choice(VALUES)))
            for _ in TIPPI_TOPPI.piles
        )

    def tell(self, cards: tuple[PileCard, ...]) -> dict[str, Any]:
        """Return the truth about *cards*, as truth.jsonl has it."""
        return {"piles": [{"color": card.color, "value": card.value} for card in cards]}

    def lay(
        self, random: Random, looks: Mapping[str, Any], cards: tuple[PileCard, ...]
    ) -> list[Thing]:
        """Return the piles with *cards* on top, some of them upside down, and the goals."""
        found = []
        for place, card in zip(TIPPI_TOPPI.piles, cards, strict=True):
            below = self.deal(random)[:3]
            prints = [self._print(looks, each) for each in (*below, card)]
            turn = random.normal(0, 2.5) + 180.0 * (random.random() < 0.3)
            at = (place.x + random.normal(0, 1.0), place.y + random.normal(0, 1.0))
            high = int(random.integers(1, MOST_CARDS + 1))
            wear = {**looks["wear"], "high": high, "turn_deg": turn}
            size = (TIPPI_TOPPI.card.w, TIPPI_TOPPI.card.h)
            found += pile(random, prints, size, at, **wear)
        for goal, (x, y) in enumerate(GOALS):
            at_mm = (x + random.normal(0, 1.5), y + random.normal(0, 1.5), 0.0)
            print_ = f"{looks['stem']}-goal{goal}.png"
            found.append(slab(print_, GOAL_MM, at_mm, float(random.normal(0, 2))))
        return found

    def hold(
        self,
        random: Random,
        looks: Mapping[str, Any],
        cards: tuple[PileCard, ...],
        tip: NDArray[np.float64],
    ) -> tuple[tuple[PileCard, ...], Thing]:
        """Return what lies there still, and a card in a hand."""
        card = self.deal(random)[0]
        at = (float(tip[0]), float(tip[1]), float(tip[2]) - 6.0)
        size = (TIPPI_TOPPI.card.w, TIPPI_TOPPI.card.h)
        lean = float(random.normal(0, 15))
        return cards, slab(self._print(looks, card), size, at, random.normal(0, 20), lean_deg=lean)

    def _print(self, looks: Mapping[str, Any], card: PileCard) -> str:
        return f"{looks['stem']}-{card.color}{card.value}.png"


@dataclass(frozen=True, slots=True)
class UnoCard:
    """A card of UNO Tiki."""

    color: str
    symbol: str
    spin: bool = False


Turn = tuple[UnoCard, float]
"""The card on the discard pile, and where the idol points, in degrees."""


class UnoTable:
    """Describes UNO Tiki's tables."""

    name = "uno_tiki"
    mat = UNO_TIKI.mat

    def __init__(self, typefaces: Sequence[Typeface] = ()) -> None:
        """*typefaces*: what its decks may be printed in; if none, those of this machine."""
        self._typefaces = typefaces
        rig = UNO_TIKI
        card = replace(_card_spot(rig.card), x=rig.discard.x, y=rig.discard.y)
        reach = rig.idol.arm_reach
        self.spots = (card, Spot(rig.idol.x, rig.idol.y, reach * 0.8, reach * 0.8, 30.0))
        room = 50.0
        self.kept = (
            Spot(rig.discard.x, rig.discard.y, room, room, 0.0),
            Spot(rig.draw.x, rig.draw.y, rig.card.w / 2 + 8, rig.card.h / 2 + 8, 0.0),
            Spot(rig.idol.x, rig.idol.y, reach + 4, reach + 4, 0.0),
        )

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        rig = UNO_TIKI
        return {
            "discard": {"x": rig.discard.x, "y": rig.discard.y},
            "draw": {"x": rig.draw.x, "y": rig.draw.y},
            "idol": {
                "x": rig.idol.x,
                "y": rig.idol.y,
                "diameter": rig.idol.diameter,
                "arm_reach": rig.idol.arm_reach,
            },
            "card": {"w": rig.card.w, "h": rig.card.h},
        }

    def dress(self, random: Random, folder: Path, stem: str) -> dict[str, Any]:
        """Return how one set looks; its prints are drawn into *folder*."""
        size = UNO_TIKI.card
        design = random_print(random, bool(random.random() < LINED), self._typefaces)
        paints = _random_paints(random, UNO_HUES)
        for color, paint in paints.items():
            for symbol in SYMBOLS:
                for spin in (False, True):
                    card = drawn.draw_card(symbol, paint, design, random, spin)
                    _save(folder / f"{stem}-{color}{symbol}{spin:d}.png", card, size)
        floats = [_as_colour(paint) for paint in paints.values()]
        wild = draw_wild(random, (size.w, size.h), design.border, floats)
        _save(folder / f"{stem}-wildwild0.png", wild)
        _save(folder / f"{stem}-wildtiki0.png", drawn.draw_tiki_card(paints["green"]))
        _save(folder / f"{stem}-back.png", draw_back(random, (size.w, size.h)))
        return {"stem": stem, "idol": random_idol(random), **_random_wear(random)}

    def known(self) -> Turn:
        """Return what teaches a reader."""
        return UnoCard("red", "7"), 0.0

    def deal(self, random: Random) -> Turn:
        """Return any card there may be, and any angle."""
        deg = round(float(random.uniform(0, 360)), 1)
        chance = random.random()
        if chance < WILD + TIKI:
            return UnoCard("wild", "wild" if chance < WILD else "tiki"), deg
        color, symbol = str(random.choice(list(UNO_HUES))), str(random.choice(SYMBOLS))
        return UnoCard(color, symbol, bool(random.random() < SPIN)), deg

    def tell(self, turn: Turn) -> dict[str, Any]:
        """Return the truth about a *turn*, as truth.jsonl has it."""
        card, deg = turn
        discard = {"color": card.color, "symbol": card.symbol, "spin": card.spin}
        return {"discard": discard, "idol_deg": deg}

    def lay(self, random: Random, looks: Mapping[str, Any], turn: Turn) -> list[Thing]:
        """Return both piles and the idol."""
        rig, (card, deg) = UNO_TIKI, turn
        size = (rig.card.w, rig.card.h)
        below = [self.deal(random)[0] for _ in range(3)]
        prints = [self._print(looks, each) for each in (*below, card)]
        at = (rig.discard.x + random.normal(0, 1.5), rig.discard.y + random.normal(0, 1.5))
        wear = {**looks["wear"], "turn_deg": random.uniform(0, 360), "untidy_deg": 25.0}
        wear |= {"high": int(random.integers(1, MOST_CARDS + 1)), "strays_mm": 2.5}
        found = pile(random, prints, size, at, **wear)
        draw_at = (rig.draw.x + random.normal(0, 1.5), rig.draw.y + random.normal(0, 1.5))
        high = int(random.integers(3, 60))
        back = [f"{looks['stem']}-back.png"]
        turn_deg = float(random.normal(0, 3))
        found += pile(random, back, size, draw_at, high=high, turn_deg=turn_deg)
        card_print = self._print(looks, UnoCard("wild", "tiki"))
        return found + stand_idol(looks["idol"], rig.idol, deg, card_print)

    def hold(
        self, random: Random, looks: Mapping[str, Any], turn: Turn, tip: NDArray[np.float64]
    ) -> tuple[Turn, Thing]:
        """Return what lies there still, and a card in a hand."""
        at = (float(tip[0]), float(tip[1]), float(tip[2]) - 6.0)
        lean, size = float(random.normal(0, 15)), (UNO_TIKI.card.w, UNO_TIKI.card.h)
        print_ = self._print(looks, self.deal(random)[0])
        return turn, slab(print_, size, at, random.uniform(0, 360), lean_deg=lean)

    def _print(self, looks: Mapping[str, Any], card: UnoCard) -> str:
        return f"{looks['stem']}-{card.color}{card.symbol}{card.spin:d}.png"


def _random_paints(random: Random, hues: Mapping[str, float]) -> dict[str, drawn.Colour]:
    """Return the paint that one printer takes for each of a game's colours."""
    bright = random.uniform(0.55, 0.95)
    found = {}
    for name, hue in hues.items():
        value = min(1.0, bright * random.uniform(0.8, 1.1))
        if name == "yellow":
            value = max(value, DARKEST_YELLOW)
        paint = hue_colour(hue + random.normal(0, 5), random.uniform(0.6, 0.95), value)
        red, green, blue = (round(255 * part) for part in paint)
        found[name] = (red, green, blue)
    return found


def _as_colour(paint: drawn.Colour) -> Colour:
    red, green, blue = (part / 255.0 for part in paint)
    return red, green, blue


def _random_wear(random: Random) -> dict[str, Any]:
    """Return how shiny, round-cornered and bent the cards of one set are."""
    bend = float(random.uniform(-0.5, 1.2)) if random.random() < 0.4 else 0.0
    shine, corner = float(random.uniform(0.3, 0.8)), float(random.uniform(2.0, 4.5))
    return {"wear": {"shine": shine, "corner": corner, "bend_mm": max(0.0, bend)}}


def _save(path: Path, card: Print, size: CardSize | None = None) -> None:
    """Write a card's print, stretched to *size* if it was drawn for another."""
    if size is not None:
        wide, long = round(size.w * PX_PER_MM), round(size.h * PX_PER_MM)
        card = np.asarray(cv2.resize(card, (wide, long), interpolation=cv2.INTER_AREA), np.uint8)
    cv2.imwrite(str(path), card)
