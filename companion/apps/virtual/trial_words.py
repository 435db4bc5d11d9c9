"""What is said of a room that was tried out: sentences, each of which was measured."""

from collections.abc import Sequence
from typing import Final

from companion.apps.virtual.room_trial import Tried, name_changes
from companion.apps.virtual.trial_film import Judgement
from companion.language.message import Message, as_sentence, say, say_count

MOST_ADVICE: Final = 5


def describe_trial(tried: Sequence[Tried]) -> list[Message]:
    """Return what came of it, the room as it is first; then what helps, the best first.

    Nothing is recommended where all is read.
    """
    first, *others = tried
    now = first.judgement
    sentences = [_count(now), *_explain(now)]
    if now.is_whole:
        return [*sentences, say("Nothing has to be changed.")]
    better = [each for each in others if each.judgement.rank > now.rank]
    if not better:
        return [*sentences, say("None of the changes that were tried would help.")]
    better.sort(key=lambda each: (each.judgement.rank, -len(each.changes)), reverse=True)
    whole = [each for each in better if each.judgement.is_whole]
    return [*sentences, *(_advise(each) for each in (whole or better)[:MOST_ADVICE])]


def _count(now: Judgement) -> Message:
    return say_count(
        "Read: {read} of {number} table.",
        "Read: {read} of {number} tables.",
        now.tables,
        read=now.read,
    )


def _explain(now: Judgement) -> list[Message]:
    """Return what was wrong, and why."""
    found = []
    if now.wrong:
        found.append(
            say_count(
                "{number} picture was taken for another table.",
                "{number} pictures were taken for other tables.",
                now.wrong,
            )
        )
    if now.refusal:
        found.append(as_sentence(say("The table cannot be learned: {reason}", reason=now.refusal)))
    if now.problem is None:
        return found
    if now.is_whole:
        return [*found, say("Set-up would say all the same: {problem}", problem=now.problem)]
    return [*found, say("What stands in the way: {problem}", problem=now.problem)]


def _advise(tried: Tried) -> Message:
    judgement = tried.judgement
    return say(
        "{change}: {read} of {tables}.",
        change=name_changes(tried.changes),
        read=judgement.read,
        tables=judgement.tables,
    )
