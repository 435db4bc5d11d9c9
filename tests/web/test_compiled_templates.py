"""Templates are compiled once in a process, whichever game or site asks for them."""

from pathlib import Path

import pytest
from jinja2 import Environment

from companion.web.shell import templates


class Compiled(Exception):
    """A template was compiled."""


def refuse(*_: object, **__: object) -> None:
    """Compile nothing."""
    raise Compiled


def test_what_was_compiled_before_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another environment takes the same code; of a text that has changed it takes none."""
    template = tmp_path / "hello.html"
    template.write_text("Hello {{ name }}")
    assert templates([tmp_path]).get_template("hello.html").render(name="Ann") == "Hello Ann"
    monkeypatch.setattr(Environment, "compile", refuse)
    assert templates([tmp_path]).get_template("hello.html").render(name="<Bo") == "Hello &lt;Bo"
    template.write_text("Aloha {{ name }}")
    with pytest.raises(Compiled):
        templates([tmp_path]).get_template("hello.html")
