"""The portal: whoever joins the table's own Wi-Fi finds its page; nobody else does."""

import asyncio
from typing import Any, Final

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.scenes.faces import invitation_picture
from companion.web.pages.lobby import room_invitations
from companion.wifi.own_wifi import OwnWifi
from companion.wifi.radio import ADDRESS, Choice, NotJoined
from tests.tables import sit_down
from tests.web.visitors import Pub, Visitor, alert, open_pub
from tests.wifi.houses import OWN, open_wifi

PROBES: Final = (
    "http://connectivitycheck.gstatic.com/generate_204",
    "http://www.google.com/gen_204",
    "http://captive.apple.com/hotspot-detect.html",
    "http://www.apple.com/library/test/success.html",
    "http://www.msftconnecttest.com/connecttest.txt",
    "http://www.msftncsi.com/ncsi.txt",
    "http://detectportal.firefox.com/canonical.html",
    "http://detectportal.firefox.com/success.txt",
    "http://nmcheck.gnome.org/check_network_status.txt",
)
"""What Android, Chrome, Apple, Windows, Firefox and GNOME ask for once they have joined a Wi-Fi."""


def pub_with(own_wifi: OwnWifi | None) -> Pub:
    """Return a table with it."""
    return open_pub(sit_down(), own_wifi=own_wifi)


def at(visitor: Visitor, path: str, **form: Any) -> Any:
    """Return what is answered to a phone in the own Wi-Fi; with *form* it sends that."""
    url = f"http://{ADDRESS}{path}"
    if form:
        return visitor.ask("POST", url, form, headers={"Origin": f"http://{ADDRESS}"})
    return visitor.ask("GET", url)


def probe(pub: Pub, url: str, method: str = "GET") -> Any:
    """Return what is answered to *url*, of which every name leads to the table."""
    host = url.split("/")[2]
    path = url.partition(host)[2]
    return pub.stranger().ask(method, f"http://{ADDRESS}{path}", headers={"Host": host})


@pytest.mark.parametrize("url", PROBES)
def test_every_probe_leads_to_the_page(url: str) -> None:
    """A phone shows it by itself then; nothing of the answer is kept for the real address."""
    answer = probe(pub_with(open_wifi()), url)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"http://{ADDRESS}/wifi")
    assert answer.headers["Cache-Control"] == "no-store"
    assert probe(pub_with(open_wifi()), url, "HEAD").status_code == 302


@pytest.mark.parametrize("own_wifi", [None, open_wifi(is_open=False)])
def test_foreign_names_are_refused_otherwise(own_wifi: OwnWifi | None) -> None:
    """As ever, and so is the page."""
    pub = pub_with(own_wifi)
    for url in PROBES:
        assert probe(pub, url).status_code == 421
    assert at(pub.stranger(), "/wifi").status_code == 403
    assert at(pub.stranger(), "/wifi", network="Home", password="x" * 8).status_code == 403


def test_it_is_there_for_the_own_wifi_alone() -> None:
    """Who comes by another of the table's addresses is led nowhere, host or not."""
    own_wifi = open_wifi()
    pub = pub_with(own_wifi)
    for visitor in (pub.stranger(), pub.host()):
        assert visitor.get("/wifi").status_code == 403
        assert visitor.post("/wifi", network="Home", password="x" * 8).status_code == 403
    answer = pub.stranger().ask("GET", "/generate_204", headers={"Host": "www.google.com"})
    assert answer.status_code == 421
    assert own_wifi._choice is None


def test_forms_of_foreign_pages_are_refused() -> None:
    """A page that a phone has open from before cannot choose a network."""
    own_wifi = open_wifi()
    pub = pub_with(own_wifi)
    assert probe(pub, "http://evil.example/wifi", "POST").status_code == 421
    form = {"network": "Home", "password": "x" * 8}
    headers = {"Origin": "http://evil.example"}
    answer = pub.stranger().ask("POST", f"http://{ADDRESS}/wifi", form, headers=headers)
    assert answer.status_code == 403
    assert own_wifi._choice is None


def test_the_table_itself_is_there_too() -> None:
    """Who has no other network plays in the own one; its rights are those of any phone."""
    pub = pub_with(open_wifi())
    assert at(pub.stranger(), "/").status_code == 200
    assert at(pub.stranger(), "/desk").status_code == 403
    assert pub.stranger().ask("GET", f"http://{ADDRESS}:8321/").status_code == 200


@pytest.mark.parametrize(
    ("form", "choice"),
    [
        ({"network": "Home", "password": "eight or more"}, Choice("Home", "eight or more")),
        ({"network": "Far", "password": "eight or more"}, Choice("Far", "eight or more", "sae")),
        ({"network": "Café <2>", "password": ""}, Choice("Café <2>", "", "open")),
        ({"network": "Home", "password": "0aF" * 21 + "0"}, Choice("Home", "0aF" * 21 + "0")),
        (
            {"network": "", "name": " Attic ", "password": "eight or more"},
            Choice("Attic", "eight or more", is_hidden=True),
        ),
        ({"network": "", "name": "Attic"}, Choice("Attic", "", "open", is_hidden=True)),
    ],
)
def test_a_network_is_chosen(form: dict[str, str], choice: Choice) -> None:
    """The answer names the network, and the address to open next."""
    own_wifi = open_wifi()
    answer = at(pub_with(own_wifi).stranger(), "/wifi", **form)
    assert answer.status_code == 200
    assert own_wifi._choice == choice
    assert "http://tiki.local:8321" in answer.text
    assert form.get("password") != "eight or more" or "eight or more" not in answer.text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"network": "Home", "password": "short"}, "8 to 63 letters"),
        ({"network": "Home"}, "8 to 63 letters"),
        ({"network": "Office", "password": "eight or more"}, "asks for more than a password"),
        ({"network": "", "name": " "}, "Choose your network"),
        ({"network": "", "name": "x" * 33, "password": "eight or more"}, "No network has such"),
        ({"network": "", "password": "eight or more"}, "is missing"),
    ],
)
def test_what_cannot_be_joined_is_said_at_once(form: dict[str, str], words: str) -> None:
    """On the same page, with what was chosen."""
    own_wifi = open_wifi()
    answer = at(pub_with(own_wifi).stranger(), "/wifi", **form)
    assert answer.status_code == 400
    assert words in alert(answer)
    assert own_wifi._choice is None


def test_the_page_says_why_the_last_try_failed() -> None:
    """With the network still chosen."""
    own_wifi = open_wifi()
    own_wifi.failed = ("Home", NotJoined("password"))
    answer = at(pub_with(own_wifi).stranger(), "/wifi")
    assert alert(answer) == "The table could not join Home: the password is not right."
    assert 'value="Home" checked' in answer.text
    assert "Café &lt;2&gt;" in answer.text


def test_the_host_reads_it_beforehand() -> None:
    """Name and password stand on the desk, and nowhere that a stranger looks."""
    pub = pub_with(open_wifi(is_open=False))
    assert OWN.password in pub.host().get("/desk").text
    for page in ("/", "/join"):
        assert OWN.password not in pub.stranger().get(page).text
    assert OWN.password not in at(pub_with(open_wifi()).stranger(), "/").text


def test_the_tables_own_screen_shows_it() -> None:
    """While phones can join it; behind a proxy, everybody seems to be that screen."""
    for has_own_screen in (True, False):
        pub = open_pub(sit_down(), own_wifi=open_wifi(), has_own_screen=has_own_screen)
        page = pub.stranger().get("http://localhost:8000/")
        assert (OWN.password in page.text) == has_own_screen


def test_the_small_display_shows_it() -> None:
    """A phone reads it there, and people can; until a phone has come."""
    invited = None

    async def look() -> None:
        nonlocal invited
        own_wifi = open_wifi()
        own_wifi._opened_s = own_wifi._visited_s = asyncio.get_running_loop().time()
        site = pub_with(own_wifi).app.state.site
        (invited,) = room_invitations(site)
        with own_wifi.visit():
            assert invited not in room_invitations(site)

    asyncio.run(look())
    assert invited
    picture = invitation_picture(invited, "en")
    assert picture is not None
    border = Image.new("L", (picture.width + 24, picture.height + 24))
    border.paste(picture.convert("L"), (12, 12))
    seen = np.asarray(border.resize((border.width * 6, border.height * 6)), np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(seen)[0] == OWN.code
