"""The reader of UNO Tiki: the discard pile and the idol's arm, calibrated with a known picture."""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.uno_tiki.words import card_words
from companion.referee.game import Table
from companion.table.readers import Description, ReaderSetup
from companion.table.table_plan import SHEET_WORDS, TablePlan, around, disc, sheet_under
from vision.cards.discard_reader import UnoReader
from vision.cards.layout import UNO_TIKI, UnoLayout, parse_uno_layout
from vision.observation import Observation

MAX_IDOL_ERROR_DEG: Final = 6.0
"""Between the angle that was learned and the one that is read of the same picture."""


class UnoTikiSetup(ReaderSetup):
    """How UNO Tiki is read."""

    class_words = staticmethod(card_words)

    def open_reader(self, description: Description) -> UnoReader:
        """Return a reader of the table that *description* lays out; raises BadLayout."""
        return UnoReader(_layout(description))

    def known_truth(self, table: Table) -> Mapping[str, Any]:
        """Return what people put up: the arm towards the far side, whatever card lies there."""
        return {"idol_deg": 0.0}

    def table_of(self, truth: Mapping[str, Any]) -> Table:
        """Return that nobody said which card lies on the pile, or which face is in the idol."""
        return (None, None)

    def shows(self, observation: Observation, truth: Mapping[str, Any]) -> bool:
        """Return whether the arm is seen where it was learned, and a card on the pile."""
        reading = observation.reading
        if reading is None:
            return False
        off_deg: float = (reading["idol_deg"] - truth["idol_deg"] + 180.0) % 360.0 - 180.0
        return abs(off_deg) <= MAX_IDOL_ERROR_DEG

    def plan(self, description: Description) -> TablePlan:
        """Return the two piles, the idol, and the sheet that may lie under them."""
        layout = _layout(description)
        card, idol = layout.card, layout.idol
        discard, draw = (
            around(pile.x, pile.y, card.w, card.h) for pile in (layout.discard, layout.draw)
        )
        return TablePlan(
            sheet_under(layout.mat),
            SHEET_WORDS,
            (discard, disc(idol.x, idol.y, idol.diameter / 2), draw),
            is_board=False,
        )


def _layout(description: Description) -> UnoLayout:
    return parse_uno_layout(description) if description else UNO_TIKI


READER_SETUP: Final = UnoTikiSetup()
