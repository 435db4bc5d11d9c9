"""Keys: unguessable, used once, and kept over a restart."""

import json
import stat
from pathlib import Path

import pytest

from companion.session.log import Log
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from hardware.output_devices import OutputDevices
from tests.tables import sit_down
from tests.web.visitors import Visitor


def test_every_key_is_its_own() -> None:
    """Host, invitations and claims share nothing, and no two are alike."""
    keys = Keys()
    keys.open_seats(1, 4)
    found = [keys.host, *(keys.invitation(seat) or "" for seat in range(4))]
    taken = keys.claim(found[1], 0)
    assert taken
    found.append(taken[1].key)
    assert len(set(found)) == 6
    assert min(map(len, found)) >= 22


def test_one_kind_of_key_opens_nothing_else() -> None:
    """An invitation is no host's key and no claim; the host's key is no seat."""
    keys = Keys()
    keys.open_seats(1, 2)
    invitation = keys.invitation(0) or ""
    assert not keys.is_host(invitation)
    assert not keys.is_host(None)
    assert not keys.is_host("")
    assert keys.seat(invitation) is None
    assert keys.seat(keys.host) is None
    assert keys.invited(keys.host) is None


def test_phones_and_host_stay_over_a_restart(tmp_path: Path) -> None:
    """After a kill the cookies still hold, and what a phone had entered is still its own."""
    file, log = tmp_path / "keys.json", tmp_path / "games.db"
    with Log(log) as before:
        keys = Keys(None, file)
        phone = Visitor(create_app(RunningTable(sit_down(log=before), keys, OutputDevices())))
        phone.post(f"/join/{keys.invitation(0)}")
        phone.post("/seat", top9="nani", middle5="huhu", bottom2="nui", round=1)
        host = Visitor(phone.app)
        host.get(f"/?key={keys.host}")
    with Log(log) as after:
        again = create_app(RunningTable(sit_down(log=after), Keys(None, file), OutputDevices()))
        assert 'data-own="nani"' in Visitor(again, phone.cookies).get("/seat").text
        assert Visitor(again, host.cookies).get("/desk").status_code == 200


def test_another_game_takes_the_seats_away(tmp_path: Path) -> None:
    """What is kept counts for the session that it was made for."""
    file = tmp_path / "keys.json"
    keys = Keys("host", file)
    keys.open_seats(1, 2)
    old = keys.invitation(0)
    again = Keys("host", file)
    again.open_seats(2, 2)
    assert again.invitation(0) != old


def test_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    """Nobody else on the machine gets at the keys."""
    file = tmp_path / "keys.json"
    Keys(None, file).open_seats(1, 2)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert set(json.loads(file.read_text())) == {
        *("host", "is_chosen", "cookie", "session", "invitations", "claims"),
        *("has_host", "code", "screens", "earlier", "phone"),
    }
    assert [each.name for each in tmp_path.iterdir()] == ["keys.json"]


SPOILT = ("", "{", "[]", "{}", '{"host": 1}', '{"host": "x"}', '{"host": "x", "session": null}')


@pytest.mark.parametrize("text", SPOILT)
def test_a_spoilt_file_is_begun_anew(tmp_path: Path, text: str) -> None:
    """A file that cannot be understood costs the phones their seats, nothing more."""
    file = tmp_path / "keys.json"
    file.write_text(text)
    keys = Keys(None, file)
    keys.open_seats(1, 2)
    assert len(keys.host) >= 22
    assert not keys.is_host("")
    assert Keys(None, file).invitation(0) == keys.invitation(0)
