"""The table's own Wi-Fi: when it opens, makes way and closes, with a radio that is not there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from companion.config import BadConfig, Config, WifiConfig, parse_config
from companion.wifi.credentials import credentials_of
from companion.wifi.fake_radio import FakeRadio
from companion.wifi.own_wifi import OwnWifi, Patience
from companion.wifi.radio import Choice, Credentials, Network
from companion.wifi.start import watch_network

OWN: Final = Credentials("Tiki-7K4M", "k7m4px2h9d")
HOME: Final = Network("Home", 60)
SHORT: Final = Patience(
    new_s=0.1,
    known_s=0.4,
    lost_s=0.8,
    look_s=0.02,
    calm_s=0.05,
    unused_s=0.3,
    retry_s=0.2,
    shown_s=0.2,
    farewell_s=0.02,
    join_s=0.5,
)
Part = Callable[[FakeRadio, OwnWifi], Awaitable[None]]


def play(part: Part, radio: FakeRadio | None = None) -> None:
    """Play *part* while the table watches over its network."""

    async def run() -> None:
        found = radio or FakeRadio({HOME: "eight or more"})
        own_wifi = OwnWifi(found, OWN, patience=SHORT)
        task = asyncio.create_task(own_wifi.run())
        try:
            async with asyncio.timeout(10):
                await part(found, own_wifi)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert found.opened is None
            assert not own_wifi.is_open

    asyncio.run(run())


async def until(condition: Callable[[], bool]) -> float:
    """Wait for *condition*, and return for how many seconds."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    while not condition():  # noqa: ASYNC110 - nothing tells when it is so
        await asyncio.sleep(0.01)
    return loop.time() - began_s


def test_it_opens_where_no_network_is() -> None:
    """After a while, with the networks that were in sight before, and how to join is shown."""

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        assert await until(lambda: own_wifi.is_open) >= SHORT.new_s * 0.9
        assert (radio.opened, own_wifi.networks) == (OWN, (HOME,))
        seen = [own_wifi.is_awaited]
        with own_wifi.visit():
            seen.append(own_wifi.is_awaited)
        assert [*seen, own_wifi.is_awaited] == [True, False, False]

    play(part)


def test_it_is_not_shown_for_ever() -> None:
    """Who plays without phones gets the display back."""

    async def part(_: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_awaited)
        await until(lambda: not own_wifi.is_awaited)
        assert own_wifi.is_open

    play(part)


@pytest.mark.parametrize("by", ["cable", "wifi"])
def test_it_stays_closed_in_a_network(by: str) -> None:
    """A cable will do."""
    radio = FakeRadio({HOME: "eight or more"})
    radio.cabled = by == "cable"
    radio.known = {"Home"} if by == "wifi" else set()

    async def part(_: FakeRadio, own_wifi: OwnWifi) -> None:
        await asyncio.sleep(SHORT.new_s * 4)
        assert not own_wifi.is_open

    play(part, radio)


def test_it_waits_longer_once_there_was_a_network() -> None:
    """The router may be starting again, and phones that play are in its network."""
    radio = FakeRadio({HOME: "eight or more"})
    radio.cabled = True

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        await asyncio.sleep(SHORT.calm_s * 3)
        radio.cabled = False
        assert await until(lambda: own_wifi.is_open) >= SHORT.lost_s * 0.9

    play(part, radio)


def test_a_phone_brings_the_table_into_a_network() -> None:
    """The own Wi-Fi ends by itself, after the phone has had its answer."""

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        own_wifi.choose(Choice("Home", "eight or more"))
        await until(lambda: radio.joined == "Home")
        await until(lambda: not own_wifi.is_open and not own_wifi.joining)
        await asyncio.sleep(SHORT.new_s * 3)
        assert (radio.joined, own_wifi.is_open, own_wifi.failed) == ("Home", False, None)

    play(part)


def test_a_wrong_password_brings_it_back_with_the_reason() -> None:
    """And the next try counts."""

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        own_wifi.choose(Choice("Home", "not the password"))
        await until(lambda: own_wifi.failed is not None and own_wifi.is_open)
        assert own_wifi.failed
        assert (own_wifi.failed[0], own_wifi.failed[1].reason) == ("Home", "password")
        assert (own_wifi.joining, radio.known) == ("", set())
        own_wifi.choose(Choice("Home", "eight or more"))
        await until(lambda: radio.joined == "Home")

    play(part)


def test_a_button_that_is_tapped_twice_counts_once() -> None:
    """The second tap is not tried when the own Wi-Fi is there again."""

    async def part(_: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        own_wifi.choose(Choice("Home", "not the password"))
        await until(lambda: bool(own_wifi.joining))
        own_wifi.choose(Choice("Home", "eight or more"))
        await until(lambda: own_wifi.failed is not None and own_wifi.is_open)
        await asyncio.sleep(SHORT.new_s * 3)
        assert (own_wifi.is_open, own_wifi.joining) == (True, "")

    play(part)


def test_a_cable_that_is_plugged_in_ends_it() -> None:
    """The table is in a network then."""

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        radio.cabled = True
        await until(lambda: not own_wifi.is_open)

    play(part)


def test_it_makes_way_for_a_known_network_that_comes_back() -> None:
    """After a power cut the router takes longer than the table; but who plays is not cut off."""
    radio = FakeRadio({})
    radio.known = {"Home"}

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        radio.networks[HOME] = "eight or more"
        with own_wifi.visit():
            await asyncio.sleep(SHORT.unused_s * 2)
            assert own_wifi.is_open
        await until(lambda: radio.joined == "Home")
        assert not own_wifi.is_open

    play(part, radio)


def test_it_comes_back_if_the_known_network_does_not() -> None:
    """It makes way in vain, and is there again."""
    radio = FakeRadio({})
    radio.known = {"Home"}

    async def part(_: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        await until(lambda: not own_wifi.is_open)
        assert await until(lambda: own_wifi.is_open) >= SHORT.retry_s * 0.9

    play(part, radio)


def test_what_somebody_else_closes_opens_again() -> None:
    """As whoever tries NetworkManager by hand does."""

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        await until(lambda: own_wifi.is_open)
        radio.opened = None
        await until(lambda: radio.opened is not None)

    play(part)


def test_a_radio_of_no_use_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    """Why it is of none stands in the log once."""
    radio = FakeRadio({HOME: "eight or more"})
    radio.fault = "the Wi-Fi is switched off"

    async def part(radio: FakeRadio, own_wifi: OwnWifi) -> None:
        with caplog.at_level(logging.INFO, "companion.wifi"):
            await asyncio.sleep(SHORT.new_s * 4)
        assert caplog.text.count("the Wi-Fi is switched off") == 1
        radio.fault = ""
        await until(lambda: own_wifi.is_open)

    play(part, radio)


def test_without_a_wifi_of_its_own_nothing_is_watched() -> None:
    """The job ends at once."""
    asyncio.run(watch_network(None))


def test_name_and_password_are_made_once(tmp_path: Path) -> None:
    """Kept for this user alone; those of the settings go first; what is spoilt is made anew."""
    file = tmp_path / "games.wifi.json"
    first = credentials_of(WifiConfig(), file)
    assert credentials_of(WifiConfig(), file) == first
    assert file.stat().st_mode & 0o077 == 0
    assert (len(first.name), len(first.password)) == (9, 10)
    assert credentials_of(WifiConfig(name="Cabin"), file) == Credentials("Cabin", first.password)
    assert credentials_of(WifiConfig(), None) != credentials_of(WifiConfig(), None)
    file.write_text("[]")
    assert credentials_of(WifiConfig(), file) != first


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("name", "x" * 33, "at most 32 letters"),
        ("name", "ä" * 17, "at most 32 letters"),
        ("password", "short", "8 to 63"),
        ("password", "sechs Äpfel", "8 to 63"),
        ("access_point", "on", "'off' or 'auto'"),
    ],
)
def test_what_no_phone_could_join_is_refused(key: str, value: str, words: str) -> None:
    """A password is not shown."""
    with pytest.raises(BadConfig) as caught:
        parse_config({"wifi": {key: value}})
    assert words in str(caught.value)
    assert key != "password" or value not in str(caught.value)
    assert Config().wifi.access_point == "off"
