"""What apps add to the pages of a table: each app is loaded by its name, and none is imported."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from starlette.routing import BaseRoute

from companion.registry import APPS_WITH_PAGES, load_app
from companion.web.site import Site


def _nothing(_: Site) -> Mapping[str, Any]:
    return {}


class AppPages(NamedTuple):
    """The pages of an app, which its module `pages` has as `PAGES`.

    begin: is called once, when the pages are made.
    desk_values, seat_values: what the templates of the desk and of a seat's page say of it.
    """

    routes: Sequence[BaseRoute]
    begin: Callable[[Site], None] = lambda _: None
    desk_values: Callable[[Site], Mapping[str, Any]] = _nothing
    seat_values: Callable[[Site], Mapping[str, Any]] = _nothing


@cache
def app_pages() -> tuple[AppPages, ...]:
    """Return what all apps that have pages add."""
    return tuple(load_app(name, "pages").PAGES for name in APPS_WITH_PAGES)
