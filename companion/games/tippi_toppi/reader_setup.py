"""The reader of Tippi Toppi: the top cards of four piles."""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.tippi_toppi.words import colour_words
from companion.referee.game import EMPTY, Table
from companion.table.readers import Description, ReaderSetup
from companion.table.table_plan import SHEET_WORDS, TablePlan, around, sheet_under
from vision.cards.layout import TIPPI_TOPPI, PileLayout, parse_pile_layout
from vision.cards.pile_reader import PileReader
from vision.observation import Observation


class TippiToppiSetup(ReaderSetup):
    """How Tippi Toppi is read."""

    reads_uncalibrated = True

    class_words = staticmethod(colour_words)

    def open_reader(self, description: Description) -> PileReader:
        """Return a reader of the piles; raises BadLayout."""
        return PileReader(_layout(description))

    def known_truth(self, table: Table) -> Mapping[str, Any] | None:
        """Return the cards on top in *table*, None if one is not known.

        >>> READER_SETUP.known_truth(("green 7", "pink 1"))
        {'piles': [{'color': 'green', 'value': 7}, {'color': 'pink', 'value': 1}]}
        """
        cards = [(content or EMPTY).split() for content in table]
        if not cards or any(len(card) != 2 for card in cards):
            return None
        return {"piles": [{"color": colour, "value": int(value)} for colour, value in cards]}

    def table_of(self, truth: Mapping[str, Any]) -> Table:
        """Return the cards on top if a picture shows the piles of *truth*."""
        return tuple(f"{pile['color']} {pile['value']}" for pile in truth["piles"])

    def shows(self, observation: Observation, truth: Mapping[str, Any]) -> bool:
        """Return whether the very cards that were learned are read again."""
        reading = observation.reading
        return reading is not None and reading["piles"] == list(truth["piles"])

    def plan(self, description: Description) -> TablePlan:
        """Return the piles, and the sheet that may lie under them."""
        layout = _layout(description)
        card = layout.card
        piles = tuple(around(pile.x, pile.y, card.w, card.h) for pile in layout.piles)
        return TablePlan(sheet_under(layout.mat), SHEET_WORDS, piles, is_board=False)


def _layout(description: Description) -> PileLayout:
    return parse_pile_layout(description) if description else TIPPI_TOPPI


READER_SETUP: Final = TippiToppiSetup()
