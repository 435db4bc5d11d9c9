"""Settings: every key known, every value checked, every refusal one line."""

import contextlib
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import BadConfig, Config, example, load_config, parse_config, table_header

EXAMPLE = Path(__file__).parent.parent / "deploy" / "tiki.toml"

TOPPLE = "[camera]\nsource = 'none'\n[table]\ngame = 'topple'\n"


def test_no_file_gives_the_defaults() -> None:
    """Everything works without a config."""
    assert load_config(None) == Config()


def test_the_commented_example_holds_every_key_at_its_default() -> None:
    """deploy/tiki.toml can be copied whole and changes nothing."""
    assert load_config(EXAMPLE) == Config()
    assert tomllib.loads(EXAMPLE.read_text()) == tomllib.loads(example())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[camera]\nsetle_s = 1", "unknown key 'camera.setle_s'; did you mean 'camera.settle_s'?"),
        ("[camra]", "unknown section 'camra'; did you mean 'camera'?"),
        ("camera = 3", "camera is a section"),
        ("[camera]\nsource = 'webcam'", "'recording' or 'video' or 'picamera2'"),
        ("[camera]\nsettle_s = 0", "camera.settle_s is 0.0; it may be from 0.1 to 10"),
        ("[camera]\nsettle_s = true", "camera.settle_s is True; it wants a number"),
        ("[web]\nport = '80'", "web.port is '80'; it wants a whole number"),
        ("[web]\nport = 99999", "web.port is 99999; it may be from 0 to 65535"),
        ("[table]\nplayers = ['Ann']", "table.players wants 2 to 4 different names"),
        ("[table]\nplayers = ['Ann', 'Ann']", "different names"),
        ("[table]\nplayers = 'Ann'", "table.players is 'Ann'; it wants a list of texts"),
        ("[table]\nplayers = ['Ann', 'Bob']\nfirst = 2", "the seats are 0 to 1"),
        ("[table]\nsides = ['near']", "table.sides wants one of near, right, far, left"),
        ("[table]\nplayers = [", "is not TOML"),
        (
            "[table]\ngame = 'tactiki'",
            "table.game is 'tactiki'; the companion plays 'tiki_topple'",
        ),
        (
            "[table]\ngame = 'topple'",
            "'recording', but no camera reads topple yet",
        ),
        ("[camera]\nsource = 'none'", "camera.source is 'none', but tiki_topple is read by camera"),
        ("[table]\nfirst = -1", "in tiki_topple somebody has to begin"),
        (f"{TOPPLE}options = {{ target = 0 }}", "table.options: target is a number from 1 to 9999"),
        (f"{TOPPLE}options = {{ aim = 5 }}", "table.options: there is no option 'aim'"),
        (f"{TOPPLE}options = 3", "table.options is 3; write [table.options]"),
        (f"{TOPPLE}rounds = 3", "there is no option 'rounds'"),
        (f"{TOPPLE}players = ['A', 'B', 'C', 'D', 'E']", "wants 2 to 4 different names"),
        ("[sensors]\nkind = 'wand'", "sensors.kind is 'wand'; it may be 'fake' or 'none'"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    """Which file, which key, what was given, what would be right."""
    path = tmp_path / "tiki.toml"
    path.write_text(text)
    with pytest.raises(BadConfig) as caught:
        load_config(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert words in message
    assert "\n" not in message


def test_a_game_that_is_told_takes_its_own_seats_and_options() -> None:
    """UNO Tiki seats ten; options are those of the game's rules; chance may choose who begins."""
    table = {
        "game": "uno_tiki",
        "players": [f"P{seat}" for seat in range(10)],
        "first": -1,
        "options": {"scoring": "lowest"},
    }
    config = parse_config({"table": table, "camera": {"source": "none"}})
    header = table_header(config.table)
    assert (header.options["scoring"], header.setup) == ("lowest", {})
    assert sum(header.options["deck"].values()) == 112
    named = parse_config({"table": {**table, "first": 9}, "camera": {"source": "none"}})
    assert table_header(named.table).setup == {"dealer": 9}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that is not there is said so."""
    with pytest.raises(BadConfig, match=r"nowhere\.toml: No such file"):
        load_config(tmp_path / "nowhere.toml")


words = st.text("ab\n\x00é", max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner),
    max_leaves=5,
)
sections = st.dictionaries(
    st.sampled_from(["table", "camera", "web", "log", "lights", "display", "x"]),
    st.dictionaries(st.sampled_from(["players", "port", "source", "file", "kind", "y"]), values)
    | values,
)


@given(sections)
def test_whatever_a_file_holds_the_answer_is_settings_or_one_line(found: dict[str, object]) -> None:
    """No value of TOML's leads to another error."""
    with contextlib.suppress(BadConfig):
        assert isinstance(parse_config(found), Config)
