"""The page that tells without a ruler how large a printer prints, by a card that everybody has."""

from typing import Final

from companion.apps.printing.known_scales import explain_scales
from companion.apps.printing.paper import GREY, PALE, Page
from companion.apps.printing.plans import draw_steps
from companion.apps.printing.rulers import draw_surroundings
from companion.language.message import say

CARD_MM: Final = (85.60, 53.98)
"""Of every bank card, ISO/IEC 7810 ID-1."""
PERCENTS: Final = tuple(range(94, 107))
TRUE: Final = 100
ROW: Final = 3.4
COLUMN: Final = 6.0


def card_edge(length: float, percent: float) -> float:
    """Return where on the page a card's edge lies if the page is printed at *percent*.

    >>> card_edge(85.6, 100), round(card_edge(85.6, 97), 2)
    (85.6, 88.25)
    """
    return length * 100 / percent


def draw_check_ruler(page: Page) -> None:
    """Draw the page."""
    area = draw_surroundings(
        page,
        say("Check ruler"),
        say("Shows whether your printer prints at true size, across and down."),
    )
    left, top = area.left + 4.0, area.top + 8.0
    width, height = CARD_MM
    page.line((left, top), (left + width, top), 0.5)
    page.line((left, top), (left, top + height), 0.5)
    page.polygon([(left, top), (left + 4.0, top), (left, top + 4.0)])
    words = say("Lay a bank card into this corner")
    page.text(left + width / 2, top + height / 2 - 1.0, words, 3.4, align="middle", shade=GREY)
    size = say("{width} × {height} mm", width=width, height=height)
    page.text(left + width / 2, top + height / 2 + 4.0, size, 2.8, align="middle", shade=PALE)
    _draw_scale_across(page, left, top)
    _draw_scale_down(page, left, top)
    draw_steps(
        page,
        area.left,
        top + card_edge(height, PERCENTS[0]) + 24.0,
        area.width,
        (
            say("Lay any bank card, shop card or driving licence flush into the thick corner."),
            say(
                "The line at its right edge shows the size of the print across, the line at"
                " its lower edge the size down. If both are 100, all is well, and everything"
                " printed in the same way can be used."
            ),
            say(
                "If not, choose “100 %” or “actual size” in the print dialogue, and print"
                " again. If the printer cannot do that, the companion can correct for it with"
                " the two numbers, such as 97 and 98.5: “tiki print … --measured 97 98.5”."
            ),
            say("The rulers on every page tell you the same: their length in mm is that number."),
            explain_scales(page.paper),
        ),
    )


def _draw_scale_across(page: Page, left: float, top: float) -> None:
    """Draw a line for each percent, each in a row of its own, so that their numbers have room."""
    numbers = left + card_edge(CARD_MM[0], PERCENTS[0]) + 3.0
    for row, percent in enumerate(PERCENTS):
        x, y = left + card_edge(CARD_MM[0], percent), top + 5.0 + row * ROW
        is_true = percent == TRUE
        page.line((x, y), (x, y + ROW), 0.5 if is_true else 0.25)
        page.line((x + 0.8, y + ROW / 2), (numbers - 0.8, y + ROW / 2), 0.1, PALE)
        page.text(numbers, y + ROW / 2 + 0.9, f"{percent}", 2.6, bold=is_true)
    page.text(numbers + 8.0, top + 5.0 + len(PERCENTS) * ROW / 2 + 1.0, say("% across"), 3.2)


def _draw_scale_down(page: Page, left: float, top: float) -> None:
    numbers = top + card_edge(CARD_MM[1], PERCENTS[0]) + 4.6
    for column, percent in enumerate(PERCENTS):
        x, y = left + 4.0 + column * COLUMN, top + card_edge(CARD_MM[1], percent)
        is_true = percent == TRUE
        page.line((x, y), (x + COLUMN, y), 0.5 if is_true else 0.25)
        page.line((x + COLUMN / 2, y + 0.8), (x + COLUMN / 2, numbers - 2.8), 0.1, PALE)
        page.text(x + COLUMN / 2, numbers, f"{percent}", 2.6, bold=is_true, align="middle")
    page.text(
        left + 4.0 + len(PERCENTS) * COLUMN / 2, numbers + 6.0, say("% down"), 3.2, align="middle"
    )
