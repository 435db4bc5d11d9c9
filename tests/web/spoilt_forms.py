"""Every form of every page as that sends it, and what of it may be anything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.cameras import rig_of
from companion.referee.intention import Intention
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.web.table_memory import Season
from tests.computer.seats import with_computers
from tests.referee.entering import TO_SPIN, sit
from tests.tables import see, sit_down
from tests.web.desks import begin_again
from tests.web.forms import form_of
from tests.web.visitors import Pub, Visitor
from vision.capture.camera_list import FoundCamera

Fields = dict[str, str]
WRONG: Final = ("x", "-1", "²", "1e3", "9" * 4301, "\x00", "🙂" * 40, " ", "{{7*7}}")
"""What no field is."""
CAMERA: Final = FoundCamera("usb", "046d:0825", "A webcam", "/dev/video0")
PICTURES: Final = frozenset(
    (
        *("/card-photo", "/hand-photo", "/computer/photo"),
        *(f"/card-sweep/{{key}}/{what}" for what in ("picture", "use")),
        *("/virtual/room-trial", "/virtual/room-trial/{key}/{number}"),
        *(f"/phone-camera/{what}" for what in ("begin", "glance", "whole", "away")),
    )
)
"""What takes a picture, or words in its address, and no form."""
ELSEWHERE: Final = frozenset(("/wifi", "/computer/decisive", "/virtual/begin"))
"""What only the table's own Wi-Fi answers: tests/wifi/test_portal.py spoils it; and forms without
fields, which begin a search: tests/computer/test_decisive.py; and a virtual table in the place of
a film: tests/virtual/test_play_instead.py."""


@dataclass(frozen=True)
class Case:
    """A form as its page sends it.

    sent: returns its fields.  live: returns the game.  who: "host", "seat" or "stranger".
    free: fields that may be left out and hold anything.  blank: that may be empty.
    path: where it goes, if the route's own path is none.  is_quiet: whether it changes nothing.
    wrong: what is tried in place of each field.
    """

    sent: Callable[[Pub, Visitor], Fields]
    live: Callable[[Log], LiveSession]
    who: str = "host"
    free: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    path: Callable[[Pub], str] | None = None
    is_quiet: bool = False
    wrong: tuple[str, ...] = WRONG


def line(log: Log) -> LiveSession:
    """Return Tiki Topple after two moves."""
    live_session = sit_down(log=log)
    live_session.referee.enter("up1 lokahi")
    live_session.referee.enter("up1 nani")
    return live_session


def fresh(log: Log) -> LiveSession:
    """Return Tiki Topple before the first move."""
    return sit_down(log=log)


def moved(log: Log) -> LiveSession:
    """Return Tiki Topple after the first move."""
    live_session = sit_down(log=log)
    live_session.referee.enter("up1 lokahi")
    return live_session


def doubted(log: Log) -> LiveSession:
    """Return Tiki Topple with a wrong line."""
    live_session = sit_down(4, log=log)
    tikis = live_session.session.state.line
    live_session.observe(see("1", ("nani", "lokahi", "hookipa", *tikis[3:])))
    return live_session


def meant(log: Log) -> LiveSession:
    """Return Tiki Topple, in which the companion means to move for the seat whose turn it is."""
    live_session = line(log)
    move = "up1 wikiwiki"
    live_session.mean(Intention(2, move, "Move for Cem", "Up 1", mark="m"))
    return live_session


def dealing(log: Log) -> LiveSession:
    """Return UNO Tiki, of which the companion plays seat 1 and knows no card yet."""
    return with_computers(sit("uno_tiki", "turn red-9", seats=2), "", "fair", log=log)


def spinning(log: Log) -> LiveSession:
    """Return UNO Tiki, whose idol is to be spun."""
    return sit("uno_tiki", *TO_SPIN, log=log)


def on(page: str, path: str, **chosen: str) -> Callable[[Pub, Visitor], Fields]:
    """Return what makes the fields that the one form for *path* on *page* sends."""

    def fields(_: Pub, visitor: Visitor) -> Fields:
        form = form_of(visitor.get(page), path)
        first = {name: values[0] for name, values in form.choices.items()}
        return {**first, **form.fields, **chosen}

    return fields


def exactly(**fields: str) -> Callable[[Pub, Visitor], Fields]:
    """Return what makes these fields."""
    return lambda _pub, _visitor: dict(fields)


def corrected(pub: Pub, visitor: Visitor) -> Fields:
    """Return what the page sends on which a move is corrected."""
    seq = pub.live_session.session.history.acts[0].seq
    form = form_of(visitor.get(f"/desk/correct/{seq}"), "/correct")
    return {**form.fields, "action": form.choices["action"][0]}


def instead(pub: Pub, _visitor: Visitor) -> Fields:
    """Return another last move."""
    referee = pub.live_session.referee
    known = pub.live_session.session.history.acts[-1].forms
    action = next(each for each in referee.alternatives() if each not in known)
    return {"action": action, "mark": str(pub.live_session.session.next_seq)}


def resumed(pub: Pub, visitor: Visitor) -> Fields:
    """Return what goes on with a game that was put away."""
    begin_again(pub, visitor)
    return {"current": "2", "session": "1"}


def gone_back(pub: Pub, visitor: Visitor) -> Fields:
    """Return what goes back to the last game."""
    begin_again(pub, visitor)
    return on("/desk", "/last-game")(pub, visitor)


def shown_screen(pub: Pub, _visitor: Visitor) -> Fields:
    """Return what lets a screen in that has asked."""
    assert pub.stranger().post("/screen").status_code == 303
    (sign,) = pub.app.state.site.screens.signs
    return {"sign": sign}


def joined(pub: Pub, _visitor: Visitor) -> Fields:
    """Return what a phone sends that takes a seat by the table's code."""
    return {"code": pub.keys.code, "seat": "1"}


def ended_season(pub: Pub, _visitor: Visitor) -> Fields:
    """Return what removes a season that the host has named."""
    pub.app.state.site.table.memory.keep(seasons=[Season("Ever", "2026-01-01", "2026-12-31")])
    return {"name": "Ever"}


def marked(action: str) -> Callable[[Pub, Visitor], Fields]:
    """Return what a program sends that plays *action*."""
    return lambda _pub, visitor: {
        "action": action,
        "mark": visitor.get("/api/v1/legal").json()["mark"],
    }


def linked(pub: Pub, _visitor: Visitor) -> Fields:
    """Return what a program sends that takes a seat."""
    return {"link": f"http://tiki.local:8321/join/{pub.keys.invitation(1)}"}


NEW_FREE: Final = (
    *("asked", "first", "language", "same", "rounds", "hand", "topple_last", "tie"),
    *(f"{kind}{seat}" for kind in ("name", "colour", "side", "computer") for seat in range(10)),
)
"""What the form of a new game has a usual value for, or a sentence beside the field."""
CASES: Final[Mapping[str, Case]] = {
    "/undo": Case(on("/desk", "/undo"), line),
    "/correct": Case(corrected, line),
    "/api/v1/corrections": Case(corrected, line),
    "/instead": Case(instead, line),
    "/invite": Case(exactly(seat="0"), line),
    "/learn": Case(exactly(), fresh),
    "/again": Case(on("/desk", "/again"), line, free=("sure",)),
    "/put-away": Case(on("/desk", "/put-away"), line, free=("sure",)),
    "/resume": Case(resumed, line),
    "/last-game": Case(gone_back, line),
    "/joining": Case(on("/desk", "/joining", open="0"), fresh, blank=("code",)),
    "/screens": Case(shown_screen, fresh),
    "/forget-screens": Case(exactly(), fresh, is_quiet=True),
    "/films-falls": Case(exactly(on="0"), fresh, is_quiet=True),
    "/turn-clock": Case(exactly(limit="60"), fresh),
    "/pause": Case(on("/desk", "/pause"), line),
    "/teach": Case(exactly(lesson="idol", press="count 0"), spinning),
    "/enter": Case(exactly(action="up1 wikiwiki", mark="3"), line),
    "/computer/done": Case(on("/desk", "/computer/done"), meant),
    "/computer/seat": Case(exactly(seat="1", player="fair", session="1"), line),
    "/computer/cards": Case(exactly(seat="1", card="red-7", place="1"), dealing),
    "/coach": Case(exactly(hints="on"), fresh, "seat"),
    "/choose": Case(exactly(choice="0"), doubted),
    "/table-is-right": Case(exactly(), doubted),
    "/game-is-right": Case(exactly(), doubted),
    "/api/v1/tell": Case(exactly(action="up1 wikiwiki"), line),
    "/api/v1/join": Case(linked, fresh, "stranger"),
    "/api/v1/play": Case(marked("up1 lokahi"), fresh, "seat"),
    "/api/tell": Case(exactly(action="undo"), line),
    "/new": Case(on("/desk/new", "/new", step="start"), line, free=NEW_FREE),
    "/join/{key}": Case(
        exactly(), fresh, "stranger", path=lambda pub: f"/join/{pub.keys.invitation(1)}"
    ),
    "/join": Case(joined, fresh, "stranger", free=("code",)),  # a wrong one is a guess, and counted
    "/seat": Case(on("/seat", "/seat", top9="nani", middle5="huhu", bottom2="nui"), fresh, "seat"),
    "/take-back": Case(on("/seat", "/take-back"), moved, "seat"),
    "/language": Case(exactly(language="de", back="/desk"), line, free=("back",), is_quiet=True),
    "/screen": Case(exactly(), fresh, "stranger"),
    "/set-up/camera": Case(exactly(camera=rig_of(CAMERA)), fresh),
    "/set-up/learn": Case(exactly(position="put-up"), fresh),
    "/set-up/lens": Case(exactly(), fresh),
    "/set-up/phone": Case(exactly(phone="invite"), fresh),
    "/people/keep": Case(exactly(keep="yes"), fresh),
    "/people/forget": Case(exactly(person="Ann"), fresh),
    "/people/forget-all": Case(exactly(all="yes"), fresh),
    "/people/season": Case(
        exactly(name="Ever", first="2026-01-01", last="2026-12-31"), fresh, free=("name",)
    ),
    "/people/forget-season": Case(ended_season, fresh),
    "/card-sweep": Case(exactly(kind="card"), fresh, "seat", is_quiet=True),
}
