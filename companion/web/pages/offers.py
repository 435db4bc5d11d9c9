"""Offers: what a visitor may enter now."""

from companion.web.site import Site

MAX_BUTTONS = 60
"""More actions than that are not shown as buttons; such a game has forms of its own."""


def offered(site: Site, seat: int | None) -> list[list[str]]:
    """Return the words of each action that may be entered: by *seat*, or by the host for None."""
    referee = site.live_session.referee
    texts = referee.offers()
    return [text.split() for text in texts if seat is None or referee.may_enter(seat, text)]


def offered_words(site: Site, seat: int | None) -> list[tuple[str, str]]:
    """Return each action that may be entered with its words for people, for plain buttons."""
    game, players = site.live_session.game, site.live_session.header.players
    actions = [" ".join(words) for words in offered(site, seat)][:MAX_BUTTONS]
    return [(action, game.words(action, players)) for action in actions]
