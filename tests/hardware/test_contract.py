"""What every device promises, asked of every device there is."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from PIL import Image

from hardware.device import BadValue, DeviceClosed, HardwareError, NoSuchAttribute, OutputDevice
from hardware.fakes import FakeDisplay, FakeSound, FakeStrip
from hardware.neopixels import NeoPixelStrip, StripConfig
from hardware.output_devices import OutputDevices, open_output_devices
from hardware.panels import PanelConfig, PanelDisplay
from hardware.pico.link import PicoLink
from hardware.pico.strip import PicoStrip
from hardware.sound import Cue, SoundConfig, Speaker
from tests.hardware.picos import PLAN, shared_pico
from tests.hardware.recorders import make_panel, make_strip
from tests.hardware.shown_values import STRIP, picture, plain

# luma asks Pillow for pixels in a way that Pillow 14 will no longer know.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


def speaker() -> Speaker:
    """Return the real sound, on a machine that may have nothing to play it with."""
    return Speaker(SoundConfig(kind="speaker"))


_links: list[PicoLink] = []


def pico_strip() -> PicoStrip:
    """Return lights on a Pico whose firmware really runs."""
    link = PicoLink(PLAN, str(shared_pico().port), lights=9)
    _links.append(link)
    link.start()
    return PicoStrip(link, StripConfig())


@pytest.fixture(autouse=True)
def _let_ports_go() -> Iterator[None]:
    """Close the links that a test has opened."""
    yield
    while _links:
        _links.pop().close()


BAD_STRIPS = [
    (),
    STRIP[:8],
    ((256, 0, 0), *STRIP[1:]),
    ((-1, 0, 0), *STRIP[1:]),
    ((1, 2), *STRIP[1:]),
    ((255, 255, 255),) * 9,
]
BAD_PICTURES = [Image.new("1", (64, 64)), Image.new("L", (128, 64))]
CUE = Cue("turn", "Ann")
NO_EARCON: Any = "trumpet"
BAD_CUES = [Cue(NO_EARCON), Cue(words="a\nb"), Cue(words="x" * 200)]
# How it is made, a value that it can show, values that it cannot.
DEVICES = [
    pytest.param(FakeStrip, STRIP, BAD_STRIPS, id="fake strip"),
    pytest.param(make_strip, STRIP, BAD_STRIPS, id="neopixel"),
    pytest.param(pico_strip, STRIP, BAD_STRIPS, id="pico strip"),
    pytest.param(FakeDisplay, picture(), BAD_PICTURES, id="fake display"),
    pytest.param(partial(make_panel, "ssd1306"), picture(), BAD_PICTURES, id="ssd1306"),
    pytest.param(partial(make_panel, "sh1106"), picture(), BAD_PICTURES, id="sh1106"),
    pytest.param(partial(make_panel, "matrix"), picture(3, (32, 8)), BAD_PICTURES, id="matrix"),
    pytest.param(partial(make_panel, "digits"), picture(3, (8, 8)), BAD_PICTURES, id="digits"),
    pytest.param(FakeSound, CUE, BAD_CUES, id="fake sound"),
    pytest.param(speaker, CUE, BAD_CUES, id="speaker"),
]
Make = Callable[[], OutputDevice[Any]]
contract = pytest.mark.parametrize(("make", "good", "bad"), DEVICES)


@contract
def test_a_device_rests_shows_and_rests_again(make: Make, good: Any, bad: Any) -> None:
    """It shows its rest from the start, then what it is set to, and its rest when closed."""
    device = make()
    assert plain(device.value) == plain(device.rest)
    device.value = good
    assert plain(device.value) == plain(good) != plain(device.rest)
    device.close()
    assert plain(device.value) == plain(device.rest)
    assert bad


@contract
def test_what_cannot_be_shown_changes_nothing(make: Make, good: Any, bad: list[Any]) -> None:
    """A bad value is refused in one line, and the last one stays."""
    with make() as device:
        device.value = good
        for value in bad:
            with pytest.raises(BadValue) as caught:
                device.value = value
            assert isinstance(caught.value, (ValueError, HardwareError))
            assert "\n" not in str(caught.value)
            assert plain(device.value) == plain(good)


@contract
def test_closing_twice_is_closing_once(make: Make, good: Any, bad: Any) -> None:
    """Closing is idempotent, leaving the context closes, and a closed device takes nothing."""
    with make() as device:
        device.close()
        device.close()
    assert device.closed
    with pytest.raises(DeviceClosed):
        device.value = good
    assert bad


@contract
def test_a_typing_error_is_refused(make: Make, good: Any, bad: Any) -> None:
    """Setting what the device does not have fails, instead of doing nothing for ever."""
    with make() as device, pytest.raises(NoSuchAttribute, match="vallue"):
        device.vallue = good
    assert bad


@contract
def test_followers_hear_of_every_new_value(make: Make, good: Any, bad: list[Any]) -> None:
    """A follower is called after the value is shown, and not for a refused one."""
    with make() as device:
        heard: list[Any] = []
        device.followers.append(lambda: heard.append(plain(device.value)))
        device.value = good
        with pytest.raises(BadValue):
            device.value = bad[0]
        assert heard == [plain(good)]


@contract
def test_a_device_tells_its_state(make: Make, good: Any, bad: Any) -> None:
    """The repr names the device and says whether it is closed."""
    device = make()
    assert repr(device).startswith(f"<{type(device).__name__} value=")
    device.close()
    assert repr(device) == f"<{type(device).__name__} closed>"
    assert good
    assert bad


@pytest.mark.parametrize(
    ("make", "good"), [(FakeStrip, STRIP), (FakeDisplay, picture()), (FakeSound, CUE)]
)
def test_a_fake_remembers_what_it_has_shown(make: Callable[[], Any], good: Any) -> None:
    """The fake's memory is the whole truth: rest, value, rest, each once and in order."""
    with make() as device:
        device.value = good
    rest = plain(device.rest)
    assert [plain(value) for value in device.shown] == [rest, plain(good), rest]
    assert [plain(value) for value in device.shown] != [rest, plain(good)]


def test_a_display_keeps_its_own_copy() -> None:
    """Drawing on after the picture was handed over does not change the display."""
    with FakeDisplay() as display:
        shown = picture()
        display.value = shown
        shown.putpixel((9, 9), 255)
        assert plain(display.value) == plain(picture())


def test_all_hands_are_put_to_rest_even_if_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """One broken device does not keep the other from its rest."""
    outputs = OutputDevices()

    def fail(_: object, __: object) -> None:
        raise HardwareError("the strip does not answer")

    monkeypatch.setattr(FakeStrip, "_write", fail)
    with pytest.raises(HardwareError):
        outputs.close()
    assert outputs.strip.closed
    assert outputs.display.closed
    assert outputs.sound.closed


def test_the_settings_choose_the_hands() -> None:
    """Fakes by default; what the settings name, with its zones, otherwise."""
    with open_output_devices() as outputs:
        assert (type(outputs.strip), type(outputs.display), type(outputs.sound)) == (
            FakeStrip,
            FakeDisplay,
            FakeSound,
        )
    lights = StripConfig(kind="neopixel", lights=20, tower="9-19")
    with open_output_devices(
        lights, PanelConfig("sh1106", bus=77), SoundConfig("speaker")
    ) as outputs:
        assert isinstance(outputs.strip, NeoPixelStrip)
        assert isinstance(outputs.display, PanelDisplay)
        assert isinstance(outputs.sound, Speaker)
        assert outputs.zones.sizes == {"slots": 9, "tower": 11}


def test_two_devices_on_one_bus_are_refused() -> None:
    """Lights on GPIO 10 and a matrix both want the SPI; the line says what to move."""
    with pytest.raises(BadValue, match="both on SPI; move the lights to GPIO 18"):
        open_output_devices(StripConfig(kind="neopixel", pin=10), PanelConfig("matrix"))
