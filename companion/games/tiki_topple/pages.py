"""The pages of Tiki Topple: tikis in a line, action cards, secret cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.games.tiki_topple.highlights import highlights
from companion.games.tiki_topple.reasons import card_lines, like_card_words
from companion.language.message import Message, listed, say
from companion.rules import tiki_topple
from companion.rules.tiki_topple import (
    CARDS,
    POINTS,
    SHORT_CARD_WORDS,
    TIKIS,
    Played,
    SecretCard,
    tiki_name,
)
from companion.web.forms import Form, Refused, number
from companion.web.pages.game_pages import Choice, Pages
from companion.web.pages.kept import own_secret
from companion.web.site import Site, Visitor

MAX_ROUNDS: Final = 12  # rounds; more than anyone plays in an evening
PHRASES: Final = {"reveal": say("Show your cards"), "line": say("Set up the line")}
CARD_PARTS: Final = ("part0", "part1", "part2")
COUNTS_IF: Final = (say("if 1st"), say("if 1st or 2nd"), say("if 1st to 3rd"))
"""When the points of each tiki of a secret card count (TT-11)."""
CARD_RULES: Final = (
    say("{points} points if it is 1st in line", points=POINTS[0]),
    say("{points} points if it is 1st or 2nd in line", points=POINTS[1]),
    say("{points} points if it is 1st, 2nd or 3rd in line", points=POINTS[2]),
)


@dataclass(frozen=True, slots=True)
class Target:
    """A tiki that a card may be played on, and what becomes of its place, such as "3 → 1"."""

    tiki: str
    name: str
    change: str


def earned(card: Sequence[str], line: Sequence[str]) -> tuple[int, ...]:
    """Return what each tiki of a secret card earns with *line*.

    >>> earned(("nani", "huhu", "nui"), ("nani", "kapu", "nui"))
    (9, 0, 2)
    """
    return tuple(
        points if tiki in line[:reach] else 0
        for reach, (points, tiki) in enumerate(zip(POINTS, card, strict=True), start=1)
    )


def shown_cards(site: Site) -> list[tuple[str, ...] | None]:
    """Return the secret card that each seat has shown, until the next round is under way.

    The engine may know a card from the set-up that nobody has shown: at a round's end only what was
    observed is public, the rest becomes so with the score.
    """
    session, board = site.live_session.session, site.board()
    found: list[tuple[str, ...] | None] = [None] * len(board.players)
    if board.phase == "reveal":
        for act in reversed(session.history.acts):
            if act.seat is not None:
                break
            match act.forms[0].split():
                case ["card", owner, *card]:
                    found[int(owner)] = tuple(card)
        return found
    return [card and tuple(card.values()) for card in board.table["shown"]]


def legal_moves(site: Site) -> dict[str, list[Target]]:
    """Return the tikis that may be moved, from the top down, for each card that may be played."""
    history = site.live_session.session.history
    line = history.state.line
    found: dict[str, set[str]] = {card: set() for card in CARDS}
    for branch in history.branches:
        for action in tiki_topple.legal_actions(branch.state):
            if isinstance(action, Played):
                found[action.card].add(action.tiki)
    return {
        card: [
            Target(tiki, tiki_name(tiki), _change(card, tiki, line))
            for tiki in line
            if tiki in tikis
        ]
        for card, tikis in found.items()
        if tikis
    }


def _change(card: str, tiki: str, line: Sequence[str]) -> str:
    """Return the places of *tiki* before and after *card*, counted from 1."""
    old = line.index(tiki) + 1
    if card == "toast":
        return say("{old} → out", old=old)
    new = len(line) if card == "topple" else old - int(card.removeprefix("up"))
    return say("{old} → {new}", old=old, new=new)


def secret_card(form: Mapping[str, str]) -> SecretCard:
    """Return the secret card of three pickers; raises Refused if it is none.

    What it says names no tiki: which were picked is secret, and people look over shoulders.
    """
    picked = [form.get(place, "") for place in SecretCard._fields]
    for points, tiki in zip(POINTS, picked, strict=True):
        if not tiki_topple.is_tiki(tiki):
            raise Refused(400, say("Choose a tiki for {points} points too.", points=points))
    if alike := like_card_words(picked):
        raise Refused(400, alike)
    return tiki_topple.parse_secret_card(picked)


def _twice(line: Sequence[str]) -> Message | str:
    for place, tiki in enumerate(line):
        if tiki in line[:place]:
            return say(
                "{tiki} is in place {place} and in place {other}. Choose another tiki for one of"
                " the two.",
                tiki=tiki_name(tiki),
                place=line.index(tiki) + 1,
                other=place + 1,
            )
    return ""


def own_card(site: Site, visitor: Visitor) -> SecretCard | None:
    """Return this round's card as *visitor* itself has entered it."""
    action = own_secret(site, visitor)
    return tiki_topple.parse_secret_card(action.split()[2:]) if action else None


class TikiTopplePages(Pages):
    """The pages of Tiki Topple."""

    summary = say(
        "Move nine tikis up and down a line so that those on your secret card end up on top."
    )
    first_reason = say(
        "By the rulebook, whoever last ate something with coconut begins the first round, and the"
        " player to their left begins the next one."
    )
    stage_label = say("The line")
    own = say("My cards")
    joining = say("to enter their secret card and their moves")
    choices = (
        Choice(
            "rounds",
            say("Rounds"),
            most=MAX_ROUNDS,
            hint=say("as the rulebook says"),
            help=say("By the rulebook there are four rounds, or three with three players."),
        ),
        Choice(
            "tie",
            say("If several players lead at the end"),
            kind="word",
            words=(
                ("playoff", say("they play one more round")),
                ("share", say("they share the win")),
            ),
            help=say("By the rulebook, those who are level play on until one of them leads."),
        ),
        Choice(
            "topple_last",
            say("Topple may be played on the last tiki"),
            kind="flag",
            help=say("The tiki then stays where it is, and the card has no effect."),
        ),
    )
    known: Mapping[str, Any] = {"line": list(TIKIS)}
    known_words = say(
        "All nine tikis in this order, from the top: {tikis}", tikis=listed(map(tiki_name, TIKIS))
    )

    highlights = staticmethod(highlights)

    def board_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return the words for the action cards, the shown cards, and the current task."""
        board = site.board()
        phrase = PHRASES.get(board.phase, "")
        if board.phase == "line" and board.history:
            phrase = say("Next round")
        return {
            "cards": tuple(SHORT_CARD_WORDS),
            "card_words": SHORT_CARD_WORDS,
            "tiki_name": tiki_name,
            "tikis": TIKIS,
            "card_points": POINTS,
            "counts_if": COUNTS_IF,
            "shown": shown_cards(site),
            "earned_by": earned,
            "card_lines": card_lines,
            "phrase": phrase,
        }

    def desk_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what may be entered."""
        missing = site.live_session.game.secrets_due(site.live_session.session.state)
        return {"moves": legal_moves(site), "missing": missing, "card_parts": CARD_PARTS}

    def objection(self, action: str) -> str:
        """Return which tiki a line or a shown secret card has twice, "" if none."""
        match action.split():
            case ["card", _, *card] if len(card) == len(POINTS):
                return like_card_words(card)
            case ["line", *line] if len(line) == len(TIKIS):
                return _twice(line)
        return ""

    def seat_values(self, site: Site, visitor: Visitor) -> dict[str, Any]:
        """Return what *visitor* may know of its own secret card, and what it may play."""
        assert visitor.seat is not None
        state, board = site.live_session.session.state, site.board()
        own = own_card(site, visitor)
        return {
            "own": own,
            "card_rules": CARD_RULES,
            "own_now": card_lines(own, state.line) if own and state.line else (),
            "is_wanted": bool(self.secret_wanted(site, visitor.seat)),
            "round_number": site.live_session.game.round_number(state),
            "moves": legal_moves(site) if board.turn == visitor.seat else {},
            "card_names": SecretCard._fields,
        }

    def secret_wanted(self, site: Site, seat: int) -> str:
        """Return "card" while *seat* may enter its secret card, or another in its place."""
        state = site.live_session.session.state
        wanted = state.phase in ("line", "play", "reveal") and seat in state.players
        return "card" if wanted and state.cards[seat] is None else ""

    def keep(self, site: Site, seat: int, form: Form) -> None:
        """Keep the secret card that *seat* enters for this round."""
        round_number = site.live_session.game.round_number(site.live_session.session.state)
        if number(form, "round", 1, 999) != round_number or not self.secret_wanted(site, seat):
            raise Refused(409, say("You do not need to enter a secret card now."))
        dealt = tiki_topple.Dealt(seat, secret_card(form))
        site.live_session.referee.enter_secret(seat, tiki_topple.format_action(dealt))


PAGES: Final = TikiTopplePages()
