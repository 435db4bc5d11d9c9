"""Tiki Faces that were put into the idol unseen: what speaks for one, and which it may have been.

Behind the idol's head nobody sees which face was put in, or that one was. But the idol is spun for
it, and some lay on the discard pile first: then the people are asked before anything else counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from companion.games.uno_tiki.blind import shown, without_hands
from companion.games.uno_tiki.words import TIKI, card_words, sentence
from companion.language.message import Message, say
from companion.referee.facts import SeenFact, Traces
from companion.referee.notices import Ask, Candidate
from companion.rules.base import RulesError
from companion.rules.uno_tiki import State, apply, parse_action
from companion.rules.uno_tiki.cards import COLOURS, IS_WILD, KINDS, TIKIS
from vision.observation import EMPTY, Pointing

TURN_DEG: Final = 360.0
MOVED_DEG: Final = 12.0
"""A smaller change of the arm's direction may be a nudge, before the spin that is due."""
TOUCHED_DEG: Final = 4.0
"""A smaller one may be a push of the whole idol.  Two pictures of one stop differ by 0.2 at most in
five recorded and rendered games; one spin in 45 comes to rest so near to where it began."""
MAY_PLAY: Final = ("play", "drawn", "discard")
"""The phases in which a Tiki Face may be played next: who discards may have done so silently."""
IS_CARD: Final = frozenset(KINDS)
SPIN: Final = "spin "
"""How the texts begin of what says where the idol has stopped."""


def ask_overlooked(state: State, traces: Traces, names: Sequence[str]) -> Ask | None:
    """Return the question which Tiki Face was put in, if *traces* speak for one that is not seen.

    Either one lay on the discard pile and is gone, or the arm has turned though no spin was due.
    """
    if state.phase not in MAY_PLAY or not traces.table:
        return None
    card, face = traces.table
    pile, top = shown(state)
    is_new = card in IS_CARD and card != pile
    if face not in (None, EMPTY, top) and not is_new:
        return None  # it is seen
    is_gone = traces.refused[:1] == (TIKI,) and card not in (None, TIKI)
    is_covered = is_gone and not traces.last_move.startswith(f"play {TIKI}")  # or it is that one
    if is_covered:
        words = say("A Tiki Face lay on the discard pile. Was it put into the idol?")
        nothing = say("No, it was taken back")
    elif _was_turned(traces.facts) and face != EMPTY:
        if is_new and str(card).endswith("-spin") and state.idol:
            return None  # which has it spun
        words, nothing = _TURNED, _NONE
        if face is not None and face == top:
            words = say("The idol was turned. Was another Tiki Face of the same kind put in?")
    else:
        return None
    faces = (face,) if face in TIKIS else TIKIS
    ways = list(_ways_before(state, faces, card if is_new else None, names))
    if is_new and not is_covered:
        ways += _ways_after(state, faces, str(card), names)
    return _ask(words, ways, nothing)


def ask_spun(state: State, spin: str, names: Sequence[str]) -> Ask | None:
    """Return the question which Tiki Face was put in, since the idol was spun unasked.

    spin: the action that says where it stopped, "" if that was not measured.
    """
    if state.phase not in MAY_PLAY:
        return None
    texts = (spin,) if spin else ()
    offers = (_offer(state, (f"play {face}", *texts), names) for face in TIKIS)
    return _ask(_TURNED, offers, _NONE)


def has_moved(fact: SeenFact, least_deg: float = MOVED_DEG) -> bool:
    """Return whether *fact* is that the arm points elsewhere than before."""
    now, before = fact.now, fact.before
    if not (isinstance(now, Pointing) and isinstance(before, Pointing)):
        return False
    return abs(turned(before.deg, now.deg)) > least_deg


def turned(start_deg: float, end_deg: float) -> float:
    """Return by how much an arm has turned clockwise at least, -180 to 180."""
    return (end_deg - start_deg + TURN_DEG / 2) % TURN_DEG - TURN_DEG / 2


def _was_turned(facts: Sequence[SeenFact]) -> bool:
    """Return whether the arm has turned and nobody said that it was spun."""
    return any(
        has_moved(fact, TOUCHED_DEG) and not any(text.startswith(SPIN) for text in fact.since)
        for fact in facts
    )


def _ways_before(
    state: State, faces: Sequence[str | None], card: str | None, names: Sequence[str]
) -> Iterator[Candidate | None]:
    """Yield how one of *faces* may have been put in, before *card* if that is new."""
    for face in faces:
        offer = _offer(state, (f"play {face}",), names)
        if offer is None or card is None:
            yield offer
            continue
        words = say("{play}, before {card} was played", play=offer.text, card=card_words(card))
        yield Candidate(offer.actions, words)


def _ways_after(
    state: State, faces: Sequence[str | None], card: str, names: Sequence[str]
) -> Iterator[Candidate | None]:
    """Yield how one of *faces* may have been put in after *card*."""
    for face in faces:
        for played in _plays(card):
            yield _offer(state, (played, f"play {face}"), names)


def _plays(card: str) -> list[str]:
    """Return the texts of all plays of *card*: a Wild's colour is not seen."""
    colours = COLOURS if card in IS_WILD else ("",)
    return [f"play {card} {colour}".strip() for colour in colours]


def _ask(words: Message, offers: Iterable[Candidate | None], nothing: Message) -> Ask | None:
    played = tuple(offer for offer in offers if offer is not None)
    if not played:
        return None
    return Ask(None, words, (*played, Candidate((), nothing)), holds=True)


def _offer(state: State, texts: Sequence[str], names: Sequence[str]) -> Candidate | None:
    """Return that *texts* happened, one after the other; None if the rules forbid it.

    Who may discard and has not said so may have been done.
    """
    state = without_hands(state)
    texts = ("keep", *texts) if state.phase == "discard" else tuple(texts)
    lines: list[str] = []
    try:
        for text in texts:
            if text.startswith("play "):
                lines.append(sentence(state.seat, text, names))
            state = apply(state, parse_action(text))
    except RulesError:
        return None
    if len(lines) == 1:
        return Candidate(texts, lines[0])
    return Candidate(texts, say("{first}, then {second}", first=lines[0], second=lines[1]))


_TURNED: Final = say("The idol was turned. Was a Tiki Face put in?")
_NONE: Final = say("No Tiki Face was put in")
