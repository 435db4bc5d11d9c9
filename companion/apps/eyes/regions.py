"""The pieces of "what the eyes see", for every page that shows them by the template of eyes."""

from collections.abc import Mapping
from typing import Any, Final

from companion.apps.eyes.explanations import explanations_of
from companion.apps.eyes.places import PlaceMap, SeenPlace, map_of, seen_places
from companion.apps.eyes.witnesses import witnesses_of
from companion.table.readers import reader_setup_of
from companion.table.table_plan import TablePlan
from companion.web.pages.public import board_values
from companion.web.site import Site, Visitor

EYES: Final = ("sight", "odds", "witnesses", "hands", "scores")
"""By name: the places, the odds, who said what, lights and display, and the score."""


def eyes_regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return the pieces; for whoever neither is the host nor sits at the table they are empty.

    Nothing in them is more than a bystander at the table may know: see `referee.odds`.
    """
    if not (visitor.is_host or visitor.seat is not None):
        return dict.fromkeys(EYES, "")
    return site.once(
        ("eyes", visitor.is_host, visitor.seat),
        lambda: site.regions(EYES, {**board_values(site, visitor), **_values(site)}),
    )


def watches(site: Site) -> bool:
    """Return whether a camera watches the game that is on, or pictures of it came otherwise."""
    referee = site.live_session.referee
    setup = site.table.table_setup
    is_known = setup is not None and setup.knows(site.live_session.game.name)
    return bool(site.live_session.game.places) and (is_known or referee.newest_picture is not None)


def _values(site: Site) -> dict[str, Any]:
    referee = site.live_session.referee
    look, newest = referee.look, referee.newest_picture
    places: tuple[SeenPlace, ...] = seen_places(site, look) if look is not None else ()
    plan = _plan(site)
    drawn: PlaceMap | None = map_of(plan, places) if plan is not None and places else None
    return {
        "drawn": drawn,
        "seen": places,
        "in_doubt": [place for place in places if not place.is_plain],
        "picture": look.observation.frame if look is not None else "",
        "is_newest": look is None or newest is None or look.observation.frame == newest.frame,
        "explained": explanations_of(site, look),
        "witnesses": witnesses_of(site),
    }


def _plan(site: Site) -> TablePlan | None:
    """Return what lies where, at this table if its set-up is known, else as it usually does."""
    name, setup = site.live_session.game.name, site.table.table_setup
    if setup is not None and setup.knows(name):
        return setup.plan(name)
    return reader_setup_of(name).plan(None)
