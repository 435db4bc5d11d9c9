"""The pages of Tiki Topple: tikis in a line, action cards, secret cards."""

from collections.abc import Sequence
from typing import Any, Final

from companion.referee.games import open_header
from companion.referee.referee import Referee
from companion.referee.tables import CARD_WORDS
from companion.rules import tiki_topple
from companion.rules.tiki_topple import CARDS, TIKIS, Played, SecretCard
from companion.session.events import SecretEntered
from companion.session.session import Header
from companion.web.forms import Refused, field, number, require_unmoved, secret_card
from companion.web.games.pages import Form, Pages
from companion.web.site import Site, Visitor

LONGEST_GAME: Final = 12  # rounds; more than any evening holds


def referee_of(site: Site) -> Referee[Any, Any]:
    """Return the referee that watches the line; raises Refused if another game is on."""
    referee = site.sitting.referee
    if not isinstance(referee, Referee):
        raise Refused(409, "Another game is on; go back to its own page.")
    return referee


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the words for the action cards."""
    del site, visitor
    return {
        "cards": CARDS,
        "card_words": {card: words.removeprefix("Tiki ") for card, words in CARD_WORDS.items()},
    }


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what may be tapped in."""
    del visitor
    missing = referee_of(site).table.hidden_cards(site.sitting.session.state)
    return {"moves": legal_moves(site), "tikis": TIKIS, "missing": missing}


def legal_moves(site: Site) -> dict[str, list[str]]:
    """Return the tikis that may be moved, for each card that may be played now."""
    found: dict[str, list[str]] = {card: [] for card in CARDS}
    for branch in site.sitting.session.history.branches:
        for action in tiki_topple.legal_actions(branch.state):
            if isinstance(action, Played) and action.tiki not in found[action.card]:
                found[action.card].append(action.tiki)
    return {card: tikis for card, tikis in found.items() if tikis}


def move(site: Site, form: Form) -> None:
    """Take a move that no camera saw."""
    require_unmoved(site, form)
    card, _, tiki = field(form, "action").partition(" ")
    if tiki not in legal_moves(site).get(card, ()):
        raise Refused(409, "That move is not legal now; choose one of those shown.")
    referee_of(site).tell(f"{card} {tiki}")


def line(site: Site, form: Form) -> None:
    """Take the starting line of a round by hand."""
    require_unmoved(site, form)
    if not referee_of(site).table.expects_start(site.sitting.session.state):
        raise Refused(409, "No starting line is wanted now.")
    tikis = [field(form, f"slot{slot}") for slot in range(len(TIKIS))]
    if sorted(tikis) != sorted(TIKIS):
        raise Refused(400, "A starting line has all nine tikis, each once.")
    referee_of(site).tell(" ".join(("line", *tikis)))


def card(site: Site, form: Form) -> None:
    """Take a secret card that a seat has shown at the end of the round."""
    seats = referee_of(site).table.hidden_cards(site.sitting.session.state)
    seat = number(form, "seat", 0, len(site.sitting.header.players) - 1)
    if seat not in seats:
        raise Refused(409, "No secret card of that seat is wanted now.")
    shown = tiki_topple.Dealt(seat, secret_card(form))
    referee_of(site).tell(tiki_topple.format_action(shown))


def is_wanted(site: Site, seat: int) -> bool:
    """Tell whether *seat* may enter a secret card now, or another in its place."""
    state = site.sitting.session.state
    wanted = state.phase in ("line", "play", "reveal") and seat in state.players
    return wanted and state.cards[seat] is None


def own_card(site: Site, visitor: Visitor) -> SecretCard | None:
    """Return this round's card as *visitor* itself has entered it.

    What an earlier holder of the seat has entered is not shown: a new link must not open it.
    """
    if visitor.seat is None or visitor.claim is None:
        return None
    session = site.sitting.session
    round_number = site.sitting.referee.table.round_number(session.state)
    for entry in reversed(session.entries[visitor.claim.since :]):
        match entry.event:
            case SecretEntered(visitor.seat, number, action) if number == round_number:
                return tiki_topple.parse_secret_card(action.split()[2:])
    return None


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what *visitor* may know of its own secret card."""
    assert visitor.seat is not None
    state = site.sitting.session.state
    return {
        "tikis": TIKIS,
        "own": own_card(site, visitor),
        "is_wanted": is_wanted(site, visitor.seat),
        "round_number": referee_of(site).table.round_number(state),
    }


def keep(site: Site, seat: int, form: Form) -> None:
    """Keep the secret card that *seat* enters for this round."""
    referee = referee_of(site)
    round_number = referee.table.round_number(site.sitting.session.state)
    if number(form, "round", 1, 999) != round_number or not is_wanted(site, seat):
        raise Refused(409, "No secret card is wanted from you now.")
    dealt = tiki_topple.Dealt(seat, secret_card(form))
    referee.enter_secret(seat, tiki_topple.format_action(dealt))


def begin(form: Form, names: Sequence[str], sides: Sequence[str], before: Header) -> Header:
    """Return what opens the game that *form* asks for; raises Refused."""
    del before
    rounds = {"rounds": number(form, "rounds", 1, LONGEST_GAME)} if form.get("rounds") else {}
    first = number(form, "first", 0, len(names) - 1) if "first" in form else 0
    return open_header(tiki_topple.NAME, names, rounds, first, sides)


PAGES: Final = Pages(
    title="Tiki Topple",
    stage="line",
    stage_label="The line",
    desk=("turn", "question", "undo", "byhand", "corrections", "seats", "eyes"),
    seat=("turn", "seat"),
    own="My card",
    seats=range(2, 5),
    begin=begin,
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
    keep=keep,
    intents={"move": move, "line": line, "card": card},
)
