"""What people enter and sensors tell, for tests: a session at it, and what came of it."""

from companion.devices.sensor_adapter import SensorAdapter
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.session.log import Log
from hardware.facts import Button, Fact, Pressed, Spun, Tower, TowerMoved
from tests.tables import NAMES, open_log

SPUN = Spun(100.0, 2.0, clockwise=True, trusted=True, seats=(1,), at_s=0.0)
TO_SPIN = ("turn tiki-draw4", "turn red-7", "play red-2-spin")


def sit(game: str = "topple", *actions: str, log: Log | None = None, seats: int = 3) -> LiveSession:
    """Return a session of *game* at which *actions* have been entered."""
    header = open_header(game_of(game), NAMES[:seats], {}, 0)
    live_session = LiveSession(log or open_log(), header)
    tell(live_session, *actions)
    return live_session


def tell(live_session: LiveSession, *actions: str) -> None:
    """Enter *actions* by hand."""
    for action in actions:
        live_session.referee.enter(action)


def handle(live_session: LiveSession, *facts: Fact) -> None:
    """Let sensors tell *facts*."""
    sensor_adapter = SensorAdapter(live_session)
    for fact in facts:
        sensor_adapter.handle(fact)


def tower(state: Tower, *, knocked: bool = False) -> TowerMoved:
    """Return what the tilt says."""
    return TowerMoved(state, 0.0, knocked)


def press(button: Button, seat: int | None = None) -> Pressed:
    """Return a pressed button."""
    return Pressed(button, seat, 0.0)


def acts(live_session: LiveSession) -> list[str]:
    """Return the texts of all that happened and still counts."""
    return [act.forms[0] for act in live_session.session.history.acts]


def said(live_session: LiveSession) -> str:
    """Return the words of the moment that is shown."""
    return live_session.transient_notice.words if live_session.transient_notice else ""
