"""A phone as the camera in a real browser: over TLS, from its page to the host's picture."""

import base64
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cameras import SETTINGS, connect, table_picture
from tests.conftest import CHROMIUM
from tests.evenings import KEY
from tests.recordings import SHIPPED
from tests.vision.phones import jpeg_of
from tests.web.screens import PHONE, grave, sticks_out
from tests.wired_tables import House, at_home, wait_for
from vision.capture.frame import Picture

OVER_TLS = SETTINGS.replace("port = 8321", "port = 8321\ntls_port = 0")
WATCHES = "This phone watches the table"
SHOWN = """
const canvas = document.createElement("canvas");
const pen = canvas.getContext("2d");
const image = new Image();
globalThis.show = async (jpeg) => {
  image.src = `data:image/jpeg;base64,${jpeg}`;
  await image.decode();
  [canvas.width, canvas.height] = [image.width, image.height];
};
setInterval(() => pen.drawImage(image, 0, 0), 50);
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
"""
"""In place of a camera, what `show` is given."""
TAKE = """() => {
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  globalThis.isTaken = true;
  devices.getUserMedia = async (wanted) => {
    if (isTaken) throw new DOMException("", "NotReadableError");
    return open(wanted);
  };
  const [track] = document.getElementById("picture").srcObject.getVideoTracks();
  track.dispatchEvent(new Event("ended"));
}"""
"""Have another app take the camera until `isTaken` is false."""
HIDE = """isHidden => {
  Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@contextmanager
def phones(
    browser: Browser, folder: Path, picture: Picture | None, *flags: str
) -> Iterator[Browser]:
    """Give a browser of a phone whose camera shows *picture*, and is allowed; None: it has none."""
    film = folder / "table.mjpeg"
    if picture is not None:
        film.write_bytes(jpeg_of(picture) * 3)
        flags += (
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        )
    found = browser.browser_type.launch(
        executable_path=str(CHROMIUM), args=["--no-sandbox", *flags]
    )
    try:
        yield found
    finally:
        found.close()


def on_phone(phones: Browser, address: str) -> Page:
    """Return the page at *address* on a phone whose owner has heeded no warning."""
    page = phones.new_context(viewport=PHONE, ignore_https_errors=True).new_page()
    page.goto(address)
    return page


def invited(browser: Browser, house: House) -> tuple[Page, str]:
    """Return the host's set-up page once it lets a phone in, and where that phone is to go."""
    page = browser.new_context(viewport=PHONE).new_page()
    page.goto(f"{house.url}/?key={KEY}")
    page.goto(f"{house.url}/desk/set-up")
    page.get_by_role("button", name="Use a phone as the camera").click()
    link = page.get_by_role("link", name="Open that page on this device")
    expect(link).to_be_visible()
    return page, link.get_attribute("href") or ""


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_phone_becomes_the_camera_and_says_what_interrupts_it(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its pictures are what the host sees; locked, or without a network, it is named and back."""
    connect(monkeypatch, [])
    with (
        at_home(tmp_path, OVER_TLS) as house,
        phones(browser, tmp_path, table_picture(1920)) as has_camera,
    ):
        host, address = invited(browser, house)
        assert address.startswith("https://127.0.0.1:")
        assert grave(host) == []
        assert sticks_out(host)[0] == 0
        phone = on_phone(has_camera, address)
        assert phone.evaluate("isSecureContext")
        phone.get_by_role("button", name="Start").click()
        expect(phone.locator("#said")).to_contain_text(WATCHES)
        assert grave(phone) == []
        assert sticks_out(phone)[0] == 0
        expect(host.locator("#sentence")).to_contain_text("The picture is good")
        expect(host.locator(".cameras .current")).to_have_count(1)
        phone.evaluate(HIDE, True)
        expect(host.locator("#sentence")).to_contain_text("screen is locked")
        phone.evaluate(HIDE, False)
        expect(host.locator("#sentence")).to_contain_text("The picture is good")
        phone.context.set_offline(True)
        expect(phone.get_by_text("Connection lost")).to_be_visible()
        expect(host.locator("#sentence")).to_contain_text("no picture from the phone")
        phone.context.set_offline(False)
        expect(host.locator("#sentence")).to_contain_text("The picture is good")
        phone.evaluate(TAKE)
        expect(host.locator("#sentence")).to_contain_text("as during a call")
        expect(phone.get_by_text("another app may be using it")).to_be_visible()
        phone.evaluate("isTaken = false")
        expect(host.locator("#sentence")).to_contain_text("The picture is good")
        other = on_phone(has_camera, address)
        other.get_by_role("button", name="Start").click()
        expect(other.locator("#said")).to_contain_text(WATCHES)
        expect(phone.locator("#said")).to_contain_text("Another camera watches")
        expect(phone.get_by_role("button", name="Start")).to_be_visible()
        host.locator("#cameras").evaluate("each => { each.open = true }")
        host.get_by_role("button", name="Stop using this code").click()
        expect(other.locator("#said")).to_contain_text("may no longer be the camera")
        host.context.close()


def test_a_phone_goes_on_by_itself_after_the_companion_was_started_again(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The certificate, the key and the choice are kept; nobody touches the phone."""
    connect(monkeypatch, [])
    ports = f"port = {free_port()}\ntls_port = {free_port()}"
    settings = SETTINGS.replace("port = 8321", ports)
    with phones(browser, tmp_path, table_picture()) as has_camera:
        with at_home(tmp_path, settings) as house:
            host, address = invited(browser, house)
            phone = on_phone(has_camera, address)
            phone.get_by_role("button", name="Start").click()
            expect(host.locator("#sentence")).to_contain_text("The picture is good")
        expect(phone.get_by_text("Connection lost")).to_be_visible()
        with at_home(tmp_path, settings):
            host.reload()
            expect(host.locator("#sentence")).to_contain_text("The picture is good")
            expect(phone.locator("#said")).to_contain_text(WATCHES)
        host.context.close()


def test_a_phone_that_cannot_be_the_camera_is_told_what_to_do(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without encryption, without the key, refused, and without any camera."""
    connect(monkeypatch, [])
    names = "--host-resolver-rules=MAP tiki.local 127.0.0.1"
    with (
        at_home(tmp_path, OVER_TLS) as house,
        phones(browser, tmp_path, None, names) as has_none,
    ):
        host, address = invited(browser, house)
        secure, _, key = address.partition("#")
        plain = house.url.replace("127.0.0.1", "tiki.local")
        phone = on_phone(has_none, f"{plain}/phone-camera#{key}")
        expect(phone.get_by_text("This page came without encryption")).to_be_visible()
        assert not phone.evaluate("isSecureContext")
        assert phone.locator("#secure").get_attribute("href") == address.replace(
            "127.0.0.1", "tiki.local"
        )
        expect(phone.get_by_role("button", name="Start")).to_be_hidden()
        phone = on_phone(has_none, secure)
        expect(phone.get_by_text("The link to this page is incomplete")).to_be_visible()
        phone = on_phone(has_none, address)
        phone.get_by_role("button", name="Start").click()
        expect(phone.get_by_text("This device has no camera")).to_be_visible()
        phone.evaluate(
            "() => { navigator.mediaDevices.getUserMedia = async () => {"
            " throw new DOMException('', 'NotAllowedError'); }; }"
        )
        phone.get_by_role("button", name="Start").click()
        expect(phone.get_by_text("The camera was refused")).to_be_visible()
        expect(phone.get_by_role("button", name="Start")).to_be_visible()
        assert grave(phone) == []
        host.context.close()


def test_a_game_is_refereed_by_what_a_phone_sees(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Learned, begun and moved: the shipped film, encoded by a browser, read by the companion."""
    connect(monkeypatch, [])
    with at_home(tmp_path, OVER_TLS) as house:
        host, address = invited(browser, house)
        context = browser.new_context(ignore_https_errors=True, bypass_csp=True)
        context.add_init_script(SHOWN)
        phone = context.new_page()
        phone.goto(address)

        def show(name: str) -> None:
            jpeg = base64.b64encode((SHIPPED / name).read_bytes()).decode()
            phone.evaluate("jpeg => show(jpeg)", jpeg)

        show("000.jpg")
        phone.get_by_role("button", name="Start").click()
        expect(host.locator("#sentence")).to_contain_text("The picture is good")
        host.get_by_role("button", name="Calibrate the camera").click()
        expect(host.locator("#lesson")).to_contain_text("The camera is calibrated for this table")
        show("001.jpg")
        wait_for(house, lambda board: board["places"][:2] == ["nani", "hookipa"])
        show("003.jpg")
        wait_for(house, lambda board: board["last_move"] == "Ann: Tiki Up 3 on Kapu")
        for each in (host, phone):
            each.context.close()
