"""The idol's arm as the camera sees it: evidence beside the encoder, never a decision.

A camera sees where the arm points, not how often it turned: what it offers has to be confirmed.
"""

from collections.abc import Sequence
from typing import Final

from companion.games.uno_tiki.blind import without_hands
from companion.games.uno_tiki.words import sentence
from companion.language.message import listed, say
from companion.referee.facts import SeenFact
from companion.referee.game import People, Reaction, remark
from companion.referee.notices import Ask, Candidate
from companion.rules.base import RulesError
from companion.rules.uno_tiki import (
    Spun,
    State,
    apply,
    format_action,
    legal_actions,
    parse_action,
)
from companion.rules.uno_tiki.cards import TIKIS
from vision.observation import EMPTY, Pointing, Table

TURN_DEG: Final = 360.0
MOVED_DEG: Final = 12.0
"""A smaller change of direction may be a nudge or measurement error."""
MARGIN_DEG: Final = 12.0
"""This close to the line between two seats either may be meant: seats are not exactly even."""


def judge_arm(state: State, deg: float, fact: SeenFact, people: People) -> Reaction:
    """Return what it means that the arm points to *deg*, as *fact* has it.

    What an encoder or the people have reported is compared with it; where nobody has, they are
    asked.
    """
    seats = seats_at(deg, people.bearings_deg)
    if not seats:
        return Reaction()  # nobody knows who sits where
    spins = [text for text in fact.since if text.startswith("spin ")]
    if spins:
        return _contradict(spins[-1], seats, people)
    before = fact.before
    has_moved = isinstance(before, Pointing) and abs(turned(before.deg, deg)) > MOVED_DEG
    if not has_moved:
        return Reaction()
    if state.phase != "spin":
        return _unasked(state, people.players, fact.table)
    return Reaction(ask=_ask(state, seats, people.players))


def seats_at(deg: float, bearings_deg: tuple[float, ...]) -> tuple[int, ...]:
    """Return the seat at which an arm points, or both that it may mean; () if nobody knows.

    >>> seats_at(44.0, (180.0, 300.0, 60.0)), seats_at(2.0, (180.0, 300.0, 60.0))
    ((2,), (1, 2))
    """
    if len(bearings_deg) < 2:
        return ()
    away = [abs(turned(bearing, deg)) for bearing in bearings_deg]
    nearest, second, *_ = sorted(range(len(away)), key=away.__getitem__)
    if away[second] - away[nearest] > 2 * MARGIN_DEG:
        return (nearest,)
    return tuple(sorted((nearest, second)))


def turned(start_deg: float, end_deg: float) -> float:
    """Return by how much an arm has turned clockwise at least, -180 to 180."""
    return (end_deg - start_deg + TURN_DEG / 2) % TURN_DEG - TURN_DEG / 2


def _unasked(state: State, names: Sequence[str], seen: Table) -> Reaction:
    """Return the reaction to a turned idol when no spin is due.

    A Tiki Face was put in then: one that is seen and not known of yet, perhaps on a card that is
    not known of either, or one like the one that showed; where none is seen, it may be any.
    """
    state = without_hands(state)
    card, face = seen or (None, *state.idol[-1:], EMPTY)[:2]
    ways: list[tuple[str, ...]] = [(each,) for each in TIKIS if face in (None, each)]
    if face in TIKIS and card is not None and (card,) != state.discard[-1:]:
        ways.append((card, str(face)))
    played = [each for way in ways if (each := _offer(state, way, names)) is not None]
    if not played:
        return remark(say("The idol was turned, but nobody has to spin it now"))
    if (face,) == state.idol[-1:]:
        words = say("The idol was turned. Was another Tiki Face of the same kind put in?")
    else:
        words = say("The idol was turned. Was a Tiki Face put in?")
    nothing = Candidate((), say("No, nothing was played"))
    return Reaction(ask=Ask(None, words, (*played, nothing)))


def _offer(state: State, cards: Sequence[str], names: Sequence[str]) -> Candidate | None:
    """Return that *cards* were played, one after the other; None if the rules forbid it."""
    texts = tuple(f"play {card}" for card in cards)
    lines = []
    try:
        for text in texts:
            lines.append(sentence(state.seat, text, names))
            state = apply(state, parse_action(text))
    except RulesError:
        return None
    if len(lines) == 1:
        return Candidate(texts, lines[0])
    return Candidate(texts, say("{first}, then {second}", first=lines[0], second=lines[1]))


def _ask(state: State, seats: tuple[int, ...], names: Sequence[str]) -> Ask:
    """Return the question where the idol points, with what the camera can tell of the answer."""
    ends = [Spun((seat,)) for seat in seats]
    legal = legal_actions(state)
    ends += [end for end in (Spun(seats), Spun(())) if end in legal and end not in ends]
    candidates = tuple(Candidate((format_action(end),), _end_words(end, names)) for end in ends)
    return Ask(None, say("The idol has been spun: where does it point?"), candidates)


def _end_words(end: Spun, names: Sequence[str]) -> str:
    match end.seats:
        case (seat,):
            return names[seat]
        case (one, other):
            return say("between {one} and {other}", one=names[one], other=names[other])
    return say("less than a full turn")


def _contradict(recorded: str, seats: tuple[int, ...], people: People) -> Reaction:
    """Return the reaction if the recorded spin *recorded* is not what the arm shows."""
    meant = {int(word) for word in recorded.split() if word.isdigit()}
    if not meant or meant & set(seats):
        return Reaction()  # a void spin may end anywhere
    names = people.players
    said, shown = (listed([names[seat] for seat in each], "or") for each in (sorted(meant), seats))
    if people.newest != recorded:
        return remark(
            say(
                "By what was entered, the idol pointed to {said}, but the camera saw it pointing"
                " to {shown}. Play has gone on since then; correct it on the host’s desk",
                said=said,
                shown=shown,
            )
        )
    words = say(
        "By what was entered, the idol points to {said}, but the camera sees it pointing to"
        " {shown}",
        said=said,
        shown=shown,
    )
    keep = Candidate((), say("{player}, as entered", player=said))
    return Reaction(ask=Ask(None, words, (*_corrections(seats, names), keep)))


def _corrections(seats: tuple[int, ...], names: Sequence[str]) -> list[Candidate]:
    return [
        Candidate(
            ("undo", format_action(Spun((seat,)))),
            say("{player}, as the camera sees it", player=names[seat]),
        )
        for seat in seats
    ]
