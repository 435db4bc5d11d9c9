"""Telling the room when the table's address has become another."""

from companion.language.message import listed, say, sequence
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import remarked
from companion.web.http.reach import Place, Reach


async def follow_reach(reach: Reach, live_session: LiveSession) -> None:
    """Let pages, display and voice have the addresses of now, forever.

    A network that is away for a moment and comes back as it was is not spoken of.
    """
    known = reach.places

    def tell() -> None:
        nonlocal known
        if reach.places and reach.places != known:
            known = reach.places
            live_session.show(
                remarked(say("Phones reach the table at {places}.", places=named(known)))
            )
        live_session.changed()

    with reach.on_change.heard_by(tell):
        await reach.watch()


def named(places: tuple[Place, ...]) -> str:
    """Return *places* in words, each by its network if there are several.

    >>> named((Place("http://192.168.1.5:8321", "Wi-Fi"), Place("http://10.0.0.7:8321", "cable")))
    'Wi-Fi 192.168.1.5:8321, cable 10.0.0.7:8321'
    """
    if len(places) == 1:
        return places[0].name
    return listed((sequence([each.link, each.name]) for each in places), "units")
