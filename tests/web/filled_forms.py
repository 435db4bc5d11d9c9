"""Forms that somebody has filled in, and the action that they send."""

import random

from tests.web.forms import Form


def filled(rng: random.Random, form: Form) -> dict[str, str]:
    """Return what somebody might send with *form*; no two pickers choose the same."""
    sent = form.fields | {name: rng.choice(values) for name, values in form.choices.items()}
    picked: set[str] = set()
    for name in form.pickers:
        values = [each for each in form.choices[name] if each not in picked]
        sent[name] = rng.choice(values)
        picked.add(sent[name])
    for name, value in sent.items():
        if name.startswith("part") and value == "":  # points
            sent[name] = str(rng.choice([0, 7, 20, 30, 55, 3, 9999]))
    return sent


def action_of(sent: dict[str, str]) -> str:
    """Return the action that a form has put together, "" if it sends none."""
    parts = (sent[name] for name in sorted(sent) if name.startswith("part"))
    return " ".join(" ".join((sent.get("action", ""), *parts)).split())
