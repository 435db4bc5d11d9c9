"""Random people at the pages: what they choose of what is offered, and how they tap it in."""

import random

import httpx
from playwright.sync_api import Locator, Page

from tests.web.filled_forms import action_of, filled
from tests.web.forms import Form, forms_of

TRIES = 60
RANKS = "1122334455"
"""Two pieces of each rank, by one letter each."""
SHORT = {
    "tiki_topple": {"rounds": "1"},
    "topple": {"target": "9"},
    "tippi_toppi": {"goals": "4"},
    "uno_tiki": {"target": "1"},
    "score_sheet": {"rounds": "12"},
}
"""What the form of a new game is told, so that it is over soon."""
RASH = ("topple", "knock", "stuck", "time", "draw", "end")
"""What ends a game early, or never lets it end: taken if there is nothing else."""


def forms_in(html: str) -> list[Form]:
    """Return the forms of a page."""
    return forms_of(httpx.Response(200, html=html))


def is_wise(rng: random.Random, action: str) -> bool:
    """Tell whether somebody would do *action* who wants the game to end in a good way."""
    match action.split():
        case ["move", source, target]:
            # The tribes walk towards each other; who is to move is offered moves of its own only.
            return source[0] != target[0] or rng.random() < 0.3
        case ["back", _, *named]:
            # Unless its own phone says which piece it is, every one is possible from then on.
            return bool(named) and rng.random() < 0.2
        case [verb, *_]:
            return verb not in RASH
    return False


def chosen(rng: random.Random, html: str) -> tuple[int, dict[str, str]] | None:
    """Return which form of a page to send, and what with it; None if it offers nothing."""
    forms = forms_in(html)
    open_ones = [(at, form) for at, form in enumerate(forms) if form.path == "/enter"]
    if not open_ones:
        return None
    for _ in range(TRIES):
        at, form = rng.choice(open_ones)
        sent = filled(rng, form)
        if "from" in sent:
            sent["from"] = sent["action"].split()[1]
        if is_wise(rng, action_of(sent)):
            break
    return at, sent


def unfold(piece: Locator) -> None:
    """Tap on whatever hides *piece*."""
    closed = piece.locator("xpath=ancestor::details[not(@open)]")
    while closed.count():
        closed.first.locator("> summary").click()
    if not piece.is_visible():
        # What a choice shows: the label of its radio, just before the row that has the piece.
        value = (piece.get_attribute("value") or "").partition(" ")[0]
        shown_by = piece.page.locator(f'label.tt-card[for="card-{value}"]')
        if shown_by.count():
            shown_by.first.click()


def fill_in(form: Locator, sent: dict[str, str]) -> Locator:
    """Fill in a form on a page and return the button that sends it."""
    button = form.locator("button").last
    for name, value in sent.items():
        piece = form.locator(f'[name="{name}"]')
        one = form.locator(f'[name="{name}"][value="{value}"]')
        kind = piece.first.evaluate("(piece) => piece.type")
        if kind == "hidden":
            continue
        unfold(one.first if kind == "radio" else piece.first)
        if kind == "submit":
            button = one.first
        elif kind == "radio":
            label = one.evaluate_handle("(piece) => piece.labels[0]").as_element()
            assert label
            label.click()
        elif kind == "select-one":
            piece.select_option(value)
        else:
            piece.fill(value)
    unfold(button)
    return button


def tap(page: Page, form: Locator, sent: dict[str, str]) -> None:
    """Send a form by taps; if it is refused, that is the rules' word."""
    button = fill_in(form, sent)
    with page.expect_navigation(wait_until="load"):
        button.click()
    for words in page.locator("#alert").all_text_contents():
        assert words.startswith("The rules do not allow that: "), (sent, words)


def secret_of(rng: random.Random, form: Form) -> dict[str, str]:
    """Return what a seat may enter for its own eyes: ten ranks, or three tikis."""
    if form.pickers:
        return dict(zip(form.pickers, rng.sample(RANKS, len(RANKS)), strict=True))
    names = list(form.choices)
    if len(names) == len(RANKS):
        return dict(zip(names, rng.sample(RANKS, len(RANKS)), strict=True))
    return dict(zip(names, rng.sample(form.choices[names[0]], len(names)), strict=True))
