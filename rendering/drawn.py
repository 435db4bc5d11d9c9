"""Draw cards of the kinds that are in print: badges, outlined ovals, filled ovals.

All artwork is made here from circles, lines and letters, so that what is trained on it may ship.
"""

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from PIL import Image, ImageDraw

from rendering.typefaces import Typeface, load_typeface
from vision.capture.frame import Picture

Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue."""
Drawing: TypeAlias = Image.Image

PX_PER_MM: Final = 4
CARD_MM: Final = (56.0, 87.0)
OVAL_MM: Final = (40.0, 76.0)
SYMBOL_PX: Final = 160
"""A symbol is drawn in a square of this side and then made as large as it must be."""
WHITE: Final = (250, 250, 248)
BLACK: Final = (18, 18, 20)
COLOURS: Final[dict[str, Colour]] = {
    "red": (215, 38, 45),
    "yellow": (243, 198, 22),
    "green": (52, 150, 68),
    "blue": (20, 110, 190),
}
STYLES: Final = ("badge", "outlined", "filled")
LINED: Final = ("6", "9")
NO_SYMBOLS: Final = ("draw2", "plus", "letter", "blank", "face")
"""What stands in the middle of cards that are not of this game, or of none."""


@dataclass(frozen=True, slots=True)
class Design:
    """How one printer draws a card; lengths in mm.

    badge: hexagon, square or circle.  font: a file, or None for Pillow's own letters.
    bold: how much the letters are thickened, as a share of their height.
    arrows: the form of arrows and faces, 0 to 2.  arrow_turn_deg: how far the reverse arrows are
        turned.  arrow_apart, arrow_slip, arrow_thick: how far they are apart and ahead of each
        other, and half how thick, as shares of their height.  arrow_head: how many times wider
        their heads are, arrow_point how long; mirrored: which
        of them points up.  line_thick, line_gap: of the line under 6 and 9, as
        shares of theirs.
    lined: whether 6 and 9 are underlined.  oval: how large ovals are, as a share of OVAL_MM.
    oval_line: how thick their line is.
    """

    style: str = "outlined"
    badge: str = "hexagon"
    font: Typeface = None
    bold: float = 0.05
    arrows: int = 0
    arrow_turn_deg: float = 0.0
    arrow_apart: float = 0.06
    arrow_slip: float = 0.0
    arrow_thick: float = 0.09
    arrow_head: float = 2.5
    arrow_point: float = 0.34
    mirrored: bool = False
    line_thick: float = 0.1
    line_gap: float = 0.05
    lined: bool = True
    border: float = 3.2
    symbol: float = 30.0
    corner: float = 9.0
    corner_inset: float = 8.5
    ink: float = 0.7
    outline: float = 1.2
    pattern: float = 0.08
    tilt_deg: float = 28.0
    oval: float = 1.0
    oval_line: float = 1.1


def draw_symbol(symbol: str, design: Design, random: np.random.Generator) -> Drawing:
    """Return the symbol as a mask, 255 where it is, cut to its edges."""
    mask = Image.new("L", (SYMBOL_PX * 2, SYMBOL_PX * 2), 0)
    draw = ImageDraw.Draw(mask)
    painters = {
        "skip": _draw_skip,
        "reverse": _draw_reverse,
        "draw2": _draw_pair,
        "face": _draw_face,
    }
    if symbol in painters:
        painters[symbol](draw, design)
    elif symbol != "blank":
        others = {
            "letter": list("ACEFHJKMPRTUVXY+?&"),
            "plus": ["+2", "+4"],
            "number": ["10", "11", "12", "15", "20", "50"],
        }
        text = str(random.choice(others[symbol])) if symbol in others else symbol
        _draw_text(draw, text, design)
    box = mask.getbbox()
    return mask if box is None else mask.crop(box)


def _draw_text(draw: ImageDraw.ImageDraw, text: str, design: Design) -> None:
    font = load_typeface(design.font, SYMBOL_PX)
    middle = SYMBOL_PX
    bold = round(design.bold * SYMBOL_PX)
    draw.text((middle, middle), text, fill=255, font=font, anchor="mm", stroke_width=bold)
    if text in LINED and design.lined:
        left, _, right, bottom = draw.textbbox(
            (middle, middle), text, font=font, anchor="mm", stroke_width=bold
        )
        thick = design.line_thick * SYMBOL_PX
        low = bottom + design.line_gap * SYMBOL_PX
        draw.rectangle((left, low, right, low + thick), fill=255)


def _draw_skip(draw: ImageDraw.ImageDraw, design: Design) -> None:
    middle, radius = SYMBOL_PX, SYMBOL_PX * 0.45
    thick = round(SYMBOL_PX * (0.09 + design.bold))
    draw.ellipse(
        (middle - radius, middle - radius, middle + radius, middle + radius),
        outline=255,
        width=thick,
    )
    reach = radius * 0.68
    ends = (middle - reach, middle + reach, middle + reach, middle - reach)
    if design.arrows == 1:
        ends = (middle - reach, middle - reach, middle + reach, middle + reach)
    draw.line(ends, fill=255, width=thick)


def _draw_reverse(draw: ImageDraw.ImageDraw, design: Design) -> None:
    """Two arrows in opposite directions: upright, on the slant, or bent round each other."""
    turn = math.radians(design.arrow_turn_deg)
    thick, head = SYMBOL_PX * design.arrow_thick, SYMBOL_PX * design.arrow_thick * design.arrow_head
    apart = design.arrow_apart * SYMBOL_PX + thick
    slip = design.arrow_slip * SYMBOL_PX
    bend = thick if design.arrows == 2 else 0.0
    neck = design.arrow_point - 0.46
    shape = [
        (-thick - bend, 0.42), (-thick, neck), (-head, neck), (0.0, -0.46),
        (head, neck), (thick, neck), (thick - bend, 0.42),
    ]  # fmt: skip
    for side in (1, -1):
        points = []
        for x, y in shape:
            across, along = side * (x + apart), side * (y * SYMBOL_PX - slip)
            across = -across if design.mirrored else across
            points.append(
                (
                    SYMBOL_PX + across * math.cos(turn) - along * math.sin(turn),
                    SYMBOL_PX + across * math.sin(turn) + along * math.cos(turn),
                )
            )
        draw.polygon(points, fill=255)


def _draw_pair(draw: ImageDraw.ImageDraw, design: Design) -> None:
    """Two cards, one over the other, as on a card that makes the next player draw."""
    size = SYMBOL_PX
    for left, top in ((0.95, 0.55), (0.7, 0.8)):
        box = (left * size, top * size, (left + 0.4) * size, (top + 0.6) * size)
        draw.rectangle(tuple(v + 6 * (v > 0) for v in box), fill=255)
        edge = tuple(v for v in box)
        draw.rectangle(edge, outline=0, width=round((0.03 + design.bold / 3) * size))


def _draw_face(draw: ImageDraw.ImageDraw, design: Design) -> None:
    middle, wide = SYMBOL_PX, SYMBOL_PX * 0.45
    draw.rounded_rectangle(
        (middle - wide, middle - wide, middle + wide, middle + wide),
        radius=wide * 0.4,
        fill=255 if design.arrows else 0,
        outline=255,
        width=8,
    )
    ink = 0 if design.arrows else 255
    for side in (-1, 1):
        x, y = middle + side * wide * 0.45, middle - wide * 0.3
        draw.ellipse((x - 20, y - 20, x + 20, y + 20), fill=ink)
    mouth = (middle - wide * 0.6, middle + wide * 0.3, middle + wide * 0.6, middle + wide * 0.6)
    draw.rectangle(mouth, fill=ink)


def draw_card(
    symbol: str,
    colour: Colour,
    design: Design,
    random: np.random.Generator,
    spin: bool = False,
    upside_down: bool = False,
) -> Picture:
    """Return a card seen from straight above, 4 pixels per mm, blue green red.

    upside_down: whether the middle is printed the other way round than the corners.
    """
    size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
    card = Image.new("RGB", size, WHITE)
    draw = ImageDraw.Draw(card)
    edge = design.border * PX_PER_MM
    box = (edge, edge, size[0] - edge, size[1] - edge)
    draw.rounded_rectangle(box, radius=3 * PX_PER_MM, fill=colour)
    if design.pattern > 0:
        _draw_pattern(card, colour, design, box, random)
    _draw_middle(card, symbol, colour, design, random, upside_down)
    _draw_corners(card, symbol, design, random)
    if spin:
        _draw_spirals(card, colour, design)
    return np.ascontiguousarray(np.asarray(card)[:, :, ::-1], dtype=np.uint8)


def _draw_pattern(
    card: Drawing,
    colour: Colour,
    design: Design,
    box: tuple[float, float, float, float],
    random: np.random.Generator,
) -> None:
    """Rings or waves in a slightly different tone of the panel's colour."""
    draw = ImageDraw.Draw(card)
    tone = tuple(round(c * (1.0 - design.pattern)) for c in colour)
    middle = (card.width / 2, card.height / 2)
    if random.random() < 0.5:
        for ring in range(6, 1, -1):
            radius = ring * 6.0 * PX_PER_MM
            fill = tone if ring % 2 else colour
            radius = min(radius, middle[0] - box[0])
            draw.ellipse(
                (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius),
                fill=fill,
            )
    else:
        for wave in range(3, int(CARD_MM[1]), 9):
            points = [
                (x, wave * PX_PER_MM + 8 * math.sin(x / 14.0 + wave))
                for x in range(int(box[0]) + 8, int(box[2]) - 8, 4)
            ]
            if box[1] + 16 < wave * PX_PER_MM < box[3] - 16:
                draw.line(points, fill=tone, width=3)


def _paste(
    card: Drawing, mask: Drawing, middle: tuple[float, float], height: float, colour: Colour
) -> None:
    """Draw *mask* in *colour* with its middle at a place of the card, *height* pixels high."""
    scale = height / max(mask.size)
    small = mask.resize((max(1, round(mask.width * scale)), max(1, round(mask.height * scale))))
    at = (round(middle[0] - small.width / 2), round(middle[1] - small.height / 2))
    card.paste(colour, at, small)


def _grow(mask: Drawing, by: int) -> Drawing:
    """Return the mask, larger by *by* pixels on all sides."""
    wide = Image.new("L", (mask.width + 2 * by, mask.height + 2 * by), 0)
    for turn in range(12):
        angle = turn * math.pi / 6
        at = (round(by + by * math.cos(angle)), round(by + by * math.sin(angle)))
        wide.paste(255, at, mask)
    wide.paste(255, (by, by), mask)
    return wide


def _draw_middle(
    card: Drawing,
    symbol: str,
    colour: Colour,
    design: Design,
    random: np.random.Generator,
    upside_down: bool,
) -> None:
    middle = (card.width / 2, card.height / 2)
    height = design.symbol * PX_PER_MM
    mask = draw_symbol(symbol, design, random)
    if upside_down:
        mask = mask.transpose(Image.Transpose.ROTATE_180)
    if design.style == "badge":
        _draw_badge(ImageDraw.Draw(card), design, middle)
        dark = tuple(round(c * design.ink) for c in colour)
        _paste(card, mask, middle, height, (dark[0], dark[1], dark[2]))
        return
    _draw_oval(card, design, middle)
    by = round(design.outline * max(mask.size) / design.symbol)
    outlined = _grow(mask, by)
    tall = height * max(outlined.size) / max(mask.size)
    shift = 0.8 * design.outline * PX_PER_MM * (-1 if upside_down else 1)
    _paste(card, outlined, (middle[0] - shift, middle[1] + shift), tall, BLACK)
    _paste(card, mask, middle, height, WHITE if design.style == "outlined" else colour)


def _draw_badge(draw: ImageDraw.ImageDraw, design: Design, middle: tuple[float, float]) -> None:
    half = design.symbol * 0.68 * PX_PER_MM
    x, y = middle
    if design.badge == "circle":
        draw.ellipse((x - half, y - half, x + half, y + half), fill=WHITE)
    elif design.badge == "square":
        box = (x - half * 0.9, y - half, x + half * 0.9, y + half)
        draw.rounded_rectangle(box, radius=half * 0.25, fill=WHITE)
    else:
        high = half * 1.25
        points = [(0.0, -1.0), (1.0, -0.45), (1.0, 0.45), (0.0, 1.0), (-1.0, 0.45), (-1.0, -0.45)]
        draw.polygon([(x + px * half, y + py * high) for px, py in points], fill=WHITE)


def _draw_oval(card: Drawing, design: Design, middle: tuple[float, float]) -> None:
    """Draw the tilted oval of printed decks: a line, or filled."""
    width, height = (side * design.oval * PX_PER_MM for side in OVAL_MM)
    oval = Image.new("L", card.size, 0)
    draw = ImageDraw.Draw(oval)
    box = (middle[0] - width / 2, middle[1] - height / 2)
    box_px = (*box, middle[0] + width / 2, middle[1] + height / 2)
    if design.style == "filled":
        draw.ellipse(box_px, fill=255)
    else:
        draw.ellipse(box_px, outline=255, width=round(design.oval_line * PX_PER_MM))
    card.paste(WHITE, (0, 0), oval.rotate(-design.tilt_deg))


def _draw_corners(card: Drawing, symbol: str, design: Design, random: np.random.Generator) -> None:
    if symbol == "blank":
        return
    mask = draw_symbol(symbol, design, random)
    at = design.corner_inset * PX_PER_MM
    turned = mask.transpose(Image.Transpose.ROTATE_180)
    high = at + (1.0 + 0.05 * design.corner) * PX_PER_MM
    places = (
        (mask, (at, high)),
        (turned, (card.width - at, card.height - high)),
    )
    for drawing, place in places:
        if design.style != "badge":
            by = round(0.06 * max(drawing.size))
            outlined = _grow(drawing, by)
            tall = design.corner * PX_PER_MM * max(outlined.size) / max(drawing.size)
            _paste(card, outlined, place, tall, BLACK)
        _paste(card, drawing, place, design.corner * PX_PER_MM, WHITE)


def _draw_spirals(card: Drawing, colour: Colour, design: Design) -> None:
    draw = ImageDraw.Draw(card)
    inset, radius = design.corner_inset * PX_PER_MM, 4.0 * PX_PER_MM
    for x, y in ((card.width - inset, inset), (inset, card.height - inset)):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=WHITE)
        points = []
        for step in range(60):
            angle = step * 0.22
            points.append(
                (
                    x + radius * 0.85 * step / 60 * math.cos(angle),
                    y + radius * 0.85 * step / 60 * math.sin(angle),
                )
            )
        draw.line(points, fill=colour, width=3)


def draw_tiki_card(colour: Colour) -> Picture:
    """Return a card with a wooden face on a panel of *colour*, as `draw_card` does."""
    size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
    card = Image.new("RGB", size, WHITE)
    draw, mm = ImageDraw.Draw(card), PX_PER_MM
    edge = 3 * mm
    draw.rounded_rectangle((edge, edge, size[0] - edge, size[1] - edge), 3 * mm, fill=colour)
    wood, dark = (205, 125, 55), (120, 60, 25)
    for spike in range(5):
        x, fill = (16 + 6 * spike) * mm, ((210, 50, 50), (50, 140, 60))[spike % 2]
        draw.polygon([(x - 3 * mm, 31 * mm), (x, 22 * mm), (x + 3 * mm, 31 * mm)], fill=fill)
    draw.rounded_rectangle((13 * mm, 29 * mm, 43 * mm, 63 * mm), 6 * mm, fill=wood)
    draw.line([(14 * mm, 36 * mm), (28 * mm, 42 * mm), (42 * mm, 36 * mm)], fill=dark, width=10)
    for x in (20 * mm, 36 * mm):
        draw.ellipse((x - 3 * mm, 41 * mm, x + 3 * mm, 47 * mm), fill=WHITE)
        draw.ellipse((x - mm, 43 * mm, x + mm, 45 * mm), fill=BLACK)
    draw.rectangle((19 * mm, 52 * mm, 37 * mm, 57 * mm), fill=WHITE)
    return np.ascontiguousarray(np.asarray(card)[:, :, ::-1], dtype=np.uint8)
