"""The very first start, as a process of its own: who is shown how to become the host."""

import json
import re
from pathlib import Path

from companion.web.keys import Keys
from tests.running import Child, child

PLAYERS = '[table]\nplayers = ["Ann", "Bob"]\n[camera]\nsource = "none"\n'


def asked(tiki: Child, path: str, name: str, peer: str = "127.0.0.1") -> str:
    """Return what a browser at *peer* gets that has typed *name*."""
    with tiki.send(f"GET {path} HTTP/1.0\nHost: {name}:{tiki.port}\n\n", peer) as connection:
        found = b""
        while piece := connection.recv(65_536):
            found += piece
    return found.decode()


def key_of(folder: Path) -> str:
    """Return the host's key, as it is kept beside the log."""
    return Keys(None, folder / "game.keys.json").host


def test_the_first_start_welcomes_the_host(tmp_path: Path) -> None:
    """On the own screen by a QR code, elsewhere by a sentence; and once only."""
    with child(tmp_path) as tiki:
        key = key_of(tmp_path)
        assert 'id="host-code"' in asked(tiki, "/", "localhost")
        for name, peer in (
            ("tiki.local", "127.0.0.1"),
            ("192.0.2.2", "127.0.0.1"),
            ("127.0.0.1", "127.0.0.2"),
        ):
            page = asked(tiki, "/", name, peer)
            assert "The table is being set up." in page
            assert 'id="host-code"' not in page
            assert key not in page
        let_in = asked(tiki, f"/?key={key}", "tiki.local")
        assert re.search(r"location: /welcome\r", let_in)
        assert 'id="host-code"' not in asked(tiki, "/", "localhost")
        assert json.loads((tmp_path / "game.table.json").read_text()) == {
            "language": "en",
            "is_set_up": False,
        }
    with child(tmp_path) as tiki:  # nobody has set it up yet, so the host is welcomed again
        assert re.search(r"location: /welcome\r", asked(tiki, f"/?key={key}", "tiki.local"))


def test_a_table_whose_players_are_in_the_settings_needs_no_welcome(tmp_path: Path) -> None:
    """Its host comes to the scoreboard, and its own screen shows how phones join."""
    config = tmp_path / "tiki.toml"
    config.write_text(PLAYERS)
    with child(tmp_path, "--config", str(config)) as tiki:
        assert 'id="join-code"' in asked(tiki, "/", "127.0.0.1")
        assert 'id="join-code"' not in asked(tiki, "/", "tiki.local")
        assert re.search(r"location: /\r", asked(tiki, f"/?key={key_of(tmp_path)}", "tiki.local"))


def test_behind_a_proxy_nobody_is_shown_the_key(tmp_path: Path) -> None:
    """Where the settings name one, all who ask from this machine may be anybody."""
    config = tmp_path / "tiki.toml"
    config.write_text('[web]\nproxies = ["127.0.0.1"]\n[camera]\nsource = "none"\n')
    with child(tmp_path, "--config", str(config)) as tiki:
        assert 'id="host-code"' not in asked(tiki, "/", "localhost")
