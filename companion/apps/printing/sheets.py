"""What can be printed: by a word, the pages and a title."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from companion.apps.printing.booklet import AS_IS, Drawing, make_pdf
from companion.apps.printing.check_ruler import draw_check_ruler
from companion.apps.printing.choices import PAPERS
from companion.apps.printing.seat_cards import CARDS_PER_PAGE, draw_seat_cards
from companion.apps.printing.stickers import draw_stickers
from companion.apps.printing.tiles import draw_tiles, tile_sizes
from companion.language.message import say
from companion.registry import game_of
from companion.table.readers import usual_table
from vision.geometry.layout import parse_board_markers


@dataclass(frozen=True, slots=True)
class Print:
    """What is to be printed.

    title: a message.  pages: in their order.
    """

    title: str
    pages: tuple[Drawing, ...]

    def to_pdf(self, paper: str, language: str, stretch: tuple[float, float] = AS_IS) -> bytes:
        """Return it as a PDF; *paper*: one of PAPERS.  See `booklet.make_pdf`."""
        return make_pdf(self.title, self.pages, PAPERS[paper], language, stretch)


def game_sheets(game: str) -> Print:
    """Return all that *game* needs: its corner tiles, and the stickers if its board has some.

    Raises NoTiles for a game without a mat, KeyError for one that is not listed.
    """
    tile_sizes(game)
    return Print(say("{game}: tiles to print", game=game_of(game).title), tuple(_pages(game)))


def _pages(game: str) -> Iterator[Drawing]:
    yield partial(draw_tiles, game=game)
    markers = parse_board_markers(usual_table(game))
    if markers is not None:
        yield partial(draw_stickers, game=game, markers=markers)


def check_ruler() -> Print:
    """Return the page that tells how large a printer prints."""
    return Print(say("Check ruler"), (draw_check_ruler,))


def seat_cards(address: str, seats: int) -> Print:
    """Return a card for each of *seats* at the companion of *address*."""
    cards = range(1, seats + 1)
    pages = tuple(
        partial(draw_seat_cards, address=address, cards=cards[first : first + CARDS_PER_PAGE])
        for first in range(0, seats, CARDS_PER_PAGE)
    )
    return Print(say("Seat cards"), pages)
