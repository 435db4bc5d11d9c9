"""What programs are sent, as JSON schemas made from the very types that it is made of."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

from companion.referee.follower import GAP
from companion.referee.game_record import RecordHeader
from companion.referee.notices import FOR_PAGES, Ask, Illegal, Result, Waiting
from companion.referee.transient_notices import TransientNotice
from companion.scoreboard import SEAT_NOTICE, Scoreboard
from companion.session.events import KINDS, LEFT_OUT_IF_EMPTY, PRIVATE
from companion.web.api.exporting import GameList, GameStep
from companion.web.api.playing import Joined, LegalList, SeatView
from companion.web.pages.correcting import CorrectionList

Schema = dict[str, Any]
REF: Final = "#/components/schemas/{name}"
NOTICES: Final = (Waiting, Illegal, Ask, Result, TransientNotice)
_LEFT_OUT: Final[Mapping[type, tuple[str, ...]]] = {Illegal: ("candidates", "clause")}
"""What a notice has only if there is something to say; see `notice_to_json`."""
_SECTION: Final = re.compile(
    r"(?:^|\s\s|\n)((?:\w+, )*\w+): (.+?)(?=(?:\s\s|\n)(?:\w+, )*\w+: |\Z)", re.DOTALL
)
TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "integer"}


def ref(name: str) -> Schema:
    """Return the schema that stands for the one called *name*."""
    return {"$ref": REF.format(name=name)}


@cache
def schemas() -> dict[str, Schema]:
    """Return all schemas by name."""
    answers = (Scoreboard, GameList, GameStep, CorrectionList, LegalList, SeatView, Joined)
    kinds = (*answers, RecordHeader, *KINDS.values(), *NOTICES)
    _, found = msgspec.json.schema_components(kinds, ref_template=REF)
    entries = [_entry(found[kind.__name__], tag) for tag, kind in KINDS.items()]
    names = {kind.__name__ for kind in KINDS.values()}
    for name in FOR_PAGES:
        found["Candidate"]["properties"].pop(name, None)
    for name, schema in found.items():
        if name not in names and name != RecordHeader.__name__:
            schema["required"] = list(schema["properties"])
        _describe(schema)
    # In the scoreboard a notice stands alone, on the stream it has its type with it.
    notices = {each.type.capitalize(): _notice(found[each.__name__], each) for each in NOTICES}
    found |= notices
    found["RecordHeader"]["required"] = ["type", *RecordHeader.__struct_fields__]
    more = {"State": _state(), "SeatNotice": _seat_notice(), "Gap": _gap()}
    events = [*(each["title"] for each in entries), *notices, *more]
    found |= more
    found["Event"] = {
        "title": "Event",
        "description": "Any item of the event stream; `type` tells which.",
        "oneOf": [ref(name) for name in events],
    }
    record = ["RecordHeader", *(each["title"] for each in entries), "Result"]
    found["RecordLine"] = {
        "title": "RecordLine",
        "description": "A line of a game record: the header first, the result last.",
        "oneOf": [ref(name) for name in record],
    }
    return found | _answers()


def _describe(schema: Schema) -> None:
    """Give each field what the docstring of its type says of it."""
    words = schema.get("description", "")
    first, _, rest = words.partition("\n")
    schema["description"] = first.strip()
    for names, said in _SECTION.findall(rest):
        for name in names.split(", "):
            if name in schema["properties"]:
                text = " ".join(said.split())
                was = schema["properties"][name]
                # What stands beside a reference would be lost in older readers.
                if "$ref" not in was:
                    was["description"] = text
    for each in schema["properties"].values():
        each.pop("default", None)


def _entry(schema: Schema, tag: str) -> Schema:
    """Make of an event's schema the one of what is told of its entry, see `public_json`."""
    hidden = PRIVATE.get(tag, ())
    fields = schema["properties"]
    schema["required"] = [
        "type", "seq",
        *(name for name in fields if name not in ("type", *hidden, *LEFT_OUT_IF_EMPTY)), "at",
    ]  # fmt: skip
    fields |= {
        "seq": {**NUMBER, "description": "the number of the entry, from 1 without gaps"},
        "at": {**TEXT, "description": "when it was accepted, ISO 8601 in UTC"},
    }
    fields["type"] = {"const": tag}
    return schema


def _notice(schema: Schema, kind: Any) -> Schema:
    """Return the schema of a notice on the stream; *schema*: of what it is made of."""
    sent = {name: of for name, of in schema["properties"].items() if name not in FOR_PAGES}
    fields = {"type": {"const": kind.type}, **sent}
    left_out = _LEFT_OUT.get(kind, ())
    return {
        **schema,
        "title": kind.type.capitalize(),
        "properties": fields,
        "required": [name for name in fields if name not in left_out],
        "additionalProperties": False,
    }


def _state() -> Schema:
    return {
        "title": "State",
        "description": "Always first on the stream: the whole scoreboard.",
        "allOf": [ref("Scoreboard")],
        "type": "object",
        "properties": {"type": {"const": "state"}},
        "required": ["type"],
    }


def _object(title: str, words: str, fields: Mapping[str, Schema], *left_out: str) -> Schema:
    return {
        "title": title,
        "description": words,
        "type": "object",
        "properties": dict(fields),
        "required": [name for name in fields if name not in left_out],
        "additionalProperties": False,
    }


def _seat_notice() -> Schema:
    fields = {
        "type": {"const": SEAT_NOTICE},
        "seat": NUMBER,
        "what": {"enum": ["joined", "invited"]},
        "session": NUMBER,
        "message": TEXT,
    }
    words = "A phone has joined a seat, or the host has made a new link to one."
    return _object("SeatNotice", words, fields)


def _gap() -> Schema:
    fields = {"type": {"const": GAP}, "session": NUMBER, "seq": NUMBER, "message": TEXT}
    return _object("Gap", "Notices after that entry are missing here.", fields)


def _answers() -> dict[str, Schema]:
    """Return the schemas of the small answers."""
    scores = {"type": "object", "additionalProperties": NUMBER, "description": "by player’s name"}
    told = {"told": TEXT, "next": TEXT, "scores": scores}
    clause = {**TEXT, "description": "of the rules that forbid it, if one does"}
    asked = {"error": TEXT, "clause": clause, "question": ref("Ask")}
    words = "Why nothing was entered; `question`: what people have to answer first, if anything."
    return {
        "Told": _object("Told", "What was entered, and what comes next.", told, "next", "scores"),
        "NotEntered": _object("NotEntered", words, asked, "clause", "question"),
        "Problem": _object(
            "Problem", "Why nothing was done.", {"error": TEXT, "clause": clause}, "clause"
        ),
    }
