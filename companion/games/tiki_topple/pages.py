"""The pages of Tiki Topple: tikis in a line, action cards, secret cards."""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.tiki_topple.game import CARD_WORDS
from companion.games.tiki_topple.highlights import highlights
from companion.rules import tiki_topple
from companion.rules.base import InvalidAction
from companion.rules.tiki_topple import CARDS, TIKIS, Played, SecretCard
from companion.web.forms import Form, Refused, number
from companion.web.kept import own_secret
from companion.web.pages import Choice, Pages
from companion.web.site import Site, Visitor

MAX_ROUNDS: Final = 12  # rounds; more than anyone plays in an evening
PHRASES: Final = {"reveal": "Show your cards", "line": "Set up the line"}


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return the words for the action cards, the shown cards, and the current task."""
    del visitor
    board = site.board()
    phrase = "Next round" if board.phase == "line" and board.history else PHRASES.get(board.phase)
    return {
        "cards": CARDS,
        "card_words": {card: words.removeprefix("Tiki ") for card, words in CARD_WORDS.items()},
        "shown": shown_cards(site),
        "phrase": phrase or "",
    }


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


def desk_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what may be entered."""
    del visitor
    missing = site.live_session.game.secrets_due(site.live_session.session.state)
    return {"moves": legal_moves(site), "tikis": TIKIS, "missing": missing}


def legal_moves(site: Site) -> dict[str, list[str]]:
    """Return the tikis that may be moved, for each card that may be played now."""
    found: dict[str, list[str]] = {card: [] for card in CARDS}
    for branch in site.live_session.session.history.branches:
        for action in tiki_topple.legal_actions(branch.state):
            if isinstance(action, Played) and action.tiki not in found[action.card]:
                found[action.card].append(action.tiki)
    return {card: tikis for card, tikis in found.items() if tikis}


def secret_card(form: Mapping[str, str]) -> SecretCard:
    """Return the secret card of three pickers; raises Refused if it is none."""
    try:
        return tiki_topple.parse_secret_card([form.get(place, "") for place in SecretCard._fields])
    except InvalidAction:
        # The message omits the names: what was picked is secret.
        raise Refused(400, "Choose three different tikis, one in each row.") from None


def is_wanted(site: Site, seat: int) -> bool:
    """Return whether *seat* may enter a secret card now, or another in its place."""
    state = site.live_session.session.state
    wanted = state.phase in ("line", "play", "reveal") and seat in state.players
    return wanted and state.cards[seat] is None


def own_card(site: Site, visitor: Visitor) -> SecretCard | None:
    """Return this round's card as *visitor* itself has entered it."""
    action = own_secret(site, visitor)
    return tiki_topple.parse_secret_card(action.split()[2:]) if action else None


def seat_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what *visitor* may know of its own secret card."""
    assert visitor.seat is not None
    state = site.live_session.session.state
    return {
        "tikis": TIKIS,
        "own": own_card(site, visitor),
        "is_wanted": is_wanted(site, visitor.seat),
        "round_number": site.live_session.game.round_number(state),
        "moves": legal_moves(site) if site.board().turn == visitor.seat else {},
    }


def keep(site: Site, seat: int, form: Form) -> None:
    """Keep the secret card that *seat* enters for this round."""
    round_number = site.live_session.game.round_number(site.live_session.session.state)
    if number(form, "round", 1, 999) != round_number or not is_wanted(site, seat):
        raise Refused(409, "You do not need to enter a secret card now.")
    dealt = tiki_topple.Dealt(seat, secret_card(form))
    site.live_session.referee.enter_secret(seat, tiki_topple.format_action(dealt))


PAGES: Final = Pages(
    highlights=highlights,
    stage_label="The line",
    own="My card",
    joining="to enter their secret card",
    choices=(Choice("rounds", "Rounds", most=MAX_ROUNDS, hint="as the rulebook says"),),
    carried=("topple_last", "tie"),
    known={"line": list(TIKIS)},
    board_values=board_values,
    desk_values=desk_values,
    seat_values=seat_values,
    keep=keep,
)
