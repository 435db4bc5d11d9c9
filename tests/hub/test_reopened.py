"""A game that is reopened at a table, told to the hub: no result counts twice."""

from contextlib import closing
from pathlib import Path

from companion.apps.hub.overview import read_standings
from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.fake_broker import FakeBroker
from tests.hub.publishing import keep, open_database
from tests.mqtt.reader import logged
from tests.mqtt.tables import TOPICS, at_end, played, publishing, read, until
from tests.referee.entering import sit, tell


@played
async def test_a_reopened_game_counts_once_as_it_ends_at_last(tmp_path: Path) -> None:
    """Ann has won, then nobody has, then Bob; taken back in play it is the same."""
    broker = FakeBroker()
    live_session = sit("score_sheet", "points 0 12", "points 1 8", "end", seats=2)

    def won() -> dict[str, tuple[int, int]]:
        events = [Message(each.topic, each.payload) for each in broker.published]
        with closing(open_database(tmp_path, f"{len(events)}.db")) as database:
            keep(database, *(each for each in events if each.topic == TOPICS.events))
            with database.read() as session:
                return {line.name: (line.games, line.won) for line in read_standings(session)}

    async with publishing(live_session, broker):
        await until(lambda: at_end(broker, live_session))
        assert won() == {"Ann": (1, 1), "Bob": (1, 0)}
        live_session.renew(live_session.header, "the same once more")
        live_session.resume(1, "not over yet", reopen=True)
        await until(lambda: at_end(broker, live_session))
        assert won() == {}
        tell(live_session, "points 1 30", "points 0 1", "end")
        live_session.changed()
        await until(lambda: at_end(broker, live_session))
        assert won() == {"Ann": (1, 0), "Bob": (1, 1)}
        live_session.referee.undo()
        live_session.changed()
        await until(lambda: at_end(broker, live_session))
        assert won() == {}
    assert read(broker).entries == logged(live_session.log)
    assert (read(broker).doubles, read(broker).missed) == (0, [])
