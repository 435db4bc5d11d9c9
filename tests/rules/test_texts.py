"""What the tests ask of the rules, where it must fail."""

import pytest

from companion.rules import tiki_topple
from companion.rules.base import IllegalAction
from tests.rules.texts import Texts

TEXTS = Texts(tiki_topple)


def test_a_legal_action_is_not_refused() -> None:
    """What is listed has no clause that forbids it; what is forbidden leads nowhere."""
    state = tiki_topple.initial(2, {}, {"line": list(tiki_topple.TIKIS)})
    assert "up1 nani" in TEXTS.listed(state)
    assert TEXTS.refused(state, "toast nui") == "TT-8"
    with pytest.raises(AssertionError):
        TEXTS.refused(state, "up1 nani")
    with pytest.raises(IllegalAction):
        TEXTS.after(state, "up1 nani", "toast nui")
