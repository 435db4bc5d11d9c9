"""The small markers that are stuck on the corners of a game's own board."""

from companion.apps.printing.markers import draw_marker
from companion.apps.printing.paper import GREY, Page
from companion.apps.printing.plans import Plan, draw_steps
from companion.apps.printing.rulers import draw_surroundings
from companion.apps.printing.tiles import PLACES
from companion.language.message import Message, say, say_as
from companion.registry import game_of
from vision.geometry.layout import BoardMarkers

GAP = 18.0
PLAN_MM = 74.0


def draw_stickers(page: Page, game: str, markers: BoardMarkers) -> None:
    """Draw the sheet of the stickers for the board of *game*.

    A sticker reaches as far from its marker's middle as that lies from the board's edges: whoever
    sticks it flush into the corner has it in its place.
    """
    mat, side = markers.mat, 2 * markers.inset_mm
    area = draw_surroundings(
        page,
        say("{game}: stickers for the board", game=game_of(game).title),
        say(
            "Each sticker is {side} mm wide, its black square {marker} mm.",
            side=side,
            marker=mat.marker_mm,
        ),
    )
    top = area.top + 7.0
    for corner, number in enumerate(mat.marker_ids):
        left = area.left + corner * (side + GAP)
        page.text(left, top - 2.4, PLACES[corner], 2.8, bold=True)
        page.text(left + side, top + side + 3.6, f"{number}", 2.1, align="right", shade=GREY)
        page.polygon(
            [
                (left, top + side + 3.6),
                (left + 2.4, top + side + 3.6),
                (left + 1.2, top + side + 1.4),
            ],
            GREY,
        )
        page.frame(left, top, side, side)
        rim = (side - mat.marker_mm) / 2
        draw_marker(page, left + rim, top + rim, mat.marker_mm, number)
    low = _draw_plan(page, area.left + 10.0, top + side + 24.0, markers)
    draw_steps(page, area.left, low + 14.0, area.width, _steps(markers))


def _draw_plan(page: Page, left: float, top: float, markers: BoardMarkers) -> float:
    """Draw the board with its stickers, seen from above; return where it ends."""
    mat, inset = markers.mat, markers.inset_mm
    board = mat.width + 2 * inset, mat.height + 2 * inset
    plan = Plan(page, left, top, PLAN_MM / board[0])
    plan.frame(0.0, 0.0, *board)
    for x, y in mat.centres:
        plan.square((x + inset, y + inset), 2 * inset)
    plan.words((board[0] / 2, board[1] / 2), say_as("on a drawing of the table", "board"))
    plan.across(0.0, board[0], above=True, said=say("{length} mm", length=board[0]))
    plan.down(0.0, board[1], said=say("{length} mm", length=board[1]))
    for corner, place in enumerate(PLACES):
        is_left, is_top = corner in (0, 3), corner < 2
        x = left + (2 * inset + 6.0) * plan.scale if is_left else left + PLAN_MM
        x = x if is_left else x - (2 * inset + 6.0) * plan.scale
        y = top + (inset if is_top else board[1] - inset) * plan.scale + 1.0
        page.text(x, y, place, 2.6, align="left" if is_left else "right", shade=GREY)
    return top + board[1] * plan.scale


def _steps(markers: BoardMarkers) -> tuple[Message, ...]:
    return (
        say("Print on paper with a sticky back, or use glue. Measure both rulers."),
        say(
            "Cut out one sticker along its grey line, and stick it into its corner of the"
            " board before you cut the next: afterwards you cannot tell them apart."
        ),
        say(
            "Put its edges flush with the board’s, so that the middle of the black square is"
            " {inset} mm from both. The words above it show which way is up.",
            inset=markers.inset_mm,
        ),
        say(
            "Nothing may cover a sticker during the game, and the board must lie the right way up."
        ),
    )
