"""Settings: every key known, every value checked, every refusal one line."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec.inspect import FloatType, IntType, type_info
from msgspec.structs import fields

from companion.config import (
    AUTO,
    BadConfig,
    CameraConfig,
    Config,
    example,
    load_config,
    override,
    parse_config,
    table_header,
)
from companion.registry import GAMES
from companion.validation import convert
from tests.refused_settings import EXAMPLE, assert_refused

TOPPLE = "[camera]\nsource = 'none'\n[table]\ngame = 'topple'\n"
TIKI_TOPPLE = "[table]\ngame = 'tiki_topple'\n"


def test_no_file_gives_the_defaults() -> None:
    """Everything works without a config; no recording is shown in place of the table."""
    assert load_config(None) == Config(camera=CameraConfig(source="auto"))


def test_the_commented_example_holds_every_key_at_its_default() -> None:
    """deploy/tiki.toml can be copied whole and changes nothing."""
    assert load_config(EXAMPLE) == Config()
    assert tomllib.loads(EXAMPLE.read_text()) == tomllib.loads(example())


def test_the_options_in_the_comments_of_the_example_can_be_set() -> None:
    """Without their sign of a comment, in the section where they stand."""
    lines = [line[2:] for line in EXAMPLE.read_text().splitlines() if line.startswith("# options")]
    assert lines
    for line in lines:
        assert parse_config(tomllib.loads(f"[table]\n{line}")).table.options


WRONG = (
    ("[camera]\nsetle_s = 1", "unknown key 'camera.setle_s'; did you mean 'camera.settle_s'?"),
    ("[camra]", "unknown section 'camra'; did you mean 'camera'?"),
    ("camera = 3", "camera is a section"),
    ("[camera]\nsource = 'webcam'", "'recording' or 'video' or 'picamera2'"),
    ("[camera]\nsettle_s = 0", "camera.settle_s is 0; it must be a number from 0.1 to 10"),
    (
        "[camera]\nsettle_s = true",
        "camera.settle_s is true; it must be a number from 0.1 to 10",
    ),
    ("[web]\nport = '80'", "web.port is '80'; it must be a whole number from 0 to 65535"),
    ("[web]\nport = 99999", "web.port is 99999; it must be a whole number from 0 to"),
    (
        "[web]\nkey = '1'",
        "web.key can be guessed or has a character that an address cannot; it",
    ),
    ("[web]\nkey = 'elevenchars'", "at least 12 letters, digits or - . _ ~ with 6 different"),
    (
        "[web]\nkey = 'aaaaaaaaaaaaaaaa'",
        "with 6 different ones among them; 'key = \"\"' has one",
    ),
    ("[web]\nkey = 'twelve&letters'", "has a character that an address cannot"),
    (
        "[web]\naddress = 'tiki.example'",
        "web.address is 'tiki.example'; it must be like 'https:",
    ),
    (
        "[web]\naddress = 'ftp://tiki.example'",
        "it must be like 'https://tiki.example.org', with",
    ),
    ("[web]\naddress = 'https://tiki.example/'", "with nothing behind the name but perhaps a"),
    ("[web]\naddress = 'https://a@b.example'", "it must be like"),
    ("[web]\naddress = 'https://[::g]'", "it must be like"),
    (
        "[web]\nnames = ['https://tiki.example']",
        "web.names has 'https://tiki.example'; it must be",
    ),
    ("[web]\nnames = ['tiki.example:443']", "it must be a name alone, like 'tiki.example.org'"),
    ("[web]\nnames = ['*']", "web.names has '*'; it must be a name alone"),
    ("[web]\nnames = ['']", "web.names has ''; it must be a name alone"),
    ("[web]\nproxies = ['*']", "web.proxies has '*'; it must be the address of a proxy, like"),
    ("[web]\nproxies = ['10.0.0.1/8']", "or a network, like '192.168.1.0/24'"),
    (f"{TIKI_TOPPLE}players = ['Ann']", "table.players needs 2 to 4 different names"),
    ("[table]\nplayers = []", "table.players needs 1 to 10 different names"),
    ("[table]\nplayers = ['Ann', 'Ann']", "different names"),
    ("[table]\nplayers = 'Ann'", "table.players is 'Ann'; it must be a list of texts"),
    ("[table]\nplayers = ['Ann', 'Bob']\nfirst = 2", "the seats are 0 to 1"),
    ("[table]\nsides = ['near']", "table.sides needs one of near, right, far, left"),
    ("[table]\nplayers = [", "is not TOML"),
    (
        "[table]\ngame = 'chess'",
        "table.game is 'chess'; it must be 'auto' or 'tiki_topple' or 'tactiki' or 'topple'",
    ),
    ("[table]\nfirst = -2", "table.first is -2; it must be a whole number from -1 to 9"),
    (f"{TOPPLE}options = {{ target = 0 }}", "table.options: target is a number from 1 to 9999"),
    (f"{TOPPLE}options = {{ aim = 5 }}", "table.options: there is no option 'aim'"),
    (f"{TOPPLE}options = 3", "table.options is 3; it must be a section; write [table.options]"),
    (
        "[table.options]\ntarget = 50",
        "unknown game 'table.options.target'; known: tiki_topple, tactiki",
    ),
    ("[table.options.tople]", "unknown game 'table.options.tople'; did you mean 'table.opt"),
    (
        "[table.options]\ntopple = 3",
        "table.options.topple is 3; it must be a section; write [table.options.topple]",
    ),
    ("[table.options]\ntopple = [['target', 9]]", "write [table.options.topple] and its keys"),
    (
        "[table.options.topple]\ntarget = 0",
        "table.options.topple: target is a number from 1 to 9999",
    ),
    ("[table.options.uno_tiki]\naim = 5", "table.options.uno_tiki: there is no option 'aim'"),
    (f"{TOPPLE}rounds = 3", "there is no option 'rounds'"),
    (f"{TOPPLE}players = ['A', 'B', 'C', 'D', 'E']", "needs 2 to 4 different names"),
    (
        "[sensors]\nkind = 'wand'",
        "sensors.kind is 'wand'; it must be 'fake' or 'wired' or 'none'",
    ),
    ("[lights]\nkind = 'neopixels'", "lights.kind is 'neopixels'; it must be 'fake' or 'neo"),
    ("[lights]\nslots = '0-9'", "lights.slots has light 9, but the strip has 9"),
    ("[lights]\nslots = 'all'", "lights: 'all' is not a run of lights"),
    (
        "[lights]\nbudget_ma = nan",
        "lights.budget_ma is nan; it must be a number from 1 to",
    ),
    ("[display]\naddress = 0x80", "display.address is 0x80"),
    ("[display]\nblocks = 3", "display.blocks is 3; it must be 4 or 8"),
    ("[sound]\nvoice = 'piper'", "which needs sound.model"),
    ("[sound]\nvolumes = 1", "did you mean 'sound.volume'?"),
    (
        "[lights]\nkind = 'neopixel'\npin = 10\n[display]\nkind = 'matrix'",
        "lights.pin 10 and display.kind 'matrix' are both on SPI; move the lights",
    ),
    ("[sensors]\npulses = 10", "sensors.pulses is 10; it must be a whole number from 20 to"),
)


def test_a_wrong_setting_is_refused_in_one_line(tmp_path: Path) -> None:
    """Which file, which key, what was given, what would be right."""
    for text, words in WRONG:
        assert_refused(tmp_path / "tiki.toml", text, words)


def test_the_check_of_a_refusal_can_fail(tmp_path: Path) -> None:
    """Settings that are right, and another refusal."""
    for text in ("", "[camra]"):
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            assert_refused(tmp_path / "tiki.toml", text, "unknown key")


def test_a_weak_key_is_not_repeated(tmp_path: Path) -> None:
    """It may be the right one of another table, and what a terminal shows may be kept."""
    path = tmp_path / "tiki.toml"
    path.write_text("[web]\nkey = 'elevenchars'")
    with pytest.raises(BadConfig) as caught:
        load_config(path)
    assert "elevenchars" not in str(caught.value)


def test_a_table_may_have_names_and_proxies_of_its_own() -> None:
    """As behind a proxy that speaks TLS."""
    web: dict[str, Any] = {
        "key": "nani-huhu-nui",
        "address": "https://Tiki.Example.org:8443",
        "names": ["tiki", "tiki_2.example.org", "xn--bcher-kva.example"],
        "proxies": ["127.0.0.1", "::1", "10.0.0.0/8", "fe80::/64"],
    }
    found = parse_config({"web": web}).web
    assert (found.key, found.address) == (web["key"], web["address"])
    assert (list(found.names), list(found.proxies)) == (web["names"], web["proxies"])
    for address in ("http://192.168.1.7", "http://[fe80::1]:8321", "http://tiki.local"):
        assert parse_config({"web": {"address": address}}).web.address == address


def test_a_game_that_is_told_takes_its_own_seats_and_options() -> None:
    """UNO Tiki seats ten; options are those of the game's rules; chance may choose who begins."""
    table = {
        "game": "uno_tiki",
        "players": [f"P{seat}" for seat in range(10)],
        "first": -1,
        "options": {"scoring": "lowest"},
    }
    config = parse_config({"table": table, "camera": {"source": "none"}})
    header = table_header(config.table, "uno_tiki")
    assert (header.options["scoring"], header.setup) == ("lowest", {})
    assert sum(header.options["deck"].values()) == 112
    named = parse_config({"table": {**table, "first": 9}, "camera": {"source": "none"}})
    assert table_header(named.table, "uno_tiki").setup == {"dealer": 9}


def test_no_camera_is_needed_for_any_game() -> None:
    """Everything can be tapped in, also what a camera could read."""
    for game in (AUTO, *GAMES):
        players = ["Ann", "Bob"]
        found = {"table": {"game": game, "players": players}, "camera": {"source": "none"}}
        assert parse_config(found).camera.source == "none"


def test_a_recording_may_be_of_any_game() -> None:
    """Only the one that ships is of one game."""
    table = {"game": "topple", "players": ["Ann", "Bob"]}
    camera = {"source": "recording", "folder": "somewhere"}
    assert parse_config({"table": table, "camera": camera}).camera.folder == "somewhere"
    assert parse_config({"table": {"game": "tiki_topple"}}).camera.source == "recording"


def test_one_table_may_play_every_game() -> None:
    """Each takes the names that it has seats for, its own options, and rounds if it has some."""
    found: dict[str, Any] = {
        "players": ["Ann", "Bob", "Cem", "Dia", "Eve"],
        "sides": ["near", "right", "far", "left", "left"],
        "first": 4,
        "rounds": 2,
        "options": {"topple": {"target": 33}, "uno_tiki": {"scoring": "lowest"}},
    }
    table = parse_config({"table": found}).table
    headers = {game: table_header(table, game) for game in GAMES}
    seats = {game: len(header.players) for game, header in headers.items()}
    assert seats == {
        "tiki_topple": 4, "tactiki": 2, "topple": 4, "tippi_toppi": 4, "uno_tiki": 5,
        "score_sheet": 5,
    }  # fmt: skip
    assert headers["tactiki"].players == ("Ann", "Bob")
    assert table.options_of("tiki_topple")["rounds"] == 2  # as a game begun on the page
    assert headers["tiki_topple"].options["rounds"] == 2
    assert headers["tiki_topple"].setup == {"first": 0}  # who was to begin does not play
    assert headers["topple"].options["target"] == 33
    assert "rounds" not in headers["topple"].options
    assert headers["uno_tiki"].options["scoring"] == "lowest"
    assert headers["uno_tiki"].setup == {"dealer": 4}
    for header in headers.values():
        assert header.sides == tuple(found["sides"][: len(header.players)])


def test_a_lonely_name_gets_company_where_a_game_wants_it() -> None:
    """One name suffices for the file; a game for two makes the other one up."""
    table = parse_config({"table": {"players": ["Ann"], "sides": ["far"]}}).table
    headers = {game: table_header(table, game) for game in GAMES}
    assert headers["tippi_toppi"].players == ("Ann",)
    assert headers["topple"].players == ("Ann", "Player 2")
    assert headers["topple"].sides == ()


def test_where_no_chance_decides_who_begins_the_first_does() -> None:
    """-1 leaves it to the dice or the cards of the games that have them."""
    table = parse_config({"table": {"first": -1}}).table
    assert table_header(table, "tiki_topple").setup == {"first": 0}
    assert table_header(table, "topple").setup == {}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that is not there is said so."""
    with pytest.raises(BadConfig, match=r"nowhere\.toml: No such file"):
        load_config(tmp_path / "nowhere.toml")


def bounded() -> list[tuple[str, Any, float, float]]:
    """Return each setting that has bounds: name, declared type, least and greatest value."""
    found = []
    for section in fields(Config):
        for key in fields(section.type):
            kind = type_info(key.type)
            if isinstance(kind, IntType | FloatType) and kind.ge is not None:
                assert kind.le is not None
                found.append((f"{section.name}.{key.name}", key.type, kind.ge, kind.le))
    return found


def test_a_setting_with_bounds_takes_both_and_nothing_beyond() -> None:
    """A default is within them."""
    for name, declared, low, high in bounded():
        section, key = name.split(".")
        assert low <= getattr(getattr(Config(), section), key) <= high, name
        assert [convert(name, declared, bound) for bound in (low, high)] == [low, high], name
        for value in (low - 1, high + 1):
            words = f"{name} is {value:g}; it must be .* from {low:g} to"
            with pytest.raises(BadConfig, match=words):
                parse_config({section: {key: value}})


def test_every_number_has_bounds() -> None:
    """But for I2C addresses, which are checked by the display."""
    numbers = {
        f"{section.name}.{key.name}"
        for section in fields(Config)
        for key in fields(section.type)
        if isinstance(type_info(key.type), IntType | FloatType)
    }
    assert numbers - {name for name, *_ in bounded()} == {"display.address"}


STRANGE = (
    ("[web]\nport = 0x" + "F" * 5000, "web has a whole number of more than 64 bits"),
    ("[camera]\nsettle_s = 1" + "0" * 400, "camera has a whole number of more than 64 bits"),
    ("[web]\nport = " + "1" * 5000, "has a whole number of more than 64 bits"),
    ("[table]\nplayers = " + "[" * 3000, "is nested too deeply"),
    ("[table.options]\n" + "a." * 3000 + "b = 1", "table is nested too deeply"),
    ('[table]\n"a\\nb" = 1', "unknown key 'table.a\\nb'; known: game"),
    ('["\\u001B[31m"]', "unknown section '\\x1b[31m'; known: table"),
    (f'{TOPPLE}options = {{ "a\\nb" = 1 }}', "there is no option 'a\\nb'"),
    ("[web]\nport = 2026-01-02", "web.port is 2026-01-02; it must be a whole number"),
    ("[log]\nfile = [true]", "log.file is [true]; it must be text"),
    ("[log]\nfile = 07:30:00", "log.file is 07:30:00; it must be text"),
)


def test_values_out_of_the_ordinary_are_refused_in_one_line(tmp_path: Path) -> None:
    """Huge numbers, deep tables, names with line breaks or escapes, TOML's dates and times."""
    for text, words in STRANGE:
        assert_refused(tmp_path / "tiki.toml", text, words)


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    """Editors of some systems write one before the first line."""
    path = tmp_path / "tiki.toml"
    path.write_bytes(b"\xef\xbb\xbf[web]\nport = 80\n")
    assert load_config(path).web.port == 80


def test_a_long_value_is_shortened() -> None:
    """A message stays one line that can be read."""
    with pytest.raises(BadConfig) as caught:
        parse_config({"web": {"port": "8" * 10_000}})
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1, "--port is -1; it must be a whole number from 0 to 65535"),
        (70_000, "--port is 70000; "),
    ],
)
def test_a_value_of_the_command_line_has_the_same_bounds(value: int, words: str) -> None:
    """And is named as it was given there."""
    assert override(Config(), "web.port", 80, "--port").web.port == 80
    with pytest.raises(BadConfig, match=words):
        override(Config(), "web.port", value, "--port")
