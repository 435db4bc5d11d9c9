"""Why an action of UNO Tiki counted as it did: a plain sentence and its clause.

Told from what lies open alone: sizes of hands, the pile, the idol, whose turn it is.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.games.uno_tiki.words import card_words
from companion.language.message import Message, capitalised, say, say_count, sequence
from companion.referee.game import Reason
from companion.rules.uno_tiki import (
    Called,
    Caught,
    Chosen,
    Counted,
    Cut,
    Discarded,
    Drew,
    Kept,
    Named,
    Passed,
    Played,
    Spun,
    State,
    Took,
    TurnedUp,
)
from companion.rules.uno_tiki.cards import COLOUR, DRAWS, IS_TIKI, IS_WILD, SPINS, SYMBOL
from companion.rules.uno_tiki.draws import CAUGHT
from companion.rules.uno_tiki.naming import COLOUR_WORDS, FACES

Players = Sequence[str]


def reason_of(before: State, action: Any, after: State, players: Players) -> Reason | None:
    """Return why *action* led from *before* to *after*, None if nobody would ask."""
    if len(after.match.rounds) > len(before.match.rounds):
        return _scored(after, players)
    explain = _EXPLAIN.get(type(action))
    return explain(before, action, after, players) if explain else None


def _scored(after: State, players: Players) -> Reason:
    """Return who scores what, now that a round is over."""
    held, winner, _ = after.match.rounds[-1]
    lowest = after.options.scoring == "lowest"
    if winner < 0 and lowest:
        message = say(
            "Nobody can play or draw, so the round is over. Each player scores their own cards"
        )
        return Reason(message, "UT-21")
    if winner < 0:
        message = say("Nobody can play or draw, so the round is over, and nobody scores")
        return Reason(message, "UT-21")
    player = players[winner]
    if lowest:
        message = say("{player} has no cards left. The others score their own cards", player=player)
        return Reason(message, "UT-18")
    message = say_count(
        "{player} has no cards left and scores the cards in the other hands: {number} point",
        "{player} has no cards left and scores the cards in the other hands: {number} points",
        sum(held),
        player=player,
    )
    return Reason(message, "UT-18")


def _counted(before: State, action: Counted, after: State, players: Players) -> Reason:
    del before, action, after, players
    message = say(
        "Number cards count their number. Skip, Reverse and Tiki Face count 20, a Wild counts 50"
    )
    return Reason(message, "UT-18")


def _played(before: State, action: Played, after: State, players: Players) -> Reason:
    del after
    message, clause = _effect(before, action, players)
    left = len(before.hands[before.seat]) - 1
    player = players[before.seat]
    if left == 1:
        uno = say("{player} has one card left and must call UNO", player=player)
        return Reason(sequence([message, uno], ". "), clause)
    if left == 0:
        return _last_card(before, action, player)
    return Reason(message, clause)


def _last_card(before: State, action: Played, player: str) -> Reason:
    idol = before.idol or action.card in IS_TIKI
    if action.card in SPINS and idol and before.options.last_card_spin:
        message = say(
            "That was {player}’s last card. It still spins the idol; then the cards in the other"
            " hands are counted",
            player=player,
        )
        return Reason(message, "UT-17")
    message = say("That was {player}’s last card, so the round is over", player=player)
    return Reason(message, "UT-17")


def _effect(before: State, action: Played, players: Players) -> tuple[Message, str]:
    """Return what a card does, and else why it could be played."""
    card, player = action.card, players[before.seat]
    seats = len(players)
    if card in IS_TIKI:
        return say(
            "A Tiki Face goes into the idol, and {player} spins. The pile stays as it was",
            player=player,
        ), "UT-9"
    if SYMBOL[card] == "skip":
        skipped = players[(before.seat + before.way) % seats]
        effect = say("{player} loses a turn", player=skipped), "UT-7"
    elif SYMBOL[card] == "reverse":
        effect = _reversed(before, players), "UT-6"
    elif card in IS_WILD:
        colour = COLOUR_WORDS[action.colour]
        named = say("A Wild goes on any card. The colour is now {colour}", colour=colour)
        effect = named, "UT-8"
    else:
        effect = _match(before, card), "UT-4"
    if card not in SPINS:
        return effect
    if not before.idol:
        spin = say("The idol is empty, so the Spin symbol has no effect")
    else:
        face = FACES[before.idol[-1]]
        spin = say(
            "The card has a Spin symbol, so {player} spins the idol for {face}",
            player=player,
            face=face,
        )
    return sequence([effect[0], spin], ". "), "UT-10"


def _reversed(before: State, players: Players) -> Message:
    if len(players) > 2:
        if before.way == 1:
            return say("Play now goes round to the right")
        return say("Play now goes round to the left")
    other = players[1 - before.seat]
    if before.options.two_player_reverse == "skip":
        return say("With two players it works like a Skip: {player} loses a turn", player=other)
    return say("With two players it changes nothing")


def _match(before: State, card: str) -> Message:
    if COLOUR[card] == before.colour:
        return say(
            "It matches the colour of the pile, {colour}", colour=COLOUR_WORDS[before.colour]
        )
    return say("It matches the number of the pile, {number}", number=before.symbol)


def _drew(before: State, action: Drew, after: State, players: Players) -> Reason:
    del action
    player = players[before.seat]
    if not (before.deck_size or before.discard[1:] or before.idol[1:]):
        if after.phase == "count":
            return Reason(say("Nobody can play or draw, so the round is over"), "UT-21")
        message = say("There is no card to draw, so {player}’s turn is over", player=player)
        return Reason(message, "UT-16")
    message = say(
        "{player} could not or did not want to play. The card just drawn may be played at once",
        player=player,
    )
    return Reason(message, "UT-5")


def _passed(before: State, action: Passed, after: State, players: Players) -> Reason:
    del action, after
    player = players[before.seat]
    message = say("{player} did not play the card just drawn, so the turn is over", player=player)
    return Reason(message, "UT-5")


def _spun(before: State, action: Spun, after: State, players: Players) -> Reason:
    del after
    player = players[before.seat]
    if not action.seats:
        message = say("It made less than a full turn, so {player} spins again", player=player)
        return Reason(message, "UT-11")
    if len(action.seats) == 2:
        message = say("It stopped between two players, so {player} chooses one", player=player)
        return Reason(message, "UT-11")
    return _struck(before, action.seats[0], players)


def _chosen(before: State, action: Chosen, after: State, players: Players) -> Reason:
    del after
    return _struck(before, action.seat, players)


def _struck(before: State, seat: int, players: Players) -> Reason:
    """Return what the face in the idol does to *seat*."""
    face, player = before.idol[-1], players[seat]
    if seat == before.out:
        message = say("{player} has no cards left, so nothing happens", player=player)
        return Reason(message, "UT-17")
    shown = FACES[face]
    if face in DRAWS:
        message = say_count(
            "The idol shows {face}: {player} draws {number} card and does not lose a turn",
            "The idol shows {face}: {player} draws {number} cards and does not lose a turn",
            DRAWS[face],
            face=shown,
            player=player,
        )
        return Reason(message, "UT-12")
    if face == "tiki-goto":
        if before.out >= 0:
            return Reason(say("The round is over, so play does not go on"), "UT-17")
        message = say(
            "The idol shows {face}: play goes on with {player}", face=shown, player=player
        )
        return Reason(message, "UT-14")
    if face == "tiki-discard2":
        message = say(
            "The idol shows {face}: {player} may discard two cards", face=shown, player=player
        )
    else:
        message = say(
            "The idol shows {face}: {player} may discard all cards of that colour",
            face=shown,
            player=player,
        )
    return Reason(message, "UT-13")


def _took(before: State, action: Took, after: State, players: Players) -> Reason | None:
    """Return why the seat draws; who draws for a turn has been told already."""
    del action, after
    if before.after == "drawn" or before.pending or not before.idol:
        return None
    face = before.idol[-1]
    if before.after != "over" or face not in DRAWS:
        return None
    player = players[before.target]
    message = say("{player} draws because the idol shows {face}", player=player, face=FACES[face])
    return Reason(message, "UT-12")


def _discarded(before: State, action: Discarded, after: State, players: Players) -> Reason:
    del after
    player = players[before.target]
    if len(before.hands[before.target]) == 1:
        message = say("That was {player}’s last card, so the round is over", player=player)
        return Reason(message, "UT-17")
    card = card_words(action.card)
    message = say("{card} goes under the top card of the pile and has no effect", card=card)
    return Reason(capitalised(message), "UT-13")


def _kept(before: State, action: Kept, after: State, players: Players) -> Reason:
    del action, after
    message = say("{player} does not have to discard any more", player=players[before.target])
    return Reason(message, "UT-13")


def _called(before: State, action: Called, after: State, players: Players) -> Reason:
    del before, after
    message = say("{player} has one card left and called UNO in time", player=players[action.seat])
    return Reason(message, "UT-15")


def _caught(before: State, action: Caught, after: State, players: Players) -> Reason:
    del before, after
    message = say_count(
        "{player} has one card left and did not call UNO in time: {number} card to draw",
        "{player} has one card left and did not call UNO in time: {number} cards to draw",
        CAUGHT,
        player=players[action.seat],
    )
    return Reason(message, "UT-15")


def _turned_up(before: State, action: TurnedUp, after: State, players: Players) -> Reason:
    if action.card in IS_TIKI:
        message = say("A Tiki Face cannot start the pile, so another card is turned up")
        return Reason(message, "UT-3")
    dealer, player = players[before.match.dealer], players[after.seat]
    if action.card in IS_WILD:
        message = say(
            "The first card is a Wild: {player}, to the left of {dealer}, chooses the colour and"
            " begins",
            player=player,
            dealer=dealer,
        )
    elif SYMBOL[action.card] == "reverse":
        message = say(
            "The first card is a Reverse: {dealer} dealt and begins, and play goes to the right",
            dealer=dealer,
        )
    elif SYMBOL[action.card] == "skip":
        skipped = players[(before.match.dealer + 1) % len(players)]
        message = say(
            "The first card is a Skip: {skipped} loses a turn, and {player} begins",
            skipped=skipped,
            player=player,
        )
    else:
        message = say(
            "{player} sits to the left of {dealer}, who dealt, and begins",
            player=player,
            dealer=dealer,
        )
    return Reason(message, "UT-3")


def _named(before: State, action: Named, after: State, players: Players) -> Reason:
    del after
    message = say(
        "A Wild has no colour of its own, so {player} chose one: {colour}",
        player=players[before.seat],
        colour=COLOUR_WORDS[action.colour],
    )
    return Reason(message, "UT-8")


def _cut(before: State, action: Cut, after: State, players: Players) -> Reason | None:
    del before, action
    if after.phase != "cut":
        dealer = players[after.match.dealer]
        message = say("{player} drew the highest number and deals", player=dealer)
        return Reason(message, "UT-2")
    if not after.match.cuts:
        message = say("Several players drew the highest number, so they draw again")
        return Reason(message, "UT-2")
    return None


_EXPLAIN: Final[Mapping[type, Callable[..., Reason | None]]] = {
    Played: _played,
    Drew: _drew,
    Passed: _passed,
    Spun: _spun,
    Chosen: _chosen,
    Took: _took,
    Discarded: _discarded,
    Kept: _kept,
    Called: _called,
    Caught: _caught,
    TurnedUp: _turned_up,
    Named: _named,
    Cut: _cut,
    Counted: _counted,
}
