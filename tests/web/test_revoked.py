"""Revoked means revoked: whoever loses a key in the middle of something has lost it at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pytest

from companion.web.http.keys import HOST_COOKIE, SEAT_COOKIE, Keys
from tests.onlookers import parameters
from tests.tables import sit_down, told
from tests.web.asking import Answered, Asked, ask, form_headers, routes_of, slowly
from tests.web.visitors import HOST_KEY, Pub, Visitor, assert_silent_about, open_pub

REFUSED: Final = (403, 410)
FREE: Final = ("/language", "/screen")
NEW_CARD: Final = {"top9": "kapu", "middle5": "eepo", "bottom2": "akamai"}
BODY: Final = "top9=nani&middle5=huhu&bottom2=nui&round=1&seat=1&seq=1&action=up1+lokahi&mark=1"


@dataclass
class Held:
    """Somebody who may do something, and how that is taken away."""

    pub: Pub
    cookies: dict[str, str]
    link: str
    revoke: Callable[[], object]


def give_away(pub: Pub) -> Visitor:
    """Give seat 0 to another phone, which enters a card of its own; return that phone."""
    pub.keys.invite_anew(0)
    claimed = pub.keys.claim(pub.keys.invitation(0) or "", 0)
    assert claimed
    pub.live_session.referee.enter_secret(0, " ".join(("card", "0", *NEW_CARD.values())))
    pub.live_session.changed()
    return Visitor(pub.app, {SEAT_COOKIE: claimed[1].key})


def hold_seat() -> Held:
    """Return a phone at seat 0, which another takes over."""
    pub = open_pub(sit_down())
    return Held(pub, pub.player(0).cookies, "x", lambda: give_away(pub))


def hold_desk() -> Held:
    """Return the host's browser, and how the host's key becomes another."""
    pub = open_pub(sit_down())
    host = pub.host()
    site = pub.app.state.site

    def change_key() -> None:
        site.keys = pub.keys = Keys("another-key-of-the-host")
        site.keys.open_seats(1, 3)
        pub.live_session.changed()

    return Held(pub, host.cookies, "x", change_key)


def hold_link() -> Held:
    """Return a browser with an open link to seat 0, which the host replaces."""
    pub = open_pub(sit_down())
    link = pub.keys.invitation(0)
    assert link
    return Held(pub, {}, link, lambda: pub.keys.invite_anew(0))


HOLDERS: Final = (hold_seat, hold_desk, hold_link)


def post(held: Held, path: str, *, revoked: bool) -> Answered:
    """Return the answer to a form whose last byte comes late, *revoked* or not by then."""
    path = path.replace("{key}", held.link).replace("{number}", "0")
    assert "{" not in path, f"say in `post` what may stand in {path}"
    return ask(
        held.pub.app,
        Asked(
            "POST",
            path,
            headers=form_headers(held.cookies),
            chunks=slowly(f"{BODY}&link={held.link}".encode()),
            meanwhile=held.revoke if revoked else None,
        ),
    )


def forms() -> list[str]:
    """Return the path of everything that takes a form, but of what anybody may choose."""
    app = open_pub(sit_down()).app
    return [path for path, methods in routes_of(app) if "POST" in methods and path not in FREE]


@pytest.mark.parametrize("hold", HOLDERS)
def test_a_form_that_ends_after_its_sender_was_put_out_does_nothing(
    hold: Callable[[], Held],
) -> None:
    """Whoever may send it when it begins and not when it ends is refused, and is shown nothing."""
    sent = [path for path in forms() if post(hold(), path, revoked=False).status not in REFUSED]
    assert sent, f"{hold.__name__} may send nothing, so there is nothing to take away"
    for path in sent:
        held = hold()
        session = held.pub.live_session.session
        begun = len(session.entries)
        answer = post(held, path, revoked=True)
        assert answer.status in REFUSED, path
        assert "set-cookie" not in answer.headers
        assert_silent_about(answer.text, *NEW_CARD.values())
        assert held.pub.live_session.session is session
        others = [each for each in session.entries[begun:] if each.event.type != "secret"]
        assert not others, path
        assert len(told(held.pub.live_session, "secret")) == (1 if hold is hold_seat else 0), path


def test_the_new_holders_card_stays_as_it_is() -> None:
    """The old phone's card neither replaces the new one nor shows it."""
    pub, new = open_pub(sit_down()), []
    asked = Asked(
        "POST",
        "/seat",
        headers=form_headers(pub.player(0).cookies),
        chunks=slowly(b"top9=nani&middle5=huhu&bottom2=nui&round=1"),
        meanwhile=lambda: new.append(give_away(pub)),
    )
    answer = ask(pub.app, asked)
    assert answer.status == 403
    assert_silent_about(answer.text, *NEW_CARD.values())
    page = new[0].get("/seat").text
    assert all(f'data-own="{tiki}"' in page for tiki in NEW_CARD.values())


def test_the_hosts_browser_holds_no_key() -> None:
    """What lies in the host's browser opens nothing once the key is another."""
    pub = open_pub(sit_down())
    cookie = pub.host().cookies[HOST_COOKIE]
    assert cookie != HOST_KEY
    assert Visitor(pub.app, {HOST_COOKIE: HOST_KEY}).get("/desk").status_code == 403
    assert pub.keys.is_host(cookie)
    assert not Keys("another-key-of-the-host").is_host(cookie)


def test_every_page_is_judged_anew() -> None:
    """Whoever was let in yesterday gets no page of it today."""
    for hold, path in ((hold_seat, "/seat"), (hold_desk, "/desk"), (hold_desk, "/desk/new")):
        held = hold()
        visitor = Visitor(held.pub.app, held.cookies)
        assert visitor.get(path).status_code == 200
        held.revoke()
        assert visitor.get(path).status_code == 403


def test_the_walk_knows_every_variable_of_an_address() -> None:
    """An address with a part of which we know nothing fails the walk."""
    known = {"{key}", "{game}", "{number}", "{seq}", "{what}", "{place}"}
    assert set(parameters(open_pub(sit_down()))) == known
    with pytest.raises(AssertionError, match="say in `post`"):
        post(hold_link(), "/{game}/new", revoked=False)
