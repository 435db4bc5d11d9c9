"""The proxies in docs/network.md: each, for real, in front of a daemon, with TLS."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proxies import NAME, PROXIES, client, settings_behind, skip_without
from tests.running import free_port
from tests.soak.house import KEY, House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return a daemon with the settings that the page has for a proxy."""
    folder = tmp_path_factory.mktemp("table")
    house = House(folder)
    house.port = free_port()
    config = folder / "tiki.toml"
    config.write_text(settings_behind(config.read_text(), house.port))
    try:
        house.start()
        yield house
    finally:
        house.kill()


@pytest.mark.parametrize("name", PROXIES)
def test_the_example_serves_pages_and_streams(house: House, tmp_path: Path, name: str) -> None:
    """The host is let in with a cookie for TLS alone; a stream's news come at once."""
    skip_without(name)
    with (
        PROXIES[name](tmp_path, house.port) as (port, certificate),
        client(port, certificate) as browser,
    ):
        extensions = {"sni_hostname": NAME}
        page = browser.get("/", extensions=extensions)
        assert (page.status_code, "data-view" in page.text) == (200, True)
        entered = browser.get(f"/?key={KEY}", extensions=extensions)
        assert entered.status_code == 303
        assert "Secure" in entered.headers["set-cookie"]
        with browser.stream("GET", "/live?page=board", extensions=extensions) as stream:
            assert stream.status_code == 200
            assert next(stream.iter_text())
