"""A card for each seat, with a QR code to the page on which its phone joins.

No card opens a seat.  A seat's own link does, but lets in one phone and dies with its game; so the
cards lead to the page that asks for the table's letters, which are new for each game.  They keep
for as long as the companion keeps its address.
"""

from collections.abc import Sequence
from typing import Final

import segno

from companion.apps.printing.paper import GREY, PALE, Page
from companion.apps.printing.rulers import draw_surroundings
from companion.language.message import say, say_as

CARD_MM: Final = (80.0, 48.0)
GAP: Final = 4.0
COLUMNS: Final = 2
ROWS: Final = 4
QR_MM: Final = 36.0
QUIET: Final = 4
"""Modules of white around a code, as its standard asks for."""
CARDS_PER_PAGE: Final = COLUMNS * ROWS


def join_link(address: str, card: int) -> str:
    """Return where the QR code of a card leads.

    address: of the companion, without a slash at its end.  card: 1 for the first seat.
    """
    return f"{address}/join?card={card}"


def draw_seat_cards(page: Page, address: str, cards: Sequence[int]) -> None:
    """Draw *cards*, at most CARDS_PER_PAGE of them, by their numbers on the page."""
    width, height = CARD_MM
    area = draw_surroundings(
        page,
        say("Seat cards"),
        say(
            "Cards of {width} × {height} mm, one for each seat, for all games while the companion"
            " keeps its address. To take a seat, you also need the letters on the screen.",
            width=width,
            height=height,
        ),
    )
    for place, card in enumerate(cards):
        row, column = divmod(place, COLUMNS)
        left, top = area.left + column * (width + GAP), area.top + row * (height + GAP)
        _draw_card(page, (left, top), address, card)


def _draw_card(page: Page, at: tuple[float, float], address: str, card: int) -> None:
    left, top = at
    width, height = CARD_MM
    page.frame(left, top, width, height, radius=2.5)
    _draw_qr(page, left + 2.0, top + (height - QR_MM) / 2 - 2.4, join_link(address, card))
    x = left + 2.0 + QR_MM + 2.0
    room = left + width - x - 3.0
    page.text(x, top + 8.5, say_as("on a card, before its number", "Seat"), 4.0, shade=GREY)
    page.text(left + width - 4.0, top + 14.0, f"{card}", 13.5, bold=True, align="right")
    page.line((x, top + 20.5), (left + width - 4.0, top + 20.5), shade=PALE)
    page.text(x, top + 22.9, say_as("on a line to write on", "Name"), 1.9, shade=GREY)
    page.paragraph(
        x,
        top + 28.0,
        room,
        say(
            "Point your phone’s camera at the picture and type the letters from the table’s screen."
        ),
        2.5,
    )
    shown = address.partition("://")[2] + "/join"
    size = min(2.6, 2.6 * (width - 8.0) / max(page.text_width(shown, 2.6), 1.0))
    page.text(left + width / 2, top + height - 2.6, shown, size, align="middle", shade=GREY)


def _draw_qr(page: Page, left: float, top: float, link: str) -> None:
    rows = [bytes(row) for row in segno.make(link, error="m", micro=False).matrix]
    module = QR_MM / (len(rows) + 2 * QUIET)
    page.fill(
        (left + (QUIET + column) * module, top + (QUIET + row) * module, module, module)
        for row, modules in enumerate(rows)
        for column, is_dark in enumerate(modules)
        if is_dark
    )
