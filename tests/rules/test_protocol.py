"""`tiki rules GAME`: the conversation, its examples in docs/rules, and bad input."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.rules import converse
from companion.registry import GAMES, game_of
from companion.rules import tiki_topple
from companion.rules.protocol import MAX_LINE_CHARS, Conversation

DOCS = Path(__file__).parents[2] / "docs" / "rules"
FUZZ = 300


def ask(conversation: Conversation, **request: Any) -> Any:
    """Return the answer to *request*, parsed."""
    return json.loads(conversation.answer(json.dumps(request)))


def talk(game: str, seats: int = 2, **new: Any) -> Conversation:
    """Return a conversation in which a game has begun."""
    conversation = Conversation(game_of(game).rules)
    assert ask(conversation, op="new", seats=seats, **new)["ok"]
    return conversation


def matches(pattern: str, answer: str) -> bool:
    """Tell whether *answer* is *pattern*, in which `...` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), answer) is not None


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_conversation_in_the_docs_runs(game: str) -> None:
    """Each `>` line is sent, each `<` line is the answer."""
    page = (DOCS / f"{game}.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith(("> ", "< "))]
    assert len(lines) >= 8
    conversation = Conversation(game_of(game).rules)
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        assert request.startswith("> ")
        told = conversation.answer(request[2:])
        assert matches(answer[2:], told), told


def test_the_comparison_with_the_docs_can_fail() -> None:
    """The dots stand for anything, the rest for itself."""
    assert matches('{"ok":true,...}', '{"ok":true,"turn":0}')
    assert not matches('{"ok":true,...}', '{"ok":false,"turn":0}')
    assert not matches('{"ok":true}', '{"ok":true,"turn":0}')


@pytest.mark.parametrize("game", sorted(GAMES))
def test_undo_is_exact(game: str) -> None:
    """Every state comes back, down to the start, and no further."""
    rng = Random(3)
    conversation = talk(game)
    told = [ask(conversation, op="state")]
    for _ in range(12):
        actions = ask(conversation, op="legal")["actions"]
        if not actions:
            break
        told.append(ask(conversation, op="apply", action=rng.choice(actions)))
        assert told[-1] == ask(conversation, op="state")
    while len(told) > 1:
        told.pop()
        assert ask(conversation, op="undo") == told[-1]
    refusal = ask(conversation, op="undo")
    assert refusal["error"] == "NothingToUndo"
    assert refusal["message"] == "this is the start of the game"
    assert ask(conversation, op="state") == told[0]


def test_an_action_is_its_text_or_its_object() -> None:
    """Both forms lead to the same state."""
    line = {"line": list(tiki_topple.TIKIS)}
    texts, objects = talk("tiki_topple", setup=line), talk("tiki_topple", setup=line)
    thing = {"type": "played", "card": "up1", "tiki": "huhu"}
    assert ask(texts, op="apply", action="up1 huhu") == ask(objects, op="apply", action=thing)


def test_an_illegal_action_names_its_clause() -> None:
    """The refusal has error, message and clause, and the state stays."""
    conversation = talk("tiki_topple", setup={"line": list(tiki_topple.TIKIS)})
    before = ask(conversation, op="state")
    refusal = ask(conversation, op="apply", action="toast nui")
    assert refusal == {
        "ok": False,
        "error": "IllegalAction",
        "message": "nobody may play a Toast as their first card of a round",
        "clause": "TT-8",
    }
    assert ask(conversation, op="state") == before


def test_the_end_of_a_game_is_told() -> None:
    """Scores, winners and the clause, with the action that ended it and whenever asked."""
    conversation = talk("score_sheet", options={"rounds": 1})
    assert ask(conversation, op="apply", action="points 0 5")["outcome"] is None
    told = ask(conversation, op="apply", action="points 1 7")
    assert told["outcome"] == {"scores": [5, 7], "winners": [1], "ended_by": "SS-3"}
    assert ask(conversation, op="state") == told


@pytest.mark.parametrize("op", ["legal", "apply", "state", "view", "undo"])
def test_there_is_no_game_before_new(op: str) -> None:
    """Every other request is refused until a game has begun."""
    request = {"op": op, "action": "up1 nani"} if op == "apply" else {"op": op}
    refusal = ask(Conversation(tiki_topple), **request)
    assert refusal["error"] == "NoGame"
    assert refusal["message"] == "no game yet; begin one with op new"


def test_a_refused_new_keeps_the_game() -> None:
    """Five seats begin nothing and end nothing."""
    conversation = talk("tiki_topple")
    before = ask(conversation, op="state")
    assert ask(conversation, op="new", seats=5)["error"] == "InvalidSetup"
    assert ask(conversation, op="state") == before


REFUSALS = {"InvalidRequest", "InvalidAction", "InvalidSetup", "IllegalAction"}
NO_JSON = "the line is not JSON: "
NO_OBJECT = 'a request is an object such as {"op":"new","seats":4}'
NO_OP = "op is one of new, legal, apply, state, view, undo, not "
NO_UTF_8 = "the line is not valid UTF-8"
TOO_DEEP = "the line is nested too deeply"
TOO_LONG = f"the line is longer than {MAX_LINE_CHARS} characters"
FULL_LINE = b'{"op":"state"}'.ljust(MAX_LINE_CHARS)
BAD_LINES: list[tuple[bytes, str]] = [
    *((line, NO_JSON) for line in (b"", b" ", b"x", b"{", b"\x00" * 10)),
    *((line, NO_OBJECT) for line in (b"[]", b"1", b"null", b'"new"')),
    *((line, NO_OP) for line in (b"{}", b'{"op":1}', b'{"op":["new"]}', b'{"op":"fly"}')),
    (b'{"op":"state","x":1}', "op state takes nothing else, not 'x'"),
    (b'{"op":"new"}', "op new needs 'seats'"),
    (b'{"op":"new","seats":NaN}', f"{NO_JSON}NaN is not a JSON number"),
    (b'{"op":"new","seats":1e999}', ""),
    (b'{"op":"new","seats":3.0}', "players, not 3.0"),
    (b'{"op":"new","seats":true}', "players, not True"),
    (b'{"op":"new","seats":' + b"9" * 5000 + b"}", ""),
    (b'{"op":"new","seats":' + b"9" * 4000 + b"}", "not 999"),
    (b'{"op":"new","seats":2,"options":[]}', "options is an object, not []"),
    (b'{"op":"new","seats":2,"setup":"x"}', "setup is an object, not 'x'"),
    (b'{"op":"new","seats":2,"option":{}}', "op new takes options, seats, setup, not 'option'"),
    (b'{"op":"new","seats":2,"options":{"\\ud800":1}}', ""),
    (b'{"op":"new","seats":2,"setup":{"\\ud800":1}}', ""),
    (b'{"op":"apply"}', "op apply needs 'action'"),
    (b'{"op":"apply","action":null}', ""),
    (b'{"op":"apply","action":{}}', ""),
    (b'{"op":"apply","action":"\\ud800 nani"}', ""),
    (b'{"op":"apply","action":"' + b"x" * 5000 + b'"}', "x' is not an action"),
    (b'{"op":"view","seat":2}', "seat is a number from 0 to 1 or null, not 2"),
    (b'{"op":"view","seat":-1}', "seat is a number from 0 to 1 or null, not -1"),
    (b'{"op":"view","seat":true}', "or null, not True"),
    (b'{"op":"view","seat":{}}', "or null, not {}"),
    (b'\xff\xfe{"op":"state"}', NO_UTF_8),
    (b'{"op":"apply","action":"\xc3"}', NO_UTF_8),
    (b'\xef\xbb\xbf{"op":"state"}', NO_JSON),
    (b'{"op":"apply","action":' + b"[" * 900 + b"]" * 900 + b"}", ""),
    (b'{"op":"new","seats":' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}", ""),
    *((line, TOO_DEEP) for line in (b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000)),
    (FULL_LINE + b" ", TOO_LONG),
]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_bad_line_gets_one_refusal(game: str) -> None:
    """One line of ASCII JSON that says what would be right; the state has not changed."""
    conversation = talk(game)
    before = ask(conversation, op="state")
    for line, words in BAD_LINES:
        answer = conversation.answer(line)
        assert answer.isascii(), line[:80]
        assert "\n" not in answer, line[:80]
        refusal = json.loads(answer)
        assert refusal["ok"] is False, line[:80]
        assert refusal["error"] in REFUSALS, line[:80]
        assert 0 < len(refusal["message"]) < 400, line[:80]
        assert words in refusal["message"], line[:80]
        assert ask(conversation, op="state") == before, line[:80]
    assert json.loads(conversation.answer(FULL_LINE)) == before
    assert ask(conversation, op="view", seat=0)["ok"]


WORDS = [
    *("op", "new", "apply", "legal", "state", "view", "undo", "seats", "options", "setup", "seat"),
    *("action", "type", "card", "tiki", "line", "rounds", "first", "hand", "cards", "nani", "up1"),
    *("deck", "decks", "deal", "dealer", "goals", "goal", "pile", "ranks", "field", "from", "to"),
    *("colour", "target", ""),
]


def random_thing(rng: Random, texts: list[str], depth: int = 0) -> Any:
    """Return a random JSON value, often built from words that mean something."""
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return rng.choice((None, True, False, 0.5, -1, 2**70, 1e300))
    if kind <= 2:
        return rng.randrange(-1, 8)
    if kind <= 4:
        return rng.choice(WORDS)
    if kind == 5:
        return rng.choice(texts)
    if kind == 6:
        return [random_thing(rng, texts, depth + 1) for _ in range(rng.randrange(6))]
    keys = rng.choices(WORDS, k=rng.randrange(5))
    return {key: random_thing(rng, texts, depth + 1) for key in keys}


def random_line(rng: Random, texts: list[str], known: dict[str, Any]) -> str:
    """Return a random request that is nearly right, or no request at all."""
    if rng.random() < 0.15:
        return json.dumps(random_thing(rng, texts))
    op = rng.choice(("new", "apply", "apply", "apply", "view", "legal", "state", "undo"))
    request: dict[str, Any] = {"op": op}
    if op == "apply":
        request["action"] = random_thing(rng, texts)
        if isinstance(request["action"], dict):
            request["action"]["type"] = rng.choice(known["types"])
    elif op == "view":
        request["seat"] = random_thing(rng, texts)
    elif op == "new":
        request["seats"] = random_thing(rng, texts, 2)
        names = rng.choices(known["options"], k=2)
        request["options"] = {name: random_thing(rng, texts) for name in names}
        request["setup"] = random_thing(rng, texts)
    line = json.dumps(request)
    if rng.random() < 0.1:
        cut = rng.randrange(len(line))
        line = line[:cut] + rng.choice('{}[]",:x\\\0é') + line[cut + rng.randrange(2) :]
    return line


@pytest.mark.parametrize("game", sorted(GAMES))
def test_random_lines_get_an_answer_each(game: str) -> None:
    """Whatever is sent, there is an answer, and refusals change nothing."""
    rng = Random(11)
    rules = game_of(game).rules
    conversation = talk(game)
    start = ask(conversation, op="state")["state"]
    listed = ask(conversation, op="legal")["actions"][:20]
    texts = [rules.format_action(rules.action_from_json(action)) for action in listed]
    known = {
        "options": [*start["options"], "rounds"],
        "types": sorted({action["type"] for action in listed} | {"played", "placed", "moved"}),
    }
    state = ask(conversation, op="state")
    for _ in range(FUZZ):
        answer = conversation.answer(random_line(rng, texts, known))
        told = json.loads(answer)
        assert "\n" not in answer
        if told["ok"]:
            state = ask(conversation, op="state")
        else:
            assert told["message"]
            assert ask(conversation, op="state") == state


def test_every_line_of_the_stream_is_answered() -> None:
    """Long lines, a lone CR and a last line without its end too."""
    lines = [b'{"op":"new","seats":2}\n', b"\n", b"\r\n", b"x" * (9 * MAX_LINE_CHARS) + b"\n"]
    lines += [b'{"op":"legal"}\r\n', b'{"op":"state"}']
    answers = io.BytesIO()
    converse(Conversation(tiki_topple), io.BytesIO(b"".join(lines)), answers)
    told = [json.loads(line)["ok"] for line in answers.getvalue().splitlines()]
    assert told == [True, False, False, False, True, True]


def run(game: str) -> "subprocess.Popen[bytes]":
    """Start the command on its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "companion.cli.rules", game],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=DOCS.parents[1],
    )


def test_the_command_answers_at_once_and_ends_with_its_input() -> None:
    """Each answer is flushed before the next line is read; exit status 0."""
    with run("tiki_topple") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (b'{"op":"new","seats":3}\n', b"\xff\n"):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().startswith(b'{"ok":')
        out, err = process.communicate()
        assert (out, err, process.returncode) == (b"", b"", 0)


def test_a_closed_pipe_is_quiet() -> None:
    """Nobody reads the answers: no traceback."""
    with run("tiki_topple") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        try:
            process.stdin.write(b'{"op":"new","seats":3}\n' * 500)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_an_unknown_game_is_named() -> None:
    """The games are listed, without a traceback."""
    with run("chess") as process:
        _, err = process.communicate()
        assert process.returncode == 2
        assert b"tiki_topple" in err
        assert b"Traceback" not in err
