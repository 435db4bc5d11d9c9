"""Questions: which of several proposals has happened, asked once and in its shortest form.

What was asked stays the question while play goes on from its answers: then each answer stands for
all that goes on from it, and one that nothing goes on from is no answer any more.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from companion.language.message import say
from companion.referee.clerk import Clerk
from companion.referee.hypotheses import Proposal, Step, find_beginning
from companion.referee.notices import Ask

S = TypeVar("S")
A = TypeVar("A")

MAX_OPEN: Final = 32
"""More things that may have happened are not kept apart."""


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
    meant: dict[Proposal[S, A], list[Proposal[S, A]]] = {}
    for proposal in proposals:
        told = find_beginning(asked, proposal)
        if told is None:
            return tuple(Answer(each, (each,)) for each in proposals)
        meant.setdefault(told, []).append(proposal)
    return tuple(Answer(told, tuple(meant[told])) for told in asked if told in meant)


def find_endings(
    open_: Sequence[Proposal[S, A]], proposals: Sequence[Proposal[S, A]]
) -> tuple[Answer[S, A], ...]:
    """Return *proposals* as answers in the words of what goes on from *open_*, like ones as one."""
    found: dict[Hashable, list[Proposal[S, A]]] = {}
    told: dict[Hashable, Proposal[S, A]] = {}
    for proposal in proposals:
        begun = find_beginning(open_, proposal) or Proposal(proposal.before)
        new = proposal.steps[len(begun.steps) :]
        key = tuple(step.forms for step in new)
        told.setdefault(key, Proposal(begun.after, new, proposal.seat))
        found.setdefault(key, []).append(proposal)
    return tuple(Answer(told[key], tuple(meant)) for key, meant in found.items())


def shared_steps(proposals: Sequence[Proposal[S, A]]) -> tuple[Step, ...]:
    """Return the steps with which all *proposals* begin."""
    shared = []
    for steps in zip(*(each.steps for each in proposals), strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    return tuple(shared)


class Questions(Generic[S, A]):
    """Asks which of several things has happened.

    reconsider: judges the table that was seen last once more.
    """

    def __init__(self, clerk: Clerk[S, A], reconsider: Callable[[], None]) -> None:
        self._clerk = clerk
        self._reconsider = reconsider

    def ask(self, proposals: Sequence[Proposal[S, A]], frame: str) -> None:
        """Ask which of *proposals* has happened, as *frame* leaves it open; log what all share."""
        doubt = self._clerk.doubt
        if [each.steps for each in proposals] == [each.steps for each in doubt.proposals]:
            return
        if len(proposals) > MAX_OPEN:
            return
        proposals = tuple(each.seen_in(frame) for each in proposals)
        answers = find_answers(doubt.asked, proposals)
        if len(answers) == 1 and shared_steps(proposals):
            self._take_chosen(answers[0], frame)
            return
        if len(answers) == 1:
            answers = find_answers((), proposals)
        doubt.proposals, doubt.is_unlikely, doubt.rejected = proposals, False, None
        doubt.asked = tuple(answer.told for answer in answers)
        self.publish(answers, frame)

    def publish(self, answers: Sequence[Answer[S, A]], frame: str) -> None:
        """Put the question which of *answers* is true; one that stands already is put once."""
        candidates = self._clerk.words.candidates([answer.told for answer in answers])
        notice = self._clerk.doubt.question
        if not (isinstance(notice, Ask) and notice.candidates == candidates):
            notice = Ask(frame, say("What happened?"), candidates)
        self._clerk.ask(notice, self.choices(answers, frame))

    def choices(self, answers: Sequence[Answer[S, A]], frame: str) -> list[Callable[[], None]]:
        """Return what each of *answers* leads to."""
        return [partial(self._take_chosen, answer, frame) for answer in answers]

    def _take_chosen(self, answer: Answer[S, A], frame: str) -> None:
        """Log what *answer* leaves no doubt of, and ask what it does leave open.

        The table that was seen last shows it still.
        """
        shared, asked = shared_steps(answer.meant), self._clerk.doubt.asked
        known = Proposal(answer.meant[0].before, shared)
        self._clerk.commit(known, frame)
        history = self._clerk.session.history
        if not shared:
            self._clerk.doubt.asked = asked
        if len(answer.meant) == 1 or len(history.acts) != len(known.after.acts):
            self._reconsider()
            return
        left = [Proposal(history, each.steps[len(shared) :], each.seat) for each in answer.meant]
        self.ask(left, frame)
