"""Is the idol fair?  A page with every spin of this game as a rose, and a test of them."""

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin, sqrt
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.apps.statistics.fairness import Petal, assess_fairness
from companion.language.message import say
from companion.referee.live_session import LiveSession
from companion.session.events import SpinObserved
from companion.web.forms import Refused
from companion.web.pages.game_pages import pages_of
from companion.web.site import Site, Visitor, site_of
from hardware.facts import Spun
from hardware.sectors import Sectors

RADIUS: Final = 100.0
LABEL_RADIUS: Final = 112.0
NO_IDOL: Final = say("This game has no idol, so there are no spins to test.")


def logged_spins(live_session: LiveSession) -> Iterator[Spun]:
    """Yield every spin of the session in play; their times are their numbers in the log.

    One that was withdrawn comes twice, with one time, the second time not trusted.
    """
    last: tuple[float, float, bool] | None = None
    at_s = 0.0
    for entry in live_session.session.entries:
        spin = entry.event
        if isinstance(spin, SpinObserved):
            same = (spin.angle_deg, spin.turns, spin.clockwise)
            if spin.trusted or same != last:
                at_s = float(entry.seq)
            last = same
            yield Spun(
                angle_deg=spin.angle_deg,
                turns=spin.turns,
                clockwise=spin.clockwise,
                trusted=spin.trusted,
                seats=spin.seats,
                at_s=at_s,
                void=spin.void,
            )


def petal_path(petal: Petal, most: int) -> str:
    """Return a petal as an SVG path around 0 0, its area in proportion to its spins."""
    radius = RADIUS * sqrt(petal.spins / most) if most else 0.0
    ends = (petal.from_deg, petal.to_deg)
    (x0, y0), (x1, y1) = (
        (radius * sin(deg * pi / 180), -radius * cos(deg * pi / 180)) for deg in ends
    )
    return f"M0 0L{x0:.1f} {y0:.1f}A{radius:.1f} {radius:.1f} 0 0 1 {x1:.1f} {y1:.1f}z"


def idol_regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return the piece of the page that changes."""
    del visitor
    sectors = site.table.idol_sectors
    if sectors is None:
        return {"idol": ""}
    return site.once("idol", lambda: site.regions(("idol",), _values(site, sectors)))


def _values(site: Site, sectors: Callable[[int], Sectors]) -> dict[str, Any]:
    players = site.board().players
    found = assess_fairness(logged_spins(site.live_session), sectors(len(players)))
    most = max((petal.spins for petal in found.rose), default=0)
    petals = [petal_path(petal, most) for petal in found.rose if petal.spins]
    widest = max([1.0, *(max(each.spins, each.fair) for each in found.seats)])
    return {
        "found": found,
        "words": found.words([player.name for player in players]),
        "players": players,
        "petals": petals,
        "widest": widest,
        "labels": [(players[each.seat], *_on_rim(each.deg)) for each in found.seats],
    }


def _on_rim(deg: float) -> tuple[float, float]:
    """Return where the sign of a seat stands around the rose."""
    return LABEL_RADIUS * sin(deg * pi / 180), -LABEL_RADIUS * cos(deg * pi / 180)


async def show_idol(request: Request) -> Response:
    """Show what this game's spins say."""
    site = site_of(request)
    if site.table.idol_sectors is None or not pages_of(site).idol:
        raise Refused(404, NO_IDOL)
    return site.page("idol.html", idol_regions(site, site.visitor(request)))


ROUTES: Final = [Route("/idol", show_idol)]
