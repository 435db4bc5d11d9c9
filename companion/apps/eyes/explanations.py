"""The odds of what may have happened, as bars, and what the referee made of them."""

from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

from companion.apps.eyes.places import percent
from companion.language.message import capitalised, listed, say
from companion.referee.clerk import Look
from companion.referee.explain import Reckoning
from companion.referee.odds import Odd, Odds, reckon_odds
from companion.referee.wording import Wording
from companion.session.events import MoveUndone
from companion.web.site import Site

MOST: Final = 5
"""So many explanations are shown."""
NONE: Final = say("None of these")
_reckoned: Final[WeakKeyDictionary[Site, tuple[Reckoning[Any, Any], Odds[Any, Any]]]] = (
    WeakKeyDictionary()
)
"""Of each table the last odds, which stay until another picture is judged."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One explanation as a bar.

    words: what has happened by it.  share: its length, 0.0 to 1.0.  percent: the same in words.
    note: why it does not count, "" if it does.  is_none: whether it is "none of these".
    """

    words: str
    share: float
    percent: str
    note: str = ""
    is_none: bool = False


@dataclass(frozen=True, slots=True)
class Explanations:
    """What the referee makes of the last picture.

    kind: "accepted", "waiting", "ask" or "illegal"; "" where no picture was judged.
    made: the same in a sentence.  clause: the rule that forbids what it looks like, with *rule*,
    what that says; "" if none does.
    bars: the likeliest first.  rest: the percentage of all others, "" for none.
    accepted_from: the share from which on the first is accepted.  odds: by which it must win.
    """

    kind: str
    made: str
    clause: str = ""
    rule: str = ""
    bars: tuple[Bar, ...] = ()
    rest: str = ""
    accepted_from: float = 0.0
    odds: int = 0


def explanations_of(site: Site, look: Look | None) -> Explanations:
    """Return what may have happened by *look*, in words that everyone may read."""
    kind, made, clause = _outcome(site, look)
    rule = site.live_session.game.clause_words(clause)
    if look is None or look.reckoning is None:
        return Explanations(kind, made, clause, rule)
    odds = _odds(site, look.reckoning)
    words = Wording(site.live_session.game, site.live_session.header.players)
    bars = [_bar(site, words, each) for each in odds.explanations]
    bars.append(Bar(NONE, odds.none, _words_of(odds.none), is_none=True))
    bars.sort(key=lambda bar: -bar.share)
    is_rest = odds.rest >= 0.005
    return Explanations(
        kind,
        made,
        clause,
        rule,
        tuple(bars),
        _words_of(odds.rest) if is_rest else "",
        odds.accepted_from,
        round(odds.odds),
    )


def _outcome(site: Site, look: Look | None) -> tuple[str, str, str]:
    """Return the kind of what the referee says, the same in a sentence, and the clause, or ""."""
    referee, live_session = site.live_session.referee, site.live_session
    asked, waiting = site.board().question, live_session.waiting
    if live_session.paused:
        return "waiting", say("The game is paused: nothing that is seen counts."), ""
    if asked is not None and asked.kind == "ask":
        return "ask", say("It asks: {question}", question=asked.message), ""
    if asked is not None:
        words = asked.why or asked.message
        is_wrong = asked.kind in ("illegal", "unseen")
        return ("illegal" if is_wrong else "waiting"), words, asked.clause or ""
    newest = referee.newest_picture
    if newest is None:
        return "", say("No picture of the table has come yet."), ""
    if waiting is not None and waiting.frame == newest.frame:
        return "waiting", say("It waits: {reason}.", reason=waiting.message), ""
    if look is None or look.reckoning is None:
        return "", say("No picture had to be judged yet."), ""
    return "accepted", _accepted(site, look.observation.frame), ""


def _accepted(site: Site, frame: str) -> str:
    """Return what the log got by the picture *frame*; it tells what everyone may read."""
    session = site.live_session.session
    found = {each.seq for each in session.entries if getattr(each.event, "frame", None) == frame}
    lines = [line.words for line in site.board().history if line.seq in found]
    if lines:
        return say("Accepted: {move}.", move=listed(reversed(lines), "units"))
    if any(isinstance(each.event, MoveUndone) for each in session.entries if each.seq in found):
        return say("Accepted: a move was taken back.")
    return say("By this picture nothing new was accepted.")


def _odds(site: Site, reckoning: Reckoning[Any, Any]) -> Odds[Any, Any]:
    """Return the odds of *reckoning*, reckoned once for all who look."""
    known = _reckoned.get(site)
    if known is None or known[0] is not reckoning:
        odds = reckon_odds(site.live_session.game, reckoning, MOST)
        known = _reckoned[site] = reckoning, odds
    return known[1]


def _words_of(share: float) -> str:
    """Return *share* in percent, in words; what is nearly nothing or all is said to be.

    >>> _words_of(0.001), _words_of(0.873), _words_of(0.9999), _words_of(0.0)
    ('< 1 %', '87 %', '> 99 %', '0 %')
    """
    number = percent(share)
    if 0.0 < share < 0.01:
        return say("< {number} %", number=number)
    if 0.99 < share < 1.0:
        return say("> {number} %", number=number)
    return say("{number} %", number=number)


def _bar(site: Site, words: Wording[Any, Any], odd: Odd[Any, Any]) -> Bar:
    course, note = capitalised(words.course(odd.proposal)), ""
    if odd.lacks_arm:
        note = say("ruled out: another player’s arm was seen")
    elif odd.contradicting:
        named = site.live_session.game.place_words
        spots = listed((named(each, odd.table[each]) for each in odd.contradicting[:2]), "units")
        note = say("ruled out: it would leave {places}", places=spots)
    return Bar(course, odd.share, "" if note else _words_of(odd.share), note)
