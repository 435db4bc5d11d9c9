"""A host at the desk, who enters a whole short round."""

from pathlib import Path

import httpx

from companion.session.log import Log
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from hardware.output_devices import OutputDevices
from tests.tables import sit_down
from tests.web.visitors import Pub, Visitor, alert


def enter(pub: Pub, host: Visitor, action: str, *parts: str) -> httpx.Response:
    """Enter *action*, whose last *parts* come from fields of their own."""
    fields = {f"part{place}": part for place, part in enumerate(parts)}
    return host.post("/enter", action=action, mark=pub.live_session.session.next_seq, **fields)


def play(pub: Pub, host: Visitor, *actions: str) -> None:
    """Enter *actions*, one after the other."""
    for action in actions:
        answer = enter(pub, host, action)
        assert answer.status_code == 303, alert(answer)


def wanted_line(pub: Pub) -> tuple[str, ...]:
    """Return what the game says stands on the table."""
    line: tuple[str, ...] = pub.live_session.session.state.line
    return line


def play_out(pub: Pub, host: Visitor) -> None:
    """Enter a whole short round: everybody toasts as soon as they may."""
    play(pub, host, "up1 lokahi", "up1 nani", "up1 wikiwiki")
    for _ in range(6):
        play(pub, host, f"toast {wanted_line(pub)[-1]}")


def session_of(pub: Pub) -> int:
    """Return the number of the session in play."""
    return pub.live_session.session.number


def begin_again(pub: Pub, host: Visitor) -> None:
    """Let the host play the same game once more."""
    answer = host.post("/again", session=session_of(pub), back="desk")
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk")


def put_away(pub: Pub, host: Visitor) -> int:
    """Let the host put the game away; return the number of its session."""
    number = session_of(pub)
    answer = host.post("/put-away", session=number)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk/new")
    return number


def resume(pub: Pub, host: Visitor, number: int) -> None:
    """Let the host go on with session *number*."""
    answer = host.post("/resume", current=session_of(pub), session=number)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk"), answer.text


def pub_of(log: Log, keys: Path) -> Pub:
    """Return pages of what *log* holds, with the keys in a file."""
    live_session, kept, outputs = sit_down(log=log), Keys("the-host's-key", keys), OutputDevices()
    return Pub(live_session, create_app(RunningTable(live_session, kept, outputs)), kept, outputs)
