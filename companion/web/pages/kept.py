"""What a browser has entered in secret."""

from companion.session.events import SecretEntered
from companion.web.site import Site, Visitor


def own_secret(site: Site, visitor: Visitor) -> str | None:
    """Return the action by which *visitor* itself has entered this round's secret of its seat.

    What an earlier holder of the seat has entered is not shown: a new link must not open it.
    """
    if visitor.seat is None or visitor.claim is None:
        return None
    session = site.live_session.session
    round_number = site.live_session.game.round_number(session.state)
    for entry in reversed(session.entries[visitor.claim.since :]):
        match entry.event:
            case SecretEntered(visitor.seat, number, action) if number == round_number:
                return action
    return None
