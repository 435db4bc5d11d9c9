"""What the table is told over MQTT, and what is said when the broker refuses."""

import asyncio
import logging

import pytest

from companion.apps.mqtt.broker import Message
from companion.apps.mqtt.discovery import Discovery
from companion.apps.mqtt.fake_broker import FakeBroker
from companion.referee.live_session import LiveSession
from tests.mqtt.tables import TOPICS, actions, played, publishing, until
from tests.tables import sit_down

UNDO = Message(TOPICS.command, b"undo")


def words_of(live_session: LiveSession) -> str:
    """Return what is announced at the table now."""
    shown = live_session.transient_notice
    return shown.words if shown else ""


@pytest.mark.parametrize("commands", [True, False])
@played
async def test_a_move_is_taken_back_only_if_the_settings_allow_it(commands: bool) -> None:
    """Whoever may write to the broker could change the game."""
    broker, live_session = FakeBroker(), sit_down(3)
    live_session.referee.enter(actions()[0])
    async with publishing(live_session, broker, discovery=Discovery(commands=commands)):
        await until(lambda: TOPICS.state in broker.kept)
        broker.take(UNDO)
        if commands:
            await until(lambda: not live_session.session.history.acts)
            assert words_of(live_session) == "Taken back"
            broker.take(UNDO)
            await until(lambda: words_of(live_session) == "There is nothing to take back")
        else:
            await asyncio.sleep(0.05)
            assert live_session.session.history.acts


@played
async def test_other_commands_and_those_that_were_kept_do_nothing() -> None:
    """A command that the broker kept may be days old."""
    broker, live_session = FakeBroker(), sit_down(3)
    live_session.referee.enter(actions()[0])
    broker.take(UNDO, retain=True)
    async with publishing(live_session, broker, discovery=Discovery(commands=True)):
        await until(lambda: TOPICS.state in broker.kept)
        for payload in (b"", b"UNDO", b"undo ", b"redo", b"\xff"):
            broker.take(UNDO._replace(payload=payload))
        await asyncio.sleep(0.05)
    assert live_session.session.history.acts


@played
async def test_a_broker_that_refuses_is_named_once_and_the_game_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """On the page and in the log; the words go when it lets the table in."""
    caplog.set_level(logging.WARNING)
    broker, live_session = FakeBroker(), sit_down(3)
    broker.refuses = "the broker refuses the password; correct it"
    words = f"{broker.refuses}. The game goes on"
    async with publishing(live_session, broker):
        await until(lambda: live_session.troubles)
        assert live_session.troubles == (f"MQTT: {words}",)
        for move in actions()[:4]:
            live_session.referee.enter(move)
            await asyncio.sleep(0.03)
        broker.refuses = ""
        await until(lambda: not live_session.troubles)
        await until(lambda: TOPICS.state in broker.kept)
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"MQTT: {words}"]


@played
async def test_a_topic_that_may_not_be_written_is_named() -> None:
    """The connection stands, but the broker's access list forbids it."""
    broker, live_session = FakeBroker(denied=[TOPICS.events]), sit_down(3)
    live_session.referee.enter(actions()[0])
    async with publishing(live_session, broker):
        await until(lambda: live_session.troubles)
        assert "write to tiki/bar/events" in live_session.troubles[0]


@played
async def test_a_fault_of_our_own_is_told_and_publishing_begins_anew(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody has to start the companion again for it."""
    broker, live_session = FakeBroker(), sit_down(3)
    with monkeypatch.context() as patch:
        patch.setattr("companion.apps.mqtt.publisher.state_message", lambda *_: 1 / 0)
        async with publishing(live_session, broker):
            await until(lambda: live_session.troubles)
            assert live_session.troubles[0].startswith("MQTT: publishing has failed")
            patch.undo()
            await until(lambda: TOPICS.state in broker.kept)
            await until(lambda: not live_session.troubles)
    assert "ZeroDivisionError" in caplog.text


@played
async def test_a_short_outage_is_not_worth_a_word() -> None:
    """It is told only if the next try fails as well."""
    broker, live_session = FakeBroker(), sit_down(3)
    told: list[str] = []
    live_session.on_change.add(lambda: told.extend(live_session.troubles))
    async with publishing(live_session, broker):
        await until(lambda: TOPICS.state in broker.kept)
        broker.cut("bar")
        broker.kept.pop(TOPICS.state)
        await until(lambda: TOPICS.state in broker.kept)
        assert told == []
        broker.stop()
        await until(lambda: live_session.troubles)
        broker.start()
        await until(lambda: not live_session.troubles)
