"""Settings that are refused, and the example that is not."""

from pathlib import Path

import pytest

from companion.config import BadConfig, load_config

EXAMPLE = Path(__file__).parent.parent / "deploy" / "tiki.toml"


def assert_refused(path: Path, text: str, words: str) -> None:
    """Fail unless *text* in the file at *path* is refused in one line that has *words*."""
    path.write_text(text)
    with pytest.raises(BadConfig) as caught:
        load_config(path)
    message = str(caught.value)
    assert message.startswith(str(path)), text
    assert words in message, text
    assert message.isprintable(), text
