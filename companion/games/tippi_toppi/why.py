"""Why: which goals were met and by which cards, why a card fits, and why the game is over."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.games.tippi_toppi.words import colour_words, ending_words, goal_words
from companion.language.message import Message, listed, say, say_count, sequence
from companion.referee.game import Reason, RoundEnd, Table
from companion.rules import tippi_toppi
from companion.rules.tippi_toppi import COLOURS, Action, Goal, Played, State

CLAUSES: Final = {"sum": "TP-8", "equal": "TP-8", "double": "TP-8", "only": "TP-9"}
"""The clause that says more of a kind of goal than TP-7 does, of sums only if of a colour."""
OF_COLOURS: Final = ("count", "adjacent", "apart", "alternate", "only", "same", "different")


def reason(before: State, action: Action, players: Sequence[str]) -> Reason | None:
    """Return which goals *action* met and how, that it ended the game, or why it was allowed."""
    after = tippi_toppi.apply(before, action)
    met = after.met[len(before.met) :]
    told: list[Message] = [_met_words(goal, before, after) for goal in met]
    clause = _clause_of(met, before, after)
    if after.phase == "over":
        told.append(ending_words(after, players))
        clause = after.ended_by
    if told:
        return Reason(sequence(told, ". "), clause)
    if isinstance(action, Played):
        return Reason(_fit_words(before, action), "TP-4")
    return None


def _clause_of(met: Sequence[Goal], before: State, after: State) -> str:
    """Return the clause by which *met* count: that of their kind, or of several at once."""
    if len(met) == 1 and met[0] in before.goals:
        kind, _, rest = met[0].text.partition(" ")
        return "TP-7" if rest.startswith("all ") else CLAUSES.get(kind, "TP-7")
    is_begun = any(len(pile) > 1 for pile in after.piles)
    return "TP-6" if is_begun else "TP-3"


def _met_words(goal: Goal, before: State, after: State) -> Message:
    """Return that *goal* is met, and what of the piles meets it."""
    words, proof = goal_words(goal.text), proof_words(goal.text, after.tops)
    if goal in before.goals:
        return say("Goal met: {goal} ({proof})", goal=words, proof=proof)
    return say("Goal met as soon as it was turned up: {goal} ({proof})", goal=words, proof=proof)


def _fit_words(before: State, action: Played) -> Message:
    card, top = action.card, before.tops[action.pile]
    values = {"card": tippi_toppi.card_words(card), "top": tippi_toppi.card_words(top)}
    if card == top:
        return say("It fits: {card} has the colour and the number of the card below", **values)
    if card // 7 == top // 7:
        return say("It fits: {card} has the colour of {top}", **values)
    return say("It fits: {card} has the number of {top}", **values)


def proof_words(goal: str, tops: Sequence[int]) -> str:
    """Return the sum or the pattern of *tops* by which they meet *goal*.

    >>> proof_words("sum pink 4", (9, 0, 7, 27)), proof_words("parity odd", (0, 2, 4, 6))
    ('pink on piles 1 and 3: 3 + 1 = 4', 'from left to right: 1, 3, 5 and 7')
    """
    kind, *rest = goal.split()
    match kind, rest:
        case "sum", ["all", _]:
            return _sum(card % 7 + 1 for card in tops)
        case "sum", [colour, _]:
            piles = [str(pile + 1) for pile, card in enumerate(tops) if _colour(card) == colour]
            return say_count(
                "{colour} on pile {piles}: {sum}",
                "{colour} on piles {piles}: {sum}",
                len(piles),
                colour=colour_words(colour),
                piles=listed(piles),
                sum=_sum_of(colour, tops),
            )
        case "equal" | "double", [one, other]:
            return say(
                "{one}: {sum}; {other}: {other_sum}",
                one=colour_words(one),
                sum=_sum_of(one, tops),
                other=colour_words(other),
                other_sum=_sum_of(other, tops),
            )
        case "other", _:
            return say("you have checked that yourselves")
    return say("from left to right: {pattern}", pattern=listed(_pattern(goal, tops)))


def _pattern(goal: str, tops: Sequence[int]) -> list[str]:
    """Return what *goal* asks for of each of *tops*: its colour, its number or both."""
    match goal.split():
        case ["different", "both"]:
            return [tippi_toppi.card_words(card) for card in tops]
        case [_, ("numbers" | "number"), *_]:
            return [str(card % 7 + 1) for card in tops]
        case [kind, what, *_] if kind in OF_COLOURS and not what.isdigit():
            return [colour_words(_colour(card)) for card in tops]
        case ["pairs", "colours"]:
            return [colour_words(_colour(card)) for card in tops]
    return [str(card % 7 + 1) for card in tops]


def _colour(card: int) -> str:
    return COLOURS[card // 7]


def _sum_of(colour: str, tops: Sequence[int]) -> str:
    return _sum(card % 7 + 1 for card in tops if _colour(card) == colour)


def _sum(numbers: Any) -> str:
    """Return such as "3 + 1 = 4", which needs no words; of one number that alone."""
    known = list(numbers)
    total = str(sum(known))
    return f"{' + '.join(map(str, known))} = {total}" if len(known) > 1 else total


def round_end(
    after: State, places: Table, view: Mapping[str, Any], players: Sequence[str]
) -> RoundEnd | None:
    """Return how the game ended in *after*, None if it goes on; all have won or lost alike."""
    outcome = tippi_toppi.outcome(after)
    if outcome is None:
        return None
    return RoundEnd(
        number=1,
        message=ending_words(after, players),
        clause=after.ended_by,
        points=outcome.scores,
        scores=outcome.scores,
        winners=outcome.winners,
        reasons=(tuple(_account(after)),) * len(players),
        places=places,
        view=view,
    )


def _account(after: State) -> list[Message]:
    """Return what is met, still open and not even turned up, a line each."""
    met, still_open, hidden = len(after.met), after.goals, after.goals_left
    total = met + len(still_open) + hidden
    lines = [say_count("{met} of one goal met", "{met} of {number} goals met", total, met=met)]
    lines += [say("Still open: {goal}", goal=goal_words(goal.text)) for goal in still_open]
    if hidden:
        lines.append(say_count("One goal not turned up", "{number} goals not turned up", hidden))
    return lines
