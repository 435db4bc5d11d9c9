"""The printers of this computer, through CUPS: a PDF is sent at its own size, on its own paper.

CUPS pays no heed to what a PDF asks for (`PrintScaling /None`), and takes the printer's own paper
unless told; see `known_scales`.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from typing import Final

from companion.apps.printing.choices import Paper
from companion.rules.codec import find_nearest
from companion.validation import some_of

WITHIN_S: Final = 30.0
"""CUPS looks for printers in the network, which may take some seconds."""
AS_IT_IS: Final = ("-o", "print-scaling=none", "-o", "sides=one-sided")
"""At true scale, and nothing on the back of what is to be cut out."""
MOST_NAMED: Final = 8
INSTEAD: Final = "or leave --printer out, and print the file"


class PrinterError(Exception):
    """Nothing can be printed; one line says what was given, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Job:
    """What was handed to a printer.

    name: as CUPS calls it.  waits: why it is not printed at once, "" if it is.
    """

    name: str
    waits: str = ""


def printers() -> tuple[str, ...]:
    """Return the names of all printers that can be used here, in order; raises PrinterError."""
    if "not running" in _ask("lpstat", "-r").stdout:
        raise PrinterError(
            f"CUPS, which prints, is not running; sudo systemctl start cups, {INSTEAD}"
        )
    return tuple(sorted(_ask("lpstat", "-e").stdout.split()))


def require_printer(name: str, paper: Paper) -> None:
    """Raise PrinterError unless there is a printer of this *name* that has this *paper*.

    A printer that lacks it would take another without a word, and cut off what does not fit.
    """
    known = printers()
    if not known:
        raise PrinterError(
            f"there is no printer called {name!r}, and no other; set one up in the system's"
            f" settings or at http://localhost:631, {INSTEAD}"
        )
    if name not in known:
        near = find_nearest(name, known)
        meant = f"; did you mean {near}?" if near else ""
        raise PrinterError(
            f"there is no printer called {name!r}{meant}; there are {some_of(known, MOST_NAMED)}"
        )
    sizes = _papers(name)
    if sizes and paper.title not in sizes:
        other = "letter" if paper.title == "A4" else "a4"
        raise PrinterError(
            f"{name} has no {paper.title} paper, it has {some_of(sizes, MOST_NAMED)}; print with"
            f" --page {other}, or add the paper to the printer's settings"
        )


def send(pdf: bytes, title: str, name: str, paper: Paper) -> Job:
    """Print *pdf* on the printer *name*, which `require_printer` has found; raises PrinterError.

    title: of the job, for the list of jobs.
    """
    words = ("lp", "-d", name, "-t", title, *AS_IT_IS, "-o", f"media={paper.title}")
    done = _ask(*words, data=pdf)
    found = re.search(r"request id is (\S+)", done.stdout)
    if done.returncode or not found:
        raise PrinterError(
            f"the printer {name} does not take it: {_reason(done.stderr)}; lpstat -p {name} -l"
            f" tells more, {INSTEAD}"
        )
    return Job(found[1], _standstill(name))


def _papers(name: str) -> tuple[str, ...]:
    """Return the papers that the printer has, none if CUPS does not tell."""
    found = re.search(
        r"^PageSize/[^:\n]*:(.*)$", _ask("lpoptions", "-p", name, "-l").stdout, re.MULTILINE
    )
    return tuple(each.lstrip("*") for each in found[1].split()) if found else ()


def _standstill(name: str) -> str:
    if " disabled since " not in _ask("lpstat", "-p", name).stdout:
        return ""
    return f"{name} is paused, so it waits: sudo cupsenable {name}"


def _ask(*words: str, data: bytes | None = None) -> "subprocess.CompletedProcess[str]":
    """Return what one of CUPS's commands answers, in English; raises PrinterError."""
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours, the name is a printer's
            words,
            input=data if data is not None else b"",
            capture_output=True,
            timeout=WITHIN_S,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except FileNotFoundError:
        raise PrinterError(
            f"{words[0]} is missing, with which CUPS prints; sudo apt install cups, {INSTEAD}"
        ) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        why = f"within {WITHIN_S:.0f} s" if isinstance(error, subprocess.TimeoutExpired) else error
        raise PrinterError(
            f"{words[0]} gives no answer ({why}); sudo systemctl restart cups, {INSTEAD}"
        ) from None
    texts = (each.decode(errors="replace") for each in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(words, done.returncode, *texts)


def _reason(error: str) -> str:
    """Return what `lp` says, without its own name.

    >>> _reason('lp: Destination "den" is not accepting jobs.')
    'Destination "den" is not accepting jobs'
    """
    said = " ".join(error.split()).removeprefix("lp:").strip().removeprefix("Error - ")
    return said.rstrip(".") or "it does not say why"
