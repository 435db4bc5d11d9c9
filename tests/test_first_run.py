"""The very first start: who is shown how to become the host."""

import json
import re
import socket
from pathlib import Path

from companion.web.http.keys import Keys
from tests.running import everything
from tests.wired_tables import DEADLINE_S, House, at_home

SETTINGS = '[camera]\nsource = "none"\n[web]\nport = 8321\n{web}\n[log]\nfile = ""\n{table}'


def asked(house: House, path: str, name: str, peer: str = "127.0.0.1") -> str:
    """Return what a browser at *peer* gets that has typed *name*."""
    port = int(house.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), DEADLINE_S, (peer, 0)) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: {name}:{port}\r\n\r\n".encode())
        return everything(connection)


def key_of(folder: Path) -> str:
    """Return the host's key, as it is kept beside the log."""
    return Keys(None, folder / "game.keys.json").host


def test_the_first_start_welcomes_the_host(tmp_path: Path) -> None:
    """On the own screen by a QR code, elsewhere by a sentence; and once only."""
    text = SETTINGS.format(web="", table="")
    with at_home(tmp_path, text) as tiki:
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
    with at_home(tmp_path, text) as tiki:  # nobody has set it up yet, so the host is welcomed again
        assert re.search(r"location: /welcome\r", asked(tiki, f"/?key={key}", "tiki.local"))


def test_a_table_whose_players_are_in_the_settings_needs_no_welcome(tmp_path: Path) -> None:
    """Its host comes to the scoreboard, and its own screen shows how phones join."""
    text = SETTINGS.format(web="", table='[table]\nplayers = ["Ann", "Bob"]\n')
    with at_home(tmp_path, text) as tiki:
        assert 'id="join-code"' in asked(tiki, "/", "127.0.0.1")
        assert 'id="join-code"' not in asked(tiki, "/", "tiki.local")
        assert re.search(r"location: /\r", asked(tiki, f"/?key={key_of(tmp_path)}", "tiki.local"))


def test_behind_a_proxy_nobody_is_shown_the_key(tmp_path: Path) -> None:
    """Where the settings name one, all who ask from this machine may be anybody."""
    with at_home(tmp_path, SETTINGS.format(web='proxies = ["127.0.0.1"]', table="")) as tiki:
        assert 'id="host-code"' not in asked(tiki, "/", "localhost")
