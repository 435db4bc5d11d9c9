"""What the documents show of the pin table; `python -m tests.hardware.wiring_pages` writes it."""

import re
from pathlib import Path
from typing import Final

from hardware.pins import HEADER, PICO, usual_plan
from hardware.wiring import draw_wiring, wiring_table

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "build-your-own.md"
PLANS: Final = {board.name: usual_plan(board) for board in (HEADER, PICO)}


def drawing(name: str) -> Path:
    """Return where the drawing of this board is kept."""
    return DOCS / f"wiring-{name}.svg"


def with_tables(text: str) -> str:
    """Return *text* with each board's table between its two marks."""
    for name, plan in PLANS.items():
        table = wiring_table(plan)
        between = rf"(<!-- wires of the {name} -->\n).*?(<!-- end -->)"
        told = rf"\g<1>{table}\g<2>"
        text, count = re.subn(between, told, text, flags=re.DOTALL)
        assert count == 1, f"{name}: {count} places for its table"
    return text


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
    for name, plan in PLANS.items():
        drawing(name).write_text(draw_wiring(plan))
