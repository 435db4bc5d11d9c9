"""From one game to the next: the same people again, another game, or none for now."""

from functools import partial

from companion.config import AUTO, TableConfig, table_header
from companion.language.message import say
from companion.referee.opening import open_header
from companion.referee.other_tiles import switch_to
from companion.registry import game_of
from companion.session.session import Header
from companion.web.forms import MOVED_ON, Form, Refused, back_to, field
from companion.web.site import Site


def begin(site: Site, header: Header, reason: str, *, is_same: bool = True) -> None:
    """Put the game away and begin that of *header*.

    is_same: whether the same people play; a phone stays with its player's name then.
    Raises LogError, and nothing has changed then.
    """
    before = list(site.live_session.header.players)
    site.seat_links.staying = (
        {seat: before.index(name) for seat, name in enumerate(header.players) if name in before}
        if is_same
        else {}
    )
    try:
        site.live_session.renew(header, reason)
    finally:
        site.seat_links.staying = {}


def follow_tiles(site: Site, table: TableConfig, game: str) -> None:
    """Begin *game*, whose tiles were put on the table; ask first in the middle of another.

    The same people go on, once the table is set up.  Raises LogError if it cannot be saved.
    """
    site.spotted = game
    people = site.live_session.header if site.table.memory.is_set_up else None
    header, is_fixed = table_header(table, game, people), table.game != AUTO
    switch_to(site.live_session, header, is_fixed=is_fixed, renew=partial(begin, site))


def first_of(header: Header) -> int | None:
    """Return the seat that began or dealt in the game of *header*, None if no player was chosen."""
    game = game_of(header.game)
    for key in game.setup(0):
        first = header.setup.get(key)
        return first if isinstance(first, int) else None
    return None


def next_header(header: Header) -> Header:
    """Return what opens the same game once more: the next player begins, or chance says so again.

    Raises InvalidSetup.
    """
    first = first_of(header)
    return _opened_anew(header, None if first is None else (first + 1) % len(header.players))


def _opened_anew(header: Header, first: int | None) -> Header:
    """Return what opens the game of *header* for the same people, with *first* to begin."""
    game = game_of(header.game)
    people = header.players, header.options, first, header.sides, header.colours, header.computers
    return open_header(game, *people)


def play_again(site: Site, form: Form) -> str:
    """Begin the same game with the same people."""
    _require_session(site, form)
    back = back_to(form)
    begin(site, next_header(site.live_session.header), "the host began the same game again")
    return back


def put_away(site: Site, form: Form) -> str:
    """Put the game away, so that it can be resumed, and ask what comes next."""
    _require_session(site, form)
    if not site.live_session.session.history.acts:
        raise Refused(409, say("Nothing has been played yet."))
    header = site.live_session.header
    begin(site, _opened_anew(header, first_of(header)), "the host put the game away")
    return "/desk/new"


def _require_session(site: Site, form: Form) -> None:
    if field(form, "session") != str(site.live_session.session.number):
        raise Refused(409, MOVED_ON)
