"""The addresses at which programs follow and correct the game at the table."""

from typing import Final

from companion.language.message import say
from companion.web.api.address import EVENTS, WAIT, Address, Answer, Asked, form_refusals
from companion.web.api.exporting import JSON_LINES
from companion.web.api.schemas import NUMBER, TEXT, ref
from companion.web.http.versions import BASE, both

NUMBERED: Final = Asked("number", "path", say("The number of the game."), NUMBER)
NO_GAME: Final = Answer(404, say("There is no game with that number, or it has no such step."))
UNREADABLE: Final = Answer(409, say("That game was saved by another version of the companion."))


def table_addresses() -> tuple[Address, ...]:
    """Return these addresses."""
    return (
        _state(),
        _events(),
        _tell(),
        _corrections(),
        _correct(),
        _display(),
        _games(),
        _step(),
        _record(),
        _document(),
    )


def _state() -> Address:
    return Address(
        "state",
        both("/state"),
        say("The scoreboard: who plays, the points, the table, the questions, the moves."),
        (Answer(200, say("The current scoreboard."), schema=ref("Scoreboard")),),
        "{place}/api/v1/state",
    )


def _events() -> Address:
    return Address(
        "events",
        both("/events"),
        say(
            "Everything that happens, as server-sent events. The first one is the scoreboard."
            " Each event has an id; reconnect with the last one and you miss nothing."
        ),
        (Answer(200, say("An endless stream."), EVENTS, ref("Event")),),
        "--no-buffer --max-time 2 -H 'Last-Event-ID: 0' {place}/api/v1/events",
        asked=(
            Asked(
                "Last-Event-ID",
                "header",
                say("The id of the last event that you received. 0 is the beginning of the game."),
                TEXT,
            ),
            Asked(
                "last_event_id",
                "query",
                say(
                    "The same, for whoever cannot send that header, such as a new EventSource."
                    " If both are there, the header counts."
                ),
                TEXT,
            ),
        ),
    )


def _display() -> Address:
    return Address(
        "display",
        (f"{BASE}/display.png", "/display.png"),
        say("A picture of what the score display shows."),
        (Answer(200, say("The picture."), "image/png", {}),),
        "-o display.png {place}/api/v1/display.png",
    )


def _games() -> Address:
    return Address(
        "games",
        (f"{BASE}/games",),
        say("All games saved here, the newest first."),
        (Answer(200, say("The list."), schema=ref("GameList")),),
        "{place}/api/v1/games",
    )


def _step() -> Address:
    return Address(
        "step",
        (f"{BASE}/games/{{number}}",),
        say("A game as it stood after one of its steps. Step 0 is the beginning."),
        (
            Answer(200, say("The game at that step."), schema=ref("GameStep")),
            NO_GAME,
            UNREADABLE,
        ),
        "'{place}/api/v1/games/1?step=0'",
        asked=(
            NUMBERED,
            Asked("step", "query", say("The step to show; the last one if left out."), NUMBER),
        ),
    )


def _record() -> Address:
    return Address(
        "record",
        (f"{BASE}/games/{{number}}/record",),
        say("A whole game as a file: lines of JSON, which another companion can import."),
        (
            Answer(200, say("The record."), JSON_LINES, ref("RecordLine")),
            Answer(403, say("Only the host can have the full record.")),
            NO_GAME,
            Answer(409, say("The game is not finished, so there is no full record yet.")),
        ),
        "-o game.jsonl {place}/api/v1/games/1/record",
        asked=(
            NUMBERED,
            Asked(
                "full",
                "query",
                say("Hidden cards and ranks too: only for the host, of a finished game."),
                TEXT,
            ),
        ),
    )


def _document() -> Address:
    return Address(
        "document",
        both("/openapi.json"),
        say("This description, as OpenAPI 3.1."),
        (Answer(200, say("The description."), schema={"type": "object"}),),
        "{place}/api/openapi.json",
    )


def _tell() -> Address:
    return Address(
        "tell",
        both("/tell"),
        say(
            "Tells the companion what happened at the table, like the command “tiki tell”. It"
            " needs the host’s key."
        ),
        (
            Answer(200, say("What was entered, and what comes next."), schema=ref("Told")),
            Answer(
                409,
                say("Nothing was entered: the rules forbid it, or a question is still open."),
                schema=ref("NotEntered"),
            ),
            *form_refusals(),
        ),
        "-H \"Authorization: Bearer $KEY\" -d action='up1 nani' {place}/api/v1/tell",
        form={
            "action": say("An action, written as in the rules; or undo, or pause."),
            "sensor": say("What a simulated sensor reports, instead of an action."),
        },
        sent={"action": "undo"},
        keys=("host",),
    )


MOVE: Final = Asked("seq", "path", say("The number of the move in the log."), NUMBER)


def _corrections() -> Address:
    return Address(
        "corrections",
        (f"{BASE}/corrections/{{seq}}",),
        say(
            "What a move may have been instead, so that all later moves still fit; the likeliest"
            " first. It needs the host’s key."
        ),
        (
            Answer(200, say("The list."), schema=ref("CorrectionList")),
            Answer(403, say("The key is missing or wrong.")),
            Answer(404, say("That move no longer counts.")),
            Answer(429, WAIT),
        ),
        '-H "Authorization: Bearer $KEY" {place}/api/v1/corrections/1',
        asked=(MOVE,),
        keys=("host",),
    )


def _correct() -> Address:
    return Address(
        "correct",
        (f"{BASE}/corrections",),
        say("Puts another move in the place of an earlier one. It needs the host’s key."),
        (
            Answer(200, say("What was entered, and what comes next."), schema=ref("Told")),
            Answer(409, say("That move does not fit there, or the game has changed meanwhile.")),
            *form_refusals(),
        ),
        "-H \"Authorization: Bearer $KEY\" -d seq=1 -d mark=2 -d action='up1 nani'"
        " {place}/api/v1/corrections",
        form={
            "seq": say("The number of the move in the log."),
            "action": say("What it was, as the list of corrections has it."),
            "mark": say("The mark of that list."),
        },
        sent={"seq": "1", "action": "up1 nani", "mark": "2"},
        needs_all=True,
        keys=("host",),
    )
