"""The result of a check."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Status: TypeAlias = Literal["ok", "failed", "simulated", "skipped"]
MAX_CHARS: Final = 600
"""Characters of a line; a device may call itself by anything."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One check's answer.

    detail: what was found, one line.  remedy: what to do next, one line; there is one if and only
    if the check has failed, otherwise ValueError is raised.
    """

    status: Status
    detail: str
    remedy: str = ""

    def __post_init__(self) -> None:
        for name in ("detail", "remedy"):
            object.__setattr__(self, name, _plain(getattr(self, name)))
        if (self.status == "failed") != bool(self.remedy):
            raise ValueError(f"a {self.status} verdict with the remedy '{self.remedy}'")


def _plain(text: str) -> str:
    """Return *text* as one line that is safe for a terminal."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[:MAX_CHARS])
    return " ".join(shown.split())


def ok(detail: str) -> Verdict:
    """Return that the check passed."""
    return Verdict("ok", detail)


def failed(detail: str, remedy: str) -> Verdict:
    """Return that this keeps the table from working, and what to do about it."""
    return Verdict("failed", detail, remedy)


def simulated(detail: str) -> Verdict:
    """Return that the companion simulates this."""
    return Verdict("simulated", detail)


def skipped(detail: str) -> Verdict:
    """Return that this is not needed here."""
    return Verdict("skipped", detail)
