"""Games of UNO Tiki for tests: three people, what they have entered, and what is seen."""

from dataclasses import replace

import msgspec

from companion.games.uno_tiki.game import GAME
from companion.referee.game import People, Table
from companion.referee.live_session import LiveSession
from companion.referee.notices import Ask
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules import uno_tiki as rules
from companion.rules.uno_tiki import State
from tests.rules.texts import Texts
from tests.tables import NAMES, open_log, see_table
from vision.observation import Observation, Pointing

SIDES = ("near", "left", "right")
BEARINGS = (180.0, 270.0, 90.0)
PEOPLE = People(NAMES[:3], bearings_deg=BEARINGS)
GOTO = ("turn blue-2", "play tiki-goto")


def after(*texts: str) -> State:
    """Return a game of three, seat 2 dealing, after the actions *texts*."""
    state = rules.initial(3, GAME.parse_options({}, 3), GAME.setup(2))
    return Texts(rules).after(state, *texts)


def sit(*texts: str, sides: tuple[str, ...] = SIDES) -> LiveSession:
    """Return a session at that game."""
    header = open_header(game_of("uno_tiki"), NAMES[:3], {}, 2)
    live_session = LiveSession(open_log(), msgspec.structs.replace(header, sides=sides))
    for text in texts:
        live_session.referee.enter(text)
    return live_session


def pointing(frame: str, table: Table, deg: float) -> Observation:
    """Return the observation of *table*, with the idol pointing to *deg*."""
    return replace(see_table(frame, table), facts=(Pointing(deg),))


def acts(live_session: LiveSession) -> list[str]:
    """Return the texts of all that counts."""
    return [act.forms[0] for act in live_session.session.history.acts]


def asked(live_session: LiveSession) -> Ask:
    """Return what is asked."""
    question = live_session.referee.question
    assert isinstance(question, Ask)
    return question
