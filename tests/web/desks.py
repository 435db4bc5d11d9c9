"""A host at the desk, who enters a whole short round."""

import httpx

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
