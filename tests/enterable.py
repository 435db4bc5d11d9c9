"""What people may enter now, for tests that know no game: on buttons, and into fields."""

from typing import Final

from companion.referee.live_session import LiveSession

EVERY: Final = 97
"""Of the numbers that may be written into a field, so many are passed over for each that is
tried."""


def enterable(live_session: LiveSession) -> list[str]:
    """Return what is offered; in a game without a table also some of what may be written."""
    game, session = live_session.game, live_session.session
    offers = [*live_session.referee.offers()]
    if game.places:
        return offers
    written = game.rules.legal_actions(session.state)[::-EVERY]
    return [*dict.fromkeys((*offers, *map(game.rules.format_action, written)))]
