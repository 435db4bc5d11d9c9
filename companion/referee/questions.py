"""Questions: which of several proposals has happened, asked once and in its shortest form.

What was asked stays the question while play goes on from its answers: then each answer stands for
all that goes on from it, and one that nothing goes on from is no answer any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.referee.hypotheses import Proposal, Step

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Answer(Generic[S, A]):
    """An answer in the words of *told*, which leaves open which of *meant* has happened."""

    told: Proposal[S, A]
    meant: tuple[Proposal[S, A], ...]


def find_answers(
    asked: Sequence[Proposal[S, A]], proposals: Sequence[Proposal[S, A]]
) -> tuple[Answer[S, A], ...]:
    """Return the answers to what was *asked* that *proposals* leave, or to a new question.

    It is a new one if any of *proposals* does not go on from what was asked.
    """
    meant: dict[int, list[Proposal[S, A]]] = {}
    for proposal in proposals:
        known = [at for at, told in enumerate(asked) if proposal.goes_on_from(told)]
        if not known:
            return tuple(Answer(each, (each,)) for each in proposals)
        nearest = max(known, key=lambda at: len(asked[at].steps))
        meant.setdefault(nearest, []).append(proposal)
    return tuple(Answer(asked[at], tuple(meant[at])) for at in sorted(meant))


def shared_steps(proposals: Sequence[Proposal[S, A]]) -> tuple[Step, ...]:
    """Return the steps with which all *proposals* begin."""
    shared = []
    for steps in zip(*(each.steps for each in proposals), strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    return tuple(shared)
