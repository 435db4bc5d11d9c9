"""The four corner tiles of a game, and how they lie around its board."""

from typing import Final

from companion.apps.printing.markers import draw_marker
from companion.apps.printing.paper import BLACK, GREY, PALE, Page
from companion.apps.printing.plans import Plan, draw_steps
from companion.apps.printing.rulers import Area, draw_surroundings
from companion.language.message import Message, say, say_as
from companion.registry import GAMES, game_of
from companion.table.readers import usual_table
from vision.geometry.layout import Mat, parse_mat
from vision.geometry.session_values import take_length, take_table

PLACES: Final = (
    say_as("where a tile lies", "top left"),
    say_as("where a tile lies", "top right"),
    say_as("where a tile lies", "bottom right"),
    say_as("where a tile lies", "bottom left"),
)
"""In the order of a mat's markers."""
GAP: Final = 12.0
STRIP: Final = 6.0
"""Of paper outside a tile, which says where it lies; it is cut out with it."""


class NoTiles(ValueError):
    """A game without corner tiles; says so in one line."""


def tile_sizes(game: str) -> tuple[Mat, float]:
    """Return the mat of *game* as its reader expects it, and the side of its tiles in mm.

    Raises NoTiles.
    """
    if not GAMES[game].has_mat:
        raise NoTiles(f"{game} is played without a mat, so it has no tiles to print")
    table = usual_table(game)
    values = take_table(table, "mat", "a table with width, height, marker_mm and tile_mm")
    return parse_mat(table), take_length(values, "mat.tile_mm")


def draw_tiles(page: Page, game: str) -> None:
    """Draw the sheet of the corner tiles of *game*; raises NoTiles."""
    mat, tile = tile_sizes(game)
    title: str = game_of(game).title
    area = draw_surroundings(
        page,
        say("{game}: corner tiles", game=title),
        say(
            "Each tile is {tile} mm wide, its black square {marker} mm.",
            tile=tile,
            marker=mat.marker_mm,
        ),
    )
    for corner in range(len(PLACES)):
        _draw_tile(page, area, (mat, tile), corner, title)
    right = area.left + 2 * tile + GAP
    bottom = area.top + 2 * (tile + STRIP) + GAP
    _draw_plan(page, Area(right + 11.0, area.top + 14.0, area.right, bottom), mat, tile)
    draw_steps(page, area.left, bottom + 11.0, area.width, _steps(mat))


def _draw_tile(page: Page, area: Area, sizes: tuple[Mat, float], corner: int, title: str) -> None:
    """Draw one tile with its strip, which points away from the board."""
    mat, tile = sizes
    is_top = corner < 2
    left = area.left + (corner in (1, 2)) * (tile + GAP)
    top = area.top + (0.0 if is_top else tile + STRIP + GAP)
    page.frame(left, top, tile, tile + STRIP)
    rim = (tile - mat.marker_mm) / 2
    marker_top = top + rim + (STRIP if is_top else 0.0)
    draw_marker(page, left + rim, marker_top, mat.marker_mm, mat.marker_ids[corner])
    base = top + (4.6 if is_top else tile + STRIP - 2.2)
    page.polygon([(left + 3, base), (left + 5.4, base), (left + 4.2, base - 2.2)], GREY)
    words = f"{title} {mat.marker_ids[corner]}"
    page.text(left + tile - 3.0, base, words, 2.1, align="right", shade=GREY)
    room = tile - 6.6 - 3.0 - 2.0 - page.text_width(words, 2.1)
    size = min(2.8, 2.8 * room / page.text_width(PLACES[corner], 2.8, bold=True))
    page.text(left + 6.6, base, PLACES[corner], size, bold=True)


def _draw_plan(page: Page, area: Area, mat: Mat, tile: float) -> None:
    """Draw the table seen from above, small: the tiles, the board, and how far apart they lie."""
    plan = Plan(page, area.left, area.top, area.width / (mat.width + tile))
    for x, y in mat.centres:
        plan.square((x + tile / 2, y + tile / 2), tile)
    edge = tile * 1.25
    plan.frame(edge, edge, mat.width + tile - 2 * edge, mat.height + tile - 2 * edge)
    middle = (mat.width + tile) / 2, (mat.height + tile) / 2
    plan.words(middle, say_as("on a drawing of the table", "board"))
    plan.across(tile / 2, mat.width + tile / 2, above=True, said=_mm(mat.width))
    plan.down(tile / 2, mat.height + tile / 2, said=_mm(mat.height))
    low = area.top + plan.scale * (mat.height + tile)
    page.text(
        area.left + area.width / 2,
        low + 6.0,
        say_as("on a drawing of the table", "near player"),
        2.9,
        align="middle",
        shade=BLACK,
    )
    x = area.left + area.width / 2
    page.polygon([(x - 1.4, low + 2.6), (x + 1.4, low + 2.6), (x, low + 1.0)], PALE)


def _mm(length: float) -> Message:
    return say("{length} mm", length=length)


def _steps(mat: Mat) -> tuple[Message, ...]:
    return (
        say(
            "Measure both rulers. If you have nothing to measure with, “tiki print ruler”"
            " makes a page that you can check with a bank card."
        ),
        say(
            "Glue the page to card, so that the tiles lie flat. Cut along the grey lines: the white"
            " rim and the strip with the words belong to the tile."
        ),
        say(
            "Lay the tiles around the board, with the words upright for the near player and"
            " the strips outwards."
        ),
        say(
            "From middle to middle they are {width} mm apart from left to right, and {height}"
            " mm from top to bottom, to within a few millimetres.",
            width=mat.width,
            height=mat.height,
        ),
        say("The camera has to see all four; no lamp may be reflected in them."),
    )
