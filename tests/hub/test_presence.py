"""Which tables are there, and two of one name, by what they say at the broker."""

from contextlib import closing
from datetime import datetime
from pathlib import Path

from companion.apps.hub.presence import Change, Presence, keep_changes
from companion.apps.hub.published import Availability, Claim
from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.apps.mqtt.messages import decode
from companion.apps.mqtt.topics import Topics
from tests.hub.publishing import NOON, minutes, open_database, table
from tests.mqtt.tables import Pause, play, publishing, until
from tests.tables import sit_down

ONE, OTHER = "11111111", "22222222"


def said(presence: Presence, instance: str, state: str = "online", now: datetime = NOON) -> Change:
    """Hear that *instance* says it is there, or that it is not."""
    return presence.availability("bar", Availability(state, instance), now)


def test_a_table_that_restarts_is_one_table() -> None:
    """In good order, by its will, and after a power cut, when another instance comes at once."""
    presence = Presence()
    for instance, state in (
        (ONE, "online"), (ONE, "offline"), (OTHER, "online"), ("33333333", "online"),
    ):  # fmt: skip
        assert not said(presence, instance, state).twin


def test_two_that_take_turns_are_two_tables() -> None:
    """The first says again that it is there."""
    presence = Presence()
    said(presence, ONE)
    assert not said(presence, OTHER).twin
    assert said(presence, ONE).twin


def test_one_that_defends_its_name_has_a_twin() -> None:
    """It answers to another one's claim at once; its own claim is answered by nobody."""
    presence = Presence()
    said(presence, ONE)
    presence.claim("bar", Claim(ONE), NOON)
    assert not said(presence, ONE).twin
    presence.claim("bar", Claim(OTHER), NOON)
    assert not said(presence, ONE, now=minutes(5)).twin
    presence.claim("bar", Claim(OTHER), minutes(6))
    assert said(presence, ONE, now=minutes(6)).twin


def test_since_when_a_table_is_away_is_kept(tmp_path: Path) -> None:
    """It changes when the table comes or goes, not when it says so again."""
    with closing(open_database(tmp_path)) as database:
        for change, now, online, since in (
            (Change(is_online=True, instance=ONE), minutes(0), True, minutes(0)),
            (Change(is_online=True, instance=ONE), minutes(1), True, minutes(0)),
            (Change(is_online=False), minutes(2), False, minutes(2)),
            (Change(is_online=False), minutes(3), False, minutes(2)),
        ):
            with database.write() as session:
                keep_changes(session, {"bar": change}, now)
            assert (table(database).is_online, table(database).since) == (online, since)


def test_what_real_tables_of_one_name_say_is_understood() -> None:
    """The second is refused by the first; from their messages alone the hub sees both."""
    broker, presence = FakeBroker(), Presence()
    topics = Topics("tiki", "bar")

    async def part() -> None:
        async with publishing(sit_down(3), broker, client_id="one", pause=Pause()):
            await until(lambda: topics.state in broker.kept)
            assert not any(heard(presence, broker.published))
            second = sit_down(2)
            async with publishing(second, broker, client_id="two", pause=Pause()):
                await until(lambda: second.troubles)
            assert any(heard(presence, broker.published))

    play(part)


def heard(presence: Presence, messages: list[Message]) -> list[bool]:
    """Return of each availability whether it tells of a second table; all are taken away."""
    found = []
    while messages:
        message = messages.pop(0)
        thing = decode(message.payload)
        if message.topic.endswith("/claim"):
            presence.claim("bar", Claim(thing["instance"]), NOON)
        elif message.topic.endswith("/availability"):
            found.append(said(presence, thing["instance"], thing["state"]).twin)
    return found
