"""Admission: who asks, what a key opens, and how fast wrong keys may be tried."""

from dataclasses import replace
from math import ceil
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from companion.language.message import say, say_count
from companion.web.forms import Refused
from companion.web.http.attempts import MAX_WRONG_CODES
from companion.web.site import Site, Visitor, house_of, site_of, unstored

T = TypeVar("T")

COOKIE_S: Final = 30 * 24 * 3600
BEARER: Final = "bearer"
NOT_HOST: Final = say(
    "Only the host can do that. The host’s address is shown where the companion was started."
)
NO_PHONE: Final = say(
    "This phone may no longer be the camera, or its link is incomplete. Scan the code on the host’s"
    " set-up page again."
)
NO_TOKEN: Final = say(
    "That is not the token of a seat, or the host has given the seat a new link. Ask for that link"
    " and join again."
)
NO_SEAT: Final = say("You have not taken a seat yet. Ask the host for your link.")


NO_CODE: Final = say("That is not the table’s code. Look at the table’s screen, or ask the host.")
JOINING_CLOSED: Final = say(
    "You cannot join with a code right now. Ask the host for the link to your seat."
)


def anybody(request: Request) -> Visitor:
    """Return who asks, whoever that is."""
    return house_of(request).visitor(request)


def require_host(request: Request) -> Visitor:
    """Return who asks if that is the host; raises Refused."""
    visitor = anybody(request)
    if not visitor.is_host:
        raise Refused(403, NOT_HOST)
    return visitor


def require_seat(request: Request) -> Visitor:
    """Return who asks if it is a phone that holds a seat; raises Refused."""
    visitor = anybody(request)
    if visitor.seat is None:
        raise Refused(403, NO_SEAT)
    return visitor


def require_player(request: Request) -> Visitor:
    """Return who asks if it is the host or a phone that holds a seat; raises Refused."""
    visitor = anybody(request)
    if visitor.seat is None and not visitor.is_host:
        raise Refused(403, NOT_HOST)
    return visitor


def require_host_or_key(request: Request) -> Visitor:
    """Return the host, who is known by a cookie or, as programs do, sends the key as a bearer's.

    Raises Refused.
    """
    key = _bearer(request)
    if key is None:
        return require_host(request)
    site, visitor = site_of(request), anybody(request)
    if open_desk(site, request, key) is None:
        raise Refused(403, NOT_HOST)
    return replace(visitor, is_host=True)


def require_seat_or_token(request: Request) -> Visitor:
    """Return whoever holds a seat, known by a cookie or, as programs do, by the seat's token.

    Raises Refused.
    """
    return by_token(request) or require_seat(request)


def by_token(request: Request) -> Visitor | None:
    """Return whose seat's token came along as a bearer's, None if no key did; raises Refused.

    Wrong ones are not counted, as wrong cookies are not: nobody guesses 128 bits, and a program
    whose seat has a new link may ask on and on.
    """
    key = _bearer(request)
    if key is None:
        return None
    found = site_of(request).keys.seat(key)
    if found is None:
        raise Refused(403, NO_TOKEN)
    return replace(anybody(request), is_host=False, seat=found[0], claim=found[1])


def require_phone(request: Request) -> None:
    """Raise Refused unless it comes with the key of a phone that may be the camera."""
    site, key = site_of(request), _bearer(request) or ""
    if _limited(site, request, site.keys.is_phone(key) or None, is_guessable=False) is None:
        raise Refused(403, NO_PHONE)


def _bearer(request: Request) -> str | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == BEARER else None


def open_desk(site: Site, request: Request, key: str) -> str | None:
    """Return what the host's browser is to hold if *key* is the host's, else None.

    Raises Refused if too many wrong keys were tried.  A key that the owner has chosen may be one
    that can be guessed: beyond the limit it is not compared at all.
    """
    keys = site.keys
    found = keys.host_cookie if keys.opens_desk(key) else None
    return _limited(site, request, found, is_guessable=keys.is_chosen)


def find_seat(site: Site, request: Request, invitation: str) -> int | None:
    """Return the seat that *invitation* is for, None if it is not open.

    Raises Refused if too many wrong keys were tried; an open invitation is never refused.
    """
    return _limited(site, request, site.keys.invited(invitation), is_guessable=False)


def check_code(site: Site, request: Request, code: str) -> None:
    """Raise Refused unless *code* is the table's; too many wrong ones end it.

    Four letters can be guessed: beyond the limit they are not compared at all.
    """
    source, codes = _source(site, request), site.seat_links.wrong_codes
    _require_patience(codes.wait_s(source))
    if site.keys.is_code(code):
        return
    codes.count(source)
    if codes.wrong >= MAX_WRONG_CODES and site.keys.code:
        site.keys.end_code()
        site.live_session.changed()
    raise Refused(403, NO_CODE if site.keys.code else JOINING_CLOSED)


def limit_screens(site: Site, request: Request) -> None:
    """Raise Refused if too many screens have asked to be let in."""
    source = _source(site, request)
    _require_patience(site.screens.asked.wait_s(source))
    site.screens.asked.count(source)


def limit_actions(site: Site, seat: int) -> None:
    """Raise Refused if *seat* has sent too many actions, else count another one."""
    _require_patience(site.actions.wait_s(seat))
    site.actions.count(seat)


def _require_patience(wait_s: float) -> None:
    if wait_s:
        wait = ceil(wait_s)
        raise Refused(
            429,
            say_count(
                "Too many tries. Try again in {number} second.",
                "Too many tries. Try again in {number} seconds.",
                wait,
            ),
            retry_s=wait,
        )


def _limited(site: Site, request: Request, found: T | None, *, is_guessable: bool) -> T | None:
    source = _source(site, request)
    wait_s = site.wrong_keys.wait_s(source)
    if wait_s and (found is None or is_guessable):
        wait = ceil(wait_s)
        words = say_count(
            "Too many wrong keys. Try again in {number} second.",
            "Too many wrong keys. Try again in {number} seconds.",
            wait,
        )
        raise Refused(429, words, retry_s=wait)
    if found is None:
        site.wrong_keys.count(source)
    return found


def _source(site: Site, request: Request) -> str | int:
    """Return the seat that the phone holds, or else the address that it asks from."""
    seat = site.visitor(request).seat
    if seat is not None:
        return seat
    return request.client.host if request.client else ""


def set_cookie(answer: Response, request: Request, name: str, value: str) -> None:
    """Let the browser hold *value*, out of reach of scripts and of other sites' pages."""
    answer.set_cookie(
        name,
        value,
        COOKIE_S,
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
    )
    unstored(answer)
