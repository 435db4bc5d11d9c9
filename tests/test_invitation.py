"""The QR code on the small display: phones read it, and nobody outside the room does."""

import io
from ipaddress import ip_address

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.rules.tiki_topple import TIKIS
from companion.scenes import Invitation, needs_beat, update_outputs
from companion.scenes.faces import invitation_picture
from companion.scenes.performance import INVITATION_BEATS
from companion.scoreboard import read_scoreboard
from companion.web.http.own_addresses import OwnAddress
from companion.web.http.reach import Reach
from companion.web.pages.lobby import room_invitations
from hardware.fakes import FakeDisplay
from hardware.output_devices import OutputDevices
from tests.tables import moves, see, see_hand, sit_down
from tests.web.visitors import Pub, open_pub

ADDRESSES = (
    "http://192.168.178.123:8321/join?code=XZWG",
    "http://tiki.local:8321/join?code=BCDF",
    "https://tiki.example.org/join?code=RNMT",
)


def read(picture: Image.Image, scale: int = 6, blur: int = 0) -> str:
    """Return what a phone's camera reads, the display black around the picture; "" for nothing."""
    border = 12
    whole = Image.new("L", (picture.width + 2 * border, picture.height + 2 * border))
    whole.paste(picture.convert("L"), (border, border))
    seen = np.asarray(whole.resize((whole.width * scale, whole.height * scale)), np.uint8)
    if blur:
        seen = np.asarray(cv2.GaussianBlur(seen, (blur, blur), 0), np.uint8)
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(seen)
    return found


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(("scale", "blur"), [(3, 0), (6, 5), (10, 9)])
def test_a_phone_reads_it(address: str, scale: int, blur: int) -> None:
    """From near and from farther away, a little out of focus."""
    picture = invitation_picture(Invitation(address, address[-4:]), "en")
    assert picture is not None
    assert (picture.size, picture.mode) == ((128, 64), "1")
    assert read(picture, scale, blur) == address


def test_what_is_no_code_is_not_read() -> None:
    """The reading above can fail: of scores there is nothing to read."""
    outputs = OutputDevices()
    update_outputs(outputs, read_scoreboard(sit_down()))
    assert read(outputs.display.value) == ""


def test_an_address_that_is_too_long_has_none() -> None:
    """Two pixels a module is the least that phones read; the scores are shown then."""
    assert invitation_picture(Invitation("http://" + "a" * 47, "BCDF"), "en") is None
    assert invitation_picture(Invitation("http://" + "a" * 46, "BCDF"), "en") is not None


def invited(pub: Pub) -> OutputDevices:
    """Return the outputs of *pub* once they show what the daemon lets them show."""
    site = pub.app.state.site
    update_outputs(pub.outputs, site.board(), 0, room_invitations(site))
    return pub.outputs


@pytest.fixture
def pub() -> Pub:
    """Return a table at which nobody sits, reached by phones."""
    pub = open_pub(sit_down())
    pub.app.state.site.table.reach = Reach(configured="http://tiki.local:8321")
    return pub


def test_it_is_there_until_all_sit(pub: Pub) -> None:
    """With the last seat, the table's code has ended."""
    for seat in range(3):
        assert read(invited(pub).display.value) == (
            f"http://tiki.local:8321/join?code={pub.keys.code}"
        )
        pub.player(seat)
    assert read(invited(pub).display.value) == ""


def test_it_is_gone_once_somebody_has_moved(pub: Pub) -> None:
    """Then the scores are what people look for."""
    site, line = pub.app.state.site, list(TIKIS)
    pub.live_session.observe(see("1", line))
    assert room_invitations(site)
    pub.live_session.observe(see_hand("2"))
    pub.live_session.observe(see("3", [line[1], line[0], *line[2:]]))
    assert moves(pub.live_session)
    assert not room_invitations(site)


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:8321", "http://localhost:8000"])
def test_where_no_phone_can_come_there_is_none(pub: Pub, address: str) -> None:
    """An address of this machine alone is of no use to phones."""
    pub.app.state.site.table.reach = Reach(configured=address)
    assert not room_invitations(pub.app.state.site)


def networks(*addresses: tuple[str, str]) -> Reach:
    """Return the reach of a machine with *addresses*, each with its link."""
    own = tuple(OwnAddress(link, ip_address(ip), link) for ip, link in addresses)
    return Reach("::", 8321, find=lambda: own)


def test_several_networks_take_turns(pub: Pub) -> None:
    """Each with its code, and named in the place of "Join"."""
    site = pub.app.state.site
    site.table.reach = networks(("192.168.1.5", "Wi-Fi"), ("10.0.0.7", "cable"))
    invitations = room_invitations(site)
    assert [each.title for each in invitations] == ["Wi-Fi", "cable"]
    assert needs_beat(pub.outputs, site.board(), invitations)
    shown = []
    for beat in (0, INVITATION_BEATS, 2 * INVITATION_BEATS):
        update_outputs(pub.outputs, site.board(), beat, invitations)
        shown.append(read(pub.outputs.display.value).partition("/join")[0])
    assert shown == [
        "http://192.168.1.5:8321", "http://10.0.0.7:8321", "http://192.168.1.5:8321"
    ]  # fmt: skip


def test_without_a_network_it_says_so(pub: Pub) -> None:
    """No code, and not the scores, which would look as if all were well."""
    site = pub.app.state.site
    plain = pub.outputs.display.value.tobytes()
    site.table.reach = networks()
    assert read(invited(pub).display.value) == ""
    assert pub.outputs.display.value.tobytes() != plain
    assert pub.outputs.display.stand_in is not None
    site.table.reach = networks(("192.168.1.5", "Wi-Fi"))
    assert read(invited(pub).display.value).startswith("http://192.168.1.5:8321/join")


def test_pages_never_show_it(pub: Pub) -> None:
    """Neither as a picture nor by a mark from which four letters could be found by trying."""
    outputs = invited(pub)
    stranger = pub.stranger()
    page = stranger.get("/").text
    shown = Image.open(io.BytesIO(stranger.get("/display.png").content))
    assert read(shown.convert("L"), 1) == ""
    assert outputs.display.value.tobytes() != outputs.display.face.tobytes()
    pub.keys.renew_code()
    invited(pub)
    assert stranger.get("/").text.count("display.png") == page.count("display.png")
    marks = {text.partition("display.png?")[2][:12] for text in (page, stranger.get("/").text)}
    assert len(marks) == 1


def test_small_displays_keep_their_scores(pub: Pub) -> None:
    """Eight rows have no room for a code."""
    small, site = OutputDevices(display=FakeDisplay((32, 8))), pub.app.state.site
    update_outputs(small, site.board(), 0, room_invitations(site))
    assert small.display.stand_in is None
    assert small.display.value.getbbox()
