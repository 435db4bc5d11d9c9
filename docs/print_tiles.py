"""A game's corner tiles at true scale, to print.

.venv/bin/python docs/print_tiles.py tiki_topple > tiles.svg
"""

import argparse
import sys
from typing import Final

import cv2

from companion.games import GAMES, TILES

PLACES: Final = ("top left", "top right", "bottom right", "bottom left")
TILE_MM: Final = 50
MARKER_MM: Final = 40
CELLS: Final = 6  # four by four, and the black edge around them
A4_MM: Final = (210, 297)
LEFT_MM, TOP_MM, STEP_X_MM, STEP_Y_MM = 40, 40, 80, 75


def draw_tiles(game: str) -> str:
    """Return the four tiles of *game* as a page in SVG, in millimetres, with a bar to measure."""
    width, height = A4_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"',
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="5">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for corner, place in enumerate(PLACES):
        marker = TILES * GAMES[game].mat + corner
        x = LEFT_MM + (corner in (1, 2)) * STEP_X_MM
        y = TOP_MM + corner // 2 * STEP_Y_MM
        edge, cell = (TILE_MM - MARKER_MM) / 2, MARKER_MM / CELLS
        cells = cv2.aruco.generateImageMarker(dictionary, marker, CELLS)
        # One path, its squares a hair wider than a cell: no printer leaves white between two.
        black = "".join(
            f"M{x + edge + column * cell:.3f} {y + edge + row * cell:.3f}"
            f"h{cell + 0.02:.3f}v{cell + 0.02:.3f}h-{cell + 0.02:.3f}z"
            for row, column in zip(*(cells == 0).nonzero(), strict=True)
        )
        parts += [
            f'<rect x="{x}" y="{y}" width="{TILE_MM}" height="{TILE_MM}" fill="white"',
            'stroke="#bbbbbb" stroke-width="0.2"/>',
            f'<text x="{x}" y="{y - 2}">{marker}: {place}, this edge up</text>',
            f'<path d="{black}" shape-rendering="crispEdges"/>',
        ]
    ruler = TOP_MM + 2 * STEP_Y_MM
    parts += [
        f'<rect x="{LEFT_MM}" y="{ruler}" width="100" height="2" fill="black"/>',
        f'<text x="{LEFT_MM}" y="{ruler + 8}">100 mm long, or print again at 100 %</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Prints the corner tiles of a game as SVG.")
    parser.add_argument("game", choices=GAMES)
    chosen = parser.parse_args().game
    if not GAMES[chosen].has_mat:
        parser.error(f"{chosen} is played without a mat, so it has no tiles to print")
    sys.stdout.write(draw_tiles(chosen))
