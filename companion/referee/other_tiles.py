"""What becomes of the game when the corner tiles of another one come into view."""

from collections.abc import Callable
from functools import partial

from companion.language.message import say
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask, Candidate
from companion.referee.transient_notices import TransientNotice
from companion.registry import GAMES, game_of
from companion.session.session import Header


def switch_to(
    live_session: LiveSession,
    header: Header,
    *,
    is_fixed: bool,
    renew: Callable[[Header, str], None] | None = None,
) -> None:
    """Begin the game of *header*, whose tiles are in view; ask first in the middle of another.

    A game without a mat may be played beside any mat, so nothing happens until it is over.
    is_fixed: whether this table plays one game only, so that others are named and nothing more.
    renew: begins it, with the reason why the other ends; None does no more than that.
    Raises LogError if it cannot be saved.
    """
    plays, title = live_session.game, game_of(header.game).title
    if not GAMES[plays.name].has_mat and not plays.rules.outcome(live_session.session.state):
        return
    if is_fixed:
        words = say(
            "The tiles of {other} are in view, but this table is set up for {game} only",
            other=title,
            game=plays.title,
        )
        live_session.show(TransientNotice("remark", words=words))
        return
    reason = f"the tiles of {title} were put on the table"
    begin = partial(renew or live_session.renew, header, reason)
    session = live_session.session
    if not session.history.acts or plays.rules.outcome(session.state):
        begin()
        return
    asked = Ask(
        None,
        say("The tiles of {game} are on the table. What would you like to do?", game=title),
        (
            Candidate((), say("End {game} and play {other}", game=plays.title, other=title)),
            Candidate((), say("Continue {game}", game=plays.title)),
        ),
    )
    live_session.referee.interrupt(asked, begin)
    live_session.changed()
