"""The page of the table's own Wi-Fi: a phone brings the table into a network, without SSH.

Whoever is in that Wi-Fi may do so, as its password is shown in the room alone; nobody else may.
"""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.config.wifi import MAX_NAME_BYTES, PASSWORD_CHARS
from companion.language.message import Message, say
from companion.web.admission import anybody
from companion.web.forms import NOTHING_SENT, Form, Refused, field, form_route
from companion.web.http.portal import PAGE, comes_through
from companion.web.site import Site, Visitor, site_of, unstored
from companion.wifi.own_wifi import OwnWifi
from companion.wifi.radio import Choice, Network

OTHER: Final = ""
"""What the form has instead of a network of the list: its name is typed."""
STRONG, FAIR = 60, 35
"""From so many percent on."""
KEY_CHARS: Final = 64
"""Of a password that is given as the number that Wi-Fi makes of it."""
NOT_HERE: Final = say(
    "The table’s network can be chosen here only while the table is in none, and only through its"
    " own Wi-Fi."
)


def require_own_wifi(request: Request) -> Visitor:
    """Return who asks if that comes through the table's own Wi-Fi; raises Refused."""
    if not comes_through(site_of(request).table.own_wifi, request.scope):
        raise Refused(403, NOT_HERE)
    return anybody(request)


async def show_networks(request: Request) -> Response:
    """Show the networks, and what came of the last try."""
    require_own_wifi(request)
    return _show(request, NOTHING_SENT)


def choose(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Let the table join the network that the form has; the answer says where to find it then."""
    own_wifi = _own_wifi(site_of(request))
    choice = _choice(own_wifi, form)
    own_wifi.choose(choice)
    return _show(request, form, joining=choice.name)


def refuse(request: Request, _visitor: Visitor, form: Form, refused: Refused) -> Response:
    """Show the form again with what is wrong."""
    return _show(request, form, refused.sentence, refused.status)


def strength_words(network: Network) -> Message:
    """Return how well a network is received."""
    if network.strength >= STRONG:
        return say("strong")
    return say("fair") if network.strength >= FAIR else say("weak")


def desk_values(site: Site) -> dict[str, Any]:
    """Return what the host's desk tells of the own Wi-Fi, before anybody needs it."""
    return {"own_wifi": site.table.own_wifi}


def _own_wifi(site: Site) -> OwnWifi:
    assert site.table.own_wifi is not None  # as it was when the request was admitted
    return site.table.own_wifi


def _choice(own_wifi: OwnWifi, form: Form) -> Choice:
    """Return the network that *form* has; raises Refused."""
    listed, password = form.get("network", OTHER), form.get("password", "")
    name = listed or field(form, "name").strip()
    if not name:
        raise Refused(400, say("Choose your network, or type its name."))
    if len(name.encode()) > MAX_NAME_BYTES or not name.isprintable():
        raise Refused(400, say("No network has such a name; check how it is written."))
    found = next((each for each in own_wifi.networks if each.name == name), None)
    security = found.security if found is not None else "password" if password else "open"
    if security == "other":
        raise Refused(
            400,
            say("The table cannot join {network}: it asks for more than a password.", network=name),
        )
    if security == "open":
        return Choice(name, "", security, is_hidden=found is None)
    is_key = len(password) == KEY_CHARS and all(
        each in "0123456789abcdefABCDEF" for each in password
    )
    if len(password) not in PASSWORD_CHARS and not is_key:
        raise Refused(
            400,
            say(
                "The password of a Wi-Fi has {least} to {most} letters; check how it is written.",
                least=PASSWORD_CHARS[0],
                most=PASSWORD_CHARS[-1],
            ),
        )
    return Choice(name, password, security, is_hidden=found is None)


def _show(
    request: Request, form: Form, alert: str = "", status: int = 200, joining: str = ""
) -> Response:
    site = site_of(request)
    own_wifi = _own_wifi(site)
    values = {
        "alert": alert,
        "joining": joining or own_wifi.joining,
        "networks": own_wifi.networks,
        "strength_words": strength_words,
        "failed": own_wifi.failed,
        "chosen": form.get("network", own_wifi.failed[0] if own_wifi.failed else None),
        "name": form.get("name", ""),
        "own_name": own_wifi.credentials.name,
        "own_address": own_wifi.address,
        "next_address": own_wifi.next_address,
        "longest_name": MAX_NAME_BYTES,
    }
    return unstored(site.page("wifi.html", {}, status, **values))


ROUTES: Final = [Route(PAGE, show_networks), form_route(PAGE, choose, require_own_wifi, refuse)]
