"""The idol's arm as the camera sees it: evidence beside the encoder, never a decision.

A camera sees where the arm points, not how often it turned: what it offers has to be confirmed.
"""

from collections.abc import Sequence
from typing import Final

from companion.games.uno_tiki.unseen_faces import SPIN, has_moved, turned
from companion.language.message import listed, say
from companion.referee.facts import SeenFact
from companion.referee.game import People, Reaction, remark
from companion.referee.notices import Ask, Candidate
from companion.rules.uno_tiki import Spun, State, format_action, legal_actions

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
    spins = [text for text in fact.since if text.startswith(SPIN)]
    if spins:
        return _contradict(spins[-1], seats, people)
    if not has_moved(fact):
        return Reaction()
    if state.phase != "spin":
        if not people.is_sure:
            return Reaction()  # it has been asked about
        return remark(say("The idol was turned, but nobody has to spin it now"))
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
