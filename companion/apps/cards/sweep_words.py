"""What a phone that is moved across cards is told: what was named, and what is missing."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.language.message import Message, say, say_count, sequence
from vision.cards.sweep import Findings, Joining

Words = Callable[[Any], str]
"""Returns what a card is called, by the name that the reader gives it."""

OBSTACLES: Final[Mapping[Joining, Message]] = {
    Joining.NOTHING: say("No card can be read here. Go closer, in good light."),
    Joining.APART: say("Keep two named cards in the picture while you move."),
    Joining.FOREIGN: say("This picture shows another hand, so it is left out."),
    Joining.CROWDED: say("There are too many cards in this picture. Show one hand alone."),
}
SHOW_OTHERS: Final = say("Show the others, too.")


def describe_sweep(findings: Findings, joining: Joining, words: Words) -> Message:
    """Return in a sentence or two what a sweep has found, and what its last picture lacks."""
    progress = _progress(findings)
    if joining is not Joining.JOINED:
        return sequence([OBSTACLES[joining], *([progress] if findings.sure else [])])
    if findings.unsure:
        return sequence([progress, _unsure(findings, words)])
    return sequence([progress, SHOW_OTHERS]) if findings.missing else progress


def _progress(findings: Findings) -> Message:
    sure = len(findings.sure)
    if findings.missing is None:
        return say_count("{number} card named.", "{number} cards named.", sure)
    held = sure + findings.missing
    if findings.is_done:
        return say_count("The card is named.", "All {number} cards are named.", held)
    if not findings.missing:
        return say("{sure} cards named, but there should be fewer.", sure=sure)
    return say_count(
        "{sure} of {number} card named.", "{sure} of {number} cards named.", held, sure=sure
    )


def _unsure(findings: Findings, words: Words) -> Message:
    beside = next((each for each in findings.unsure if each is not None), None)
    if beside is None:
        return say_count(
            "{number} card is not sure yet.",
            "{number} cards are not sure yet.",
            len(findings.unsure),
        )
    return say("Not sure yet: the card beside {card}.", card=words(beside))
