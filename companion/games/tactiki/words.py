"""TacTiki in words: what happened, how an attack went, and why the game was drawn."""

from collections.abc import Sequence
from typing import Final

from companion.language.message import Message, capitalised, listed, say, say_count
from companion.referee.game import EMPTY
from companion.rules.tactiki import TRIBES, State, field_name
from companion.rules.tactiki.pieces import SIZE, Result
from companion.rules.tactiki.play import MORE_OCCURRENCES

_CLASH_WORDS: Final = {
    "win": say("wins the clash"),
    "lose": say("loses the clash"),
    "tie": say("ties the clash"),
}
_CLASH_SENTENCES: Final = {
    "win": say("The attacker wins the clash"),
    "lose": say("The attacker loses the clash"),
    "tie": say("The attacker ties the clash"),
}


def named(digits: str) -> str:
    """Return the name for people of a field in the text of an action.

    >>> named("40")
    'A5'
    """
    return field_name(int(digits[0]) * SIZE + int(digits[1]))


def typed(action: str) -> str:
    """Return the text of an action as people type it, with fields by name, as the rules have it.

    >>> typed("move a5 A4"), typed("back c5 3"), typed("move 40 30")
    ('move 40 30', 'back 42 3', 'move 40 30')
    """
    words = action.split()
    if words[:1] not in (["move"], ["back"]):
        return action
    digits = {field_name(field): f"{field // SIZE}{field % SIZE}" for field in range(SIZE * SIZE)}
    return " ".join(digits.get(word.upper(), word) for word in words)


def place_words(place: int, content: str | None) -> Message:
    """Return what lies on a field, such as "3 high on C2 with TAC on top"."""
    field = field_name(place)
    side, _, height = (content or "").partition(" ")
    if height:
        return say(
            "{height} high on {field} with {side} on top",
            height=int(height),
            side=side.upper(),
            field=field,
        )
    if content == EMPTY:
        return say("nothing on {field}", field=field)
    return say("something on {field}", field=field)


def action_words(action: str, players: Sequence[str] = ()) -> Message:
    """Return *action* in words to follow a player's name, without any rank.

    >>> action_words("move 40 30"), action_words("back 40 5")
    ('moves A5 to A4', 'returns a piece to A5')
    """
    match action.split():
        case ["move", source, target]:
            return say("moves {source} to {target}", source=named(source), target=named(target))
        case ["back", field, *_]:
            return say("returns a piece to {field}", field=named(field))
        case ["clash", result]:
            return _CLASH_WORDS[result]
        case ["ranks", seat, *_]:
            player = players[int(seat)] if players else TRIBES[int(seat)]
            return say("{player} has entered their ranks", player=player)
    return say("claims a draw")


def sentence(seat: int | None, forms: Sequence[str], players: Sequence[str]) -> str:
    """Return what happened as a line of its own; *forms*: what the action may have been."""
    words = list(dict.fromkeys(action_words(form, players) for form in forms))
    if len(words) > 1:
        return _one_of(words, seat, forms, players)
    match forms[0].split():
        case ["clash", result]:
            return _CLASH_SENTENCES[result]
        case _ if seat is None:
            return capitalised(words[0])
        case ["move", source, target]:
            return say(
                "{player} moves {source} to {target}",
                player=players[seat],
                source=named(source),
                target=named(target),
            )
        case ["back", field, *_]:
            return say(
                "{player} returns a piece to {field}", player=players[seat], field=named(field)
            )
        case ["draw"]:
            return say("{player} claims a draw", player=players[seat])
    return words[0]


def _one_of(
    words: Sequence[Message], seat: int | None, forms: Sequence[str], players: Sequence[str]
) -> str:
    either = listed(words, "or")
    if forms[0].startswith("clash"):
        return say("The attacker: {either}", either=either)
    if seat is None:
        return capitalised(either)
    return say("{player}: {either}", player=players[seat], either=either)


def ending_words(state: State) -> str:
    """Return in a sentence why the game is a draw, "" if it is none (TA-12, TA-13)."""
    options = state.options
    if state.ended_by == "TA-12":
        return say("A draw: neither side can move or return a piece")
    if state.ended_by != "TA-13":
        return ""
    if 0 < options.quiet_turns <= state.quiet:
        return say_count(
            "A draw: 1 turn without an attack, an arrival or a return",
            "A draw: {number} turns without an attack, an arrival or a return",
            state.quiet,
        )
    if 0 < options.max_turns < state.turns:
        return say_count("A draw after 1 turn", "A draw after {number} turns", options.max_turns)
    return say("A draw: the board has looked like this {number} times", number=occurrences(state))


def occurrences(state: State) -> int:
    """Return how often the position of *state* has occurred (TA-13)."""
    return state.seen.count(state.seen[-1])


def is_claimed(state: State) -> bool:
    """Return whether someone has claimed the draw that ended the game in *state* (TA-13)."""
    options = state.options
    return (
        state.ended_by == "TA-13"
        and not 0 < options.quiet_turns <= state.quiet
        and not 0 < options.max_turns < state.turns
        and occurrences(state) < options.repetition + MORE_OCCURRENCES
    )


def attack_words(player: str, field: int, results: Sequence[Result], goes_on: bool) -> Message:
    """Return how an attack of *player* on *field* has gone so far.

    >>> attack_words("Ann", 12, ["win", "win", "lose"], goes_on=False)
    'Ann attacks C3, beats 2 pieces, then loses'
    """
    wins, values = results.count("win"), {"player": player, "field": field_name(field)}
    if not wins:
        if results[-1] == "lose":
            return say("{player} attacks {field} and loses", **values)
        return say("{player} attacks {field}: a tie", **values)
    if results[-1] == "lose":
        return say_count(
            "{player} attacks {field}, beats 1 piece, then loses",
            "{player} attacks {field}, beats {number} pieces, then loses",
            wins,
            **values,
        )
    if results[-1] == "tie":
        return say_count(
            "{player} attacks {field}, beats 1 piece, then ties",
            "{player} attacks {field}, beats {number} pieces, then ties",
            wins,
            **values,
        )
    if goes_on:
        return say_count(
            "{player} attacks {field}, beats 1 piece and goes on",
            "{player} attacks {field}, beats {number} pieces and goes on",
            wins,
            **values,
        )
    return say_count(
        "{player} attacks {field} and beats 1 piece",
        "{player} attacks {field} and beats {number} pieces",
        wins,
        **values,
    )
