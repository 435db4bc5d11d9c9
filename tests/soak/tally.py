"""What a soak counts."""

from dataclasses import asdict, dataclass, field
from typing import Final

FAULTS: Final = ("lost", "wrong", "stuck", "leaked", "broken", "grown")


@dataclass
class Tally:
    """What was done to the companion, and what came of it.

    ended: games played to their end.  damages: of which *refused* were named instead of played.
    lost: entries that were answered and are not there.  wrong: ends that differ from the rules'.
    stuck: games or pages that did not go on.  leaked: secrets shown to others.
    broken: tracebacks, refusals without a reason, bad ends.  grown: files or memory not let go of.
    """

    evenings: int = 0
    ended: int = 0
    taps: int = 0
    kills: int = 0
    stops: int = 0
    full_disks: int = 0
    damages: int = 0
    refused: int = 0
    crowds: int = 0
    stalls: int = 0
    nonsense: int = 0
    lost: int = 0
    wrong: int = 0
    stuck: int = 0
    leaked: int = 0
    broken: int = 0
    grown: int = 0
    notes: list[str] = field(default_factory=list)

    def note(self, fault: str, words: str) -> None:
        """Count one *fault*, and keep what happened in *words*."""
        assert fault in FAULTS, fault
        setattr(self, fault, getattr(self, fault) + 1)
        self.notes.append(f"{fault}: {words}")

    @property
    def is_clean(self) -> bool:
        """Whether nothing was at fault."""
        return not any(getattr(self, fault) for fault in FAULTS)

    def table(self) -> str:
        """Return the counts as lines of a Markdown table."""
        counts = {name: count for name, count in asdict(self).items() if name != "notes"}
        names = (name.replace("_", " ") for name in counts)
        return "\n".join(
            (
                f"| {' | '.join(names)} |",
                f"|{'---|' * len(counts)}",
                f"| {' | '.join(map(str, counts.values()))} |",
            )
        )
