"""What apps add to the pages of a table: each app is loaded by its name, and none is imported."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from starlette.routing import BaseRoute

from companion.registry import APPS_WITH_PAGES, load_app
from companion.web.site import Site, Visitor

LivePage: TypeAlias = Callable[[Site, Visitor], Mapping[str, str]]
"""Returns the pieces of a page that change while it is open, by name."""


def _nothing(_: Site) -> Mapping[str, Any]:
    return {}


def _no_seat(_site: Site, _visitor: Visitor) -> Mapping[str, Any]:
    return {}


class AppPages(NamedTuple):
    """The pages of an app, which its module `pages` has as `PAGES`.

    live_pages: by name, those of which pieces change while they are open.
    begin: is called once, when the pages are made.
    desk_values, seat_values, welcome_values: what the templates of the desk, of a seat's page and
        of a new game say of it.
    """

    routes: Sequence[BaseRoute]
    live_pages: Mapping[str, LivePage] = MappingProxyType({})
    begin: Callable[[Site], None] = lambda _: None
    desk_values: Callable[[Site], Mapping[str, Any]] = _nothing
    seat_values: Callable[[Site, Visitor], Mapping[str, Any]] = _no_seat
    welcome_values: Callable[[Site], Mapping[str, Any]] = _nothing


@cache
def app_pages() -> tuple[AppPages, ...]:
    """Return what all apps that have pages add."""
    return tuple(load_app(name, "pages").PAGES for name in APPS_WITH_PAGES)
