"""Settings from any file at all: the answer is settings or one line, never a traceback."""

import json
import tempfile
import tomllib
from datetime import date, time
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from companion.config import (
    BadConfig,
    Config,
    load_config,
)
from companion.registry import GAMES, game_of
from hardware.pins import ROLES

OPTIONS: Final = sorted(
    {option for game in GAMES for option in game_of(game).parse_options({}, game_of(game).seats[0])}
)
KEYS: Final = {
    "pins": ("factory", *(role.name for role in ROLES)),
    **{section.name: section.type.__struct_fields__ for section in fields(Config)[:-1]},
}
words = st.text("ab0\n\x00\x1b\"'é", max_size=4)
numbers = st.sampled_from([-1, 0, 1, 2, 3, 4, 10, 27, 2**63, -(2**70)]) | st.integers()
plain = st.one_of(
    st.booleans(), numbers, st.floats(), words, st.datetimes(), st.dates(), st.times(),
    st.sampled_from([*GAMES, "auto", "near", "wired", "pico", "neopixel", "matrix", "lowest"]),
)  # fmt: skip
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)
options = st.dictionaries(st.sampled_from(OPTIONS) | words, values, max_size=3)
sections = st.one_of(
    *(
        st.fixed_dictionaries(
            {},
            optional={
                key: values | options | st.dictionaries(st.sampled_from(list(GAMES)), options)
                if key == "options"
                else values
                for key in keys
            },
        ).map(lambda section, name=name: (name, section))  # type: ignore[misc]
        for name, keys in KEYS.items()
    ),
    st.tuples(st.sampled_from(list(KEYS)) | words, values),
)
documents = st.lists(sections, max_size=4).map(dict)


def write_toml(value: object) -> str:
    """Return *value* as TOML has it in one line."""
    match value:
        case dict():
            pairs = (f"{write_toml(key)} = {write_toml(inner)}" for key, inner in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list():
            return f"[{', '.join(map(write_toml, value))}]"
        case str():
            return json.dumps(value)
        case bool():
            return str(value).lower()
        case date() | time():
            return value.isoformat()
    return repr(value)


def answer(content: bytes) -> str:
    """Return what is said of a file with *content*, "" if it gives settings."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tiki.toml"
        path.write_bytes(content)
        try:
            load_config(path)
        except BadConfig as error:
            assert str(error).startswith(str(path))  # noqa: PT017 - either answer is right
            return str(error)
        return ""


@settings(max_examples=120)
@given(documents)
def test_whatever_a_file_holds_the_answer_is_settings_or_one_line(found: dict[str, Any]) -> None:
    """No TOML document leads to another error, nor to more than a line that can be printed."""
    text = "\n".join(f"{write_toml(name)} = {write_toml(value)}" for name, value in found.items())
    assert write_toml(tomllib.loads(text)) == write_toml(found)
    assert answer(text.encode()).isprintable()


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    """And what to do with it."""
    path = tmp_path / "tiki.toml"
    path.write_bytes("[table]\nplayers = ['Zoë']".encode("latin-1"))
    with pytest.raises(BadConfig, match="is not UTF-8 from byte 22 on; save it as UTF-8"):
        load_config(path)


@given(st.binary() | st.text().map(str.encode))
def test_whatever_bytes_a_file_holds_the_answer_is_settings_or_one_line(content: bytes) -> None:
    """Neither TOML nor UTF-8 need it be."""
    assert answer(content).isprintable()
