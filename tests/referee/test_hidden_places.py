"""Hidden places: nothing is believed for what cannot be seen, and nothing waits because of it."""

from typing import Any, Final

from companion.referee.explain import Certain, Unsettled, explain
from companion.referee.hypotheses import Proposal, hypothesis_of
from companion.registry import game_of
from companion.rules.tiki_topple import TIKIS
from tests.tables import sit_down
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status

GAME: Final = game_of("tiki_topple")
LINE: Final = ("nani", "lokahi", "hookipa", *TIKIS[3:])


def look(places: dict[int, dict[str, float]]) -> Certain[Any, Any] | Unsettled[Any, Any]:
    """Return what is made of a line that lies as it did, but for *places*."""
    live_session = sit_down(3, line=LINE)
    hypothesis = hypothesis_of(GAME, Proposal(live_session.session.history))
    seen = [
        Evidence(places.get(at, {name: 0.98, "something else": 0.02}))
        for at, name in enumerate(LINE)
    ]
    observation = Observation("1", Status.UNSETTLED, tuple(seen), reason=Reason.UNCLEAR)
    verdict = explain(GAME, [hypothesis], observation)
    assert isinstance(verdict, Certain | Unsettled)
    return verdict


def test_a_hidden_place_is_taken_to_be_as_it_was() -> None:
    """An arm that rests on a tiki is no reason to wait: nothing has happened."""
    verdict = look({4: {HIDDEN: 0.96, "huhu": 0.02, "akamai": 0.02}})
    assert isinstance(verdict, Certain)
    assert verdict.proposal.steps == ()


def test_of_two_plays_none_is_believed_for_changing_less_of_what_is_hidden() -> None:
    """Up 1 on the fifth tiki or Up 2 on the sixth: the place that would tell is hidden."""
    third, fourth, fifth = LINE[3], LINE[4], LINE[5]
    seen: dict[int, dict[str, float]] = {
        3: {fourth: 0.73, fifth: 0.27},
        4: {third: 0.98, "something else": 0.02},
        5: {HIDDEN: 0.96, fourth: 0.02, fifth: 0.02},
    }
    verdict = look(seen)
    assert isinstance(verdict, Unsettled)
    actions = {proposal.steps[-1].forms[0] for proposal in verdict.proposals}
    assert actions == {f"up1 {fourth}", f"up2 {fifth}"}
    clear = look(seen | {5: {fifth: 0.98, fourth: 0.02}})
    assert isinstance(clear, Certain)
    assert clear.proposal.steps[-1].forms == (f"up1 {fourth}",)
