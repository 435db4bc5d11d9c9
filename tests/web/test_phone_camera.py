"""A phone as the camera, by what it sends: who may, what is refused, what else its key opens."""

import errno
import os
import re
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from companion.language.message import message_of
from companion.language.speech import speaking, translated
from companion.table.phone_words import WORDS
from companion.web.http import certificate
from companion.web.http.certificate import NoCertificate, open_certificate
from companion.web.http.keys import Keys
from companion.web.http.server import SET_TLS_PORT, CannotStart, HomeTls, listen
from companion.web.pages.phone import MAX_GLANCE_BYTES
from tests.cameras import (
    SETTINGS,
    camera_troubles,
    connect,
    film,
    send,
    table_picture,
    wait_for_page,
)
from tests.evenings import KEY
from tests.vision.phones import jpeg_of, small_of
from tests.wired_tables import DEADLINE_S, House, at_home, host_headers, page, wait_for
from vision.capture.frame import Picture
from vision.capture.phone_camera import PhoneFault

OVER_TLS = SETTINGS.replace("port = 8321", "port = 8321\ntls_port = 0")
PHONE_ID, PAGE_ID = "0123456789abcdef", "00000000000000aa"


PHONES: list[httpx.Client] = []


@pytest.fixture(autouse=True)
def _phones_switched_off() -> Iterator[None]:
    """Close what a test's phones have opened."""
    yield
    while PHONES:
        PHONES.pop().close()


class Phone:
    """A phone that has scanned the host's code; it believes in the certificate of the table.

    key: what it sends with each picture.
    """

    def __init__(self, address: str, file: Path) -> None:
        base, _, self.key = address.partition("/phone-camera#")
        trusted = ssl.create_default_context(cafile=str(file))
        self.browser = httpx.Client(base_url=base, verify=trusted, timeout=DEADLINE_S)
        PHONES.append(self.browser)

    def post(
        self, what: str, body: bytes = b"", key: str | None = None, **values: Any
    ) -> httpx.Response:
        """Send something with *values* in the address, and *key* or its own."""
        asked = {"page": PAGE_ID, **{name: str(value) for name, value in values.items()}}
        headers = {"Authorization": f"Bearer {self.key if key is None else key}"}
        path = f"/phone-camera/{what}"
        return self.browser.post(path, params=asked, content=body, headers=headers)

    def begin(self, label: str = "Back Camera", **values: Any) -> httpx.Response:
        """Say which phone this is."""
        return self.post("begin", label=label, **{"phone": PHONE_ID, **values})

    def show(self, picture: Picture, **values: Any) -> httpx.Response:
        """Send a small picture."""
        height, width = picture.shape[:2]
        return self.post(
            "glance", small_of(picture), **{"width": width, "height": height, **values}
        )

    @contextmanager
    def watching(self, picture: Picture) -> Iterator[threading.Event]:
        """Have it send *picture* until the event is set or the context is left."""
        ended = threading.Event()
        self.begin()

        def run() -> None:
            while not ended.is_set():
                order = self.show(picture).json()["order"]
                if order == "whole":
                    self.post("whole", jpeg_of(picture))

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield ended
        finally:
            ended.set()
            thread.join()


def host_post(house: House, path: str, form: dict[str, str]) -> httpx.Response:
    """Send a form as the host."""
    headers = host_headers(house)
    return httpx.post(house.url + path, data=form, headers=headers, timeout=DEADLINE_S)


def invite(house: House, folder: Path) -> Phone:
    """Let a phone in, as the host."""
    assert host_post(house, "/set-up/phone", {"phone": "invite"}).status_code == 303
    shown = page(house, "/desk/set-up")
    found = re.search(r'href="(https://[^"]*#[^"]*)"', shown)
    assert found, shown
    return Phone(found[1], folder / "game.tls.pem")


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[House]:
    """Run a table without any camera."""
    connect(monkeypatch, [])
    with at_home(tmp_path, OVER_TLS) as found:
        yield found


def test_a_stranger_sends_no_picture(house: House, tmp_path: Path) -> None:
    """Neither without a key nor with any other, the host's own among them; nothing is read."""
    phone = invite(house, tmp_path)
    phone.begin()
    host = host_headers(house)
    for what in ("begin", "glance", "whole", "away"):
        for key in ("x", "x" * 22, KEY, PAGE_ID):
            answer = phone.post(what, b"x", key=key)
            assert answer.status_code in (403, 429)
            assert answer.json()["order"] == "stop"
        alone = phone.browser.post(f"/phone-camera/{what}", headers=host)
        assert alone.status_code in (403, 429)
    elsewhere = {"Authorization": f"Bearer {phone.key}", "Origin": "https://evil.example"}
    assert phone.browser.post("/phone-camera/begin", headers=elsewhere).status_code == 403
    assert phone.show(table_picture()).status_code == 200


def test_the_key_of_a_phone_opens_nothing_else(house: House, tmp_path: Path) -> None:
    """It is no host's key, and no seat's; only the host's page has it."""
    phone = invite(house, tmp_path)
    bearer = {"Authorization": f"Bearer {phone.key}"}
    for path in ("/desk", "/desk/set-up", "/set-up/look", "/set-up/state", "/set-up/camera/0"):
        assert phone.browser.get(path, headers=bearer).status_code == 403
    for path in ("/set-up/learn", "/set-up/lens", "/set-up/camera", "/set-up/phone", "/undo"):
        assert phone.browser.post(path, headers=bearer).status_code in (403, 404)
    assert "set-cookie" not in phone.browser.get(f"/?key={phone.key}").headers
    assert phone.browser.get(f"/join/{phone.key}").status_code == 410
    for path in ("/", "/phone-camera", "/api/state", "/join"):
        assert phone.key not in phone.browser.get(path).text
    assert phone.key in page(house, "/desk/set-up")
    assert httpx.post(f"{house.url}/set-up/phone").status_code == 403
    assert (tmp_path / "game.tls.pem").stat().st_mode & 0o077 == 0


def test_the_pages_are_the_same_over_tls(house: House, tmp_path: Path) -> None:
    """By a certificate that names where they are; what is held there stays encrypted."""
    phone = invite(house, tmp_path)
    assert "Tiki Topple" in phone.browser.get("/").text
    entered = phone.browser.get(f"/?key={KEY}")
    assert "Secure" in entered.headers["set-cookie"]
    again = invite(house, tmp_path)
    assert (again.key, again.browser.base_url) == (phone.key, phone.browser.base_url)


def test_its_pictures_are_the_tables_and_what_is_wrong_with_them_is_named(
    house: House, tmp_path: Path
) -> None:
    """Each fault in one line, on the phone and at the table; the next good picture mends it."""
    phone, table = invite(house, tmp_path), table_picture()
    assert phone.begin().json()["order"] == "next"
    turned = np.ascontiguousarray(table.swapaxes(0, 1))
    with phone.watching(table) as ended:
        wait_for(house, lambda board: board["waiting"] and not camera_troubles(board))
        wait_for_page(house, lambda shown: "<b>Back Camera</b>" in shown)
        ended.set()
        for answer, fault in (
            (phone.show(turned), PhoneFault.TURNED),
            (phone.show(table[:, :960].copy()), PhoneFault.CROPPED),
            (phone.show(table, width=320, height=180), PhoneFault.SMALL),
            (phone.post("glance", b"<svg/>", width=1280, height=720), PhoneFault.NO_JPEG),
            (phone.post("whole", b""), PhoneFault.NO_JPEG),
        ):
            assert answer.status_code == 200
            assert answer.json() == {
                "order": "next",
                "words": f"{WORDS[fault][0].upper()}{WORDS[fault][1:]}.",
                "is_wrong": True,
            }
        assert phone.post("away", why="hidden").json()["order"] == "next"
        hidden = [f"the camera: {WORDS[PhoneFault.HIDDEN]}"]
        wait_for(house, lambda board: camera_troubles(board) == hidden)
    with phone.watching(table):
        wait_for(house, lambda board: not camera_troubles(board))
    silent = [f"the camera: {WORDS[PhoneFault.SILENT]}"]
    wait_for(house, lambda board: camera_troubles(board) == silent)


@pytest.mark.parametrize(
    ("what", "values", "status"),
    [
        ("begin", {"phone": "../../x"}, 400),
        ("begin", {"phone": PHONE_ID, "label": "x" * 61}, 400),
        ("begin", {"phone": PHONE_ID, "label": "a\u202eb"}, 400),
        ("glance", {"width": "1e3", "height": 720}, 400),
        ("glance", {"width": 0, "height": 720}, 400),
        ("away", {"why": "bored"}, 400),
    ],
)
def test_what_is_nothing_a_phone_sends_is_refused(
    house: House, tmp_path: Path, what: str, values: dict[str, Any], status: int
) -> None:
    """In a sentence, which its page shows."""
    phone = invite(house, tmp_path)
    phone.begin()
    answer = phone.post(what, small_of(table_picture()), **values)
    assert answer.status_code == status
    assert answer.json()["words"].endswith(".")
    assert phone.show(table_picture()).status_code == 200


def test_what_is_too_large_is_not_taken(house: House, tmp_path: Path) -> None:
    """It is not even read to its end, and the phone goes on."""
    phone = invite(house, tmp_path)
    phone.begin()
    answer = phone.post("glance", b"x" * (MAX_GLANCE_BYTES + 1), width=1280, height=720)
    assert answer.status_code == 413
    assert answer.json()["order"] == "next"


def test_a_key_that_has_ended_or_a_companion_begun_again(house: House, tmp_path: Path) -> None:
    """The first sends no more; before a phone has begun it is asked to."""
    phone = invite(house, tmp_path)
    assert phone.show(table_picture()).json()["order"] == "begin"
    phone.begin()
    host_post(house, "/set-up/phone", {"phone": "end"})
    assert phone.show(table_picture()).status_code == 403
    again = invite(house, tmp_path)
    assert again.key != phone.key
    assert again.begin().status_code == 200
    assert phone.begin().status_code == 403


def test_each_phone_is_a_camera_of_its_own_and_another_camera_may_be_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So what was learned with one is not taken for the other's; the replaced one is told."""
    cameras = [film(tmp_path / "C920.avi", table_picture())]
    connect(monkeypatch, cameras)
    with at_home(tmp_path, OVER_TLS) as house:
        one, other = invite(house, tmp_path), invite(house, tmp_path)
        kept = tmp_path / "game.camera.json"
        with one.watching(table_picture()):
            wait_for(house, lambda _: kept.exists() and PHONE_ID in kept.read_text())
        other.begin(phone="f" * 16, page="00000000000000bb", label="Wide")
        assert one.show(table_picture()).json()["order"] == "stop"
        ended = other.show(table_picture(), page="00000000000000bb").json()
        assert ended["order"] in ("next", "whole")
        wait_for(house, lambda _: "f" * 16 in kept.read_text())
        key = re.search(r'name="camera" value="(\w+)"', page(house, "/desk/set-up"))
        assert key
        send(house, camera=key[1])
        wait_for(house, lambda _: "C920" in kept.read_text())
        answer = other.show(table_picture(), page="00000000000000bb").json()
        assert answer["order"] == "stop"
        assert "Another camera watches" in answer["words"]


def test_the_settings_may_say_that_it_is_a_phone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then nothing else is taken, and that none has come is named."""
    connect(monkeypatch, [film(tmp_path / "C920.avi", table_picture())])
    with at_home(tmp_path, OVER_TLS.replace('"auto"', '"phone"')) as house:
        board = wait_for(house, camera_troubles)
        assert camera_troubles(board) == [f"the camera: {WORDS[PhoneFault.ABSENT]}"]
        assert "C920" not in page(house, "/desk/set-up")
        assert "The settings say which camera" in send(house, address="rtsp://x/y")
        phone = invite(house, tmp_path)
        with phone.watching(table_picture()):
            wait_for(house, lambda board: not camera_troubles(board))


def test_what_is_said_of_a_phone_is_said_in_every_language() -> None:
    """All faults have words, and the words are translated."""
    assert set(WORDS) == set(PhoneFault)
    for words in WORDS.values():
        with speaking("de"):
            assert translated(words) != words


def test_the_key_of_a_phone_is_kept_and_goes_with_the_hosts(tmp_path: Path) -> None:
    """It outlives a restart, and not a new key of the host."""
    file = tmp_path / "keys.json"
    keys = Keys("the first key of all", file)
    assert not keys.is_phone("")
    keys.invite_phone()
    keys.invite_phone()
    again = Keys("the first key of all", file)
    assert again.is_phone(keys.phone)
    assert not again.is_host(keys.phone)
    assert not Keys("another key than that", file).is_phone(keys.phone)


def test_a_certificate_is_made_once_and_anew_when_it_is_old_or_spoilt(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Browsers warn of each new one, so it stays as long as it is valid."""
    file = tmp_path / "games.tls.pem"
    open_certificate(file, ("tiki.local", "192.168.1.7", "no name", "x,DNS:evil.example"))
    first = file.read_bytes()
    told = ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in"]
    found = subprocess.run([*told, file], capture_output=True, text=True, check=True).stdout
    assert re.findall(r"(?:DNS|IP Address):([^,\s]*)", found) == [
        *("localhost", "127.0.0.1", "tiki.local", "192.168.1.7"),
    ]
    open_certificate(file, ())
    assert file.read_bytes() == first
    file.write_bytes(b"spoilt")
    open_certificate(file, ())
    second = file.read_bytes()
    assert second not in (first, b"spoilt")
    monkeypatch.setattr(certificate, "RENEW_S", -1.0)
    open_certificate(file, ())
    assert file.read_bytes() != second


def test_why_there_is_no_certificate_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the remedy; nothing is left half written."""
    with pytest.raises(NoCertificate, match="nothing is kept"):
        open_certificate(None, ())
    with pytest.raises(NoCertificate, match="cannot be kept"):
        open_certificate(tmp_path / "gone" / "tls.pem", ())
    for command, words in ((["false"], "makes no"), (["/no/openssl"], "apt install openssl")):
        monkeypatch.setattr(certificate, "COMMAND", command)
        with pytest.raises(NoCertificate, match=words):
            open_certificate(tmp_path / "tls.pem", ())
    assert list(tmp_path.iterdir()) == []


def test_an_old_certificate_serves_until_a_new_one_can_be_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a full disk or without openssl, a phone goes on being the camera."""
    file = tmp_path / "games.tls.pem"
    open_certificate(file, ())
    first = file.read_bytes()
    monkeypatch.setattr(certificate, "RENEW_S", -1.0)

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(certificate, "write_whole", fail)
        assert isinstance(open_certificate(file, ()), ssl.SSLContext)
    monkeypatch.setattr(certificate, "COMMAND", ["/no/openssl"])
    assert isinstance(open_certificate(file, ()), ssl.SSLContext)
    assert file.read_bytes() == first


def test_why_a_port_cannot_be_had_is_said_in_every_language() -> None:
    """The host reads it on the set-up page."""
    with listen("127.0.0.1", 0) as taken, pytest.raises(CannotStart) as refused:
        listen("127.0.0.1", taken.getsockname()[1], SET_TLS_PORT)
    said = message_of(refused.value)
    assert said.endswith("is in use; stop the other program, or set web.tls_port to another")
    for language in ("de", "es"):
        with speaking(language):
            words = translated(said)
        assert "in use" not in words
        assert "to another" not in words


def test_a_port_that_is_taken_is_said_to_the_host(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And the table goes on without; the key is not made in vain."""
    connect(monkeypatch, [])

    async def refuse(_self: HomeTls, _names: object) -> None:
        raise CannotStart("port 8443 on 0.0.0.0 is in use; stop the other program")

    monkeypatch.setattr(HomeTls, "open", refuse)
    with at_home(tmp_path, OVER_TLS) as house:
        answer = host_post(house, "/set-up/phone", {"phone": "invite"})
        assert answer.status_code == 503
        assert "port 8443 on 0.0.0.0 is in use" in answer.text
        assert "#" not in re.findall(r'href="(https:[^"]*)"', answer.text)
