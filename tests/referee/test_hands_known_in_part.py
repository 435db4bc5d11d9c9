"""Pictures of a game in which the companion knows some cards of a hand, and not all."""

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.tippi_toppi import HIDDEN
from companion.session.session import Header
from tests.games.tippi_toppi_deals import GOALS, TOPS
from tests.tables import NAMES, open_log
from vision.observation import Evidence, Observation, Reason, Status

KNOWN = ["green4", "green4", "pink5", "pink6"]
"""Both cards of a kind are in Bob's hand, as the companion knows."""


def test_a_card_that_is_elsewhere_explains_nothing() -> None:
    """Though another card of that hand is hidden since it was drawn; the picture is judged."""
    header = open_header(game_of("tippi_toppi"), NAMES[:3], {}, 0)
    setup = {**header.setup, "hands": [None, KNOWN, None]}
    live_session = LiveSession(
        open_log(), Header(header.game, header.players, header.options, setup)
    )
    referee = live_session.referee
    for action in (
        *(f"lay {card}" for card in TOPS),
        *(f"goal {goal}" for goal in GOALS),
        *("play green6 0", "play pink5 3", "drew hidden"),
    ):
        referee.enter(action)
    state = live_session.session.state
    assert HIDDEN in state.hands[1]
    assert live_session.game.expected(state) == 2
    shown = live_session.game.shown(state)
    doubtful = Evidence({shown[0] or "": 0.5, "green 4": 0.5})
    sure = (Evidence({content or "": 1.0}) for content in shown[1:])
    picture = Observation("1.jpg", Status.UNSETTLED, (doubtful, *sure), reason=Reason.UNCLEAR)
    live_session.observe(picture)
    assert len(live_session.session.history.acts) == len((*TOPS, *GOALS)) + 3
    assert referee.question is None
