"""Forms for tests: what the forms of a page send, as a browser would."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx


@dataclass
class Form:
    """A form of a page: where it goes, what it sends as it stands, and what may be chosen.

    choices: of buttons, radios and pickers.  pickers: the names of those that are pickers, or
        radios that put together an action.
    boxes: what each box sends that may be ticked, by its name.
    """

    path: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    pickers: list[str] = field(default_factory=list)
    boxes: dict[str, str] = field(default_factory=dict)


class _Forms(HTMLParser):
    """Finds the forms of a page; what is off, or chooses nothing, is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._wordless: bool | None = None  # an option that sends its text; whether it is selected
        self._is_sent = True  # a picker without a name is for a script alone

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of what can be sent."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given["action"]))
        elif tag == "select" and "name" not in given:
            self._is_sent = False
        elif tag == "option" and not self._is_sent:
            return
        elif tag == "option" and "value" not in given:
            self._wordless = "selected" in given
        elif tag == "option":
            self._pick(given["value"], "selected" in given)
        elif not self.found or "name" not in given or "disabled" in given:
            return
        elif tag == "select":
            self.found[-1].pickers.append(given["name"])
        elif tag == "button" or given.get("type") == "radio":
            pickers = self.found[-1].pickers
            if given["name"].startswith("part") and given["value"] and given["name"] not in pickers:
                pickers.append(given["name"])
            self._choose(given["name"], given["value"], "checked" in given)
        elif tag == "input":
            if given.get("type") == "checkbox":
                self.found[-1].boxes[given["name"]] = given.get("value", "")
            if given.get("type") != "checkbox" or "checked" in given:
                self.found[-1].fields[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """Take note of the end of a picker."""
        if tag == "select":
            self._is_sent = True

    def handle_data(self, data: str) -> None:
        """Take the text of an option that has no value."""
        if self._wordless is not None:
            self._pick(data, self._wordless)
            self._wordless = None

    def _pick(self, value: str, is_chosen: bool) -> None:
        name = self.found[-1].pickers[-1]
        self._choose(name, value, is_chosen or name not in self.found[-1].fields)

    def _choose(self, name: str, value: str, is_chosen: bool) -> None:
        if value:
            self.found[-1].choices.setdefault(name, []).append(value)
        if is_chosen:
            self.found[-1].fields[name] = value


class _Folds(HTMLParser):
    """Finds buttons and how many folds are closed above each."""

    def __init__(self) -> None:
        super().__init__()
        self.closed: list[bool] = []
        self.found: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of a fold or a button."""
        given = dict(attrs)
        if tag == "details":
            self.closed.append("open" not in given)
        elif tag == "button" and given.get("name") == "action":
            self.found[given["value"] or ""] = sum(self.closed)

    def handle_endtag(self, tag: str) -> None:
        """Leave a fold."""
        if tag == "details":
            self.closed.pop()


def taps_of(page: httpx.Response) -> dict[str, int]:
    """Return in how many taps each action is entered that has a button of its own on *page*."""
    parser = _Folds()
    parser.feed(page.text)
    return {action: 1 + folds for action, folds in parser.found.items()}


def forms_of(page: httpx.Response) -> list[Form]:
    """Return the forms of *page*."""
    parser = _Forms()
    parser.feed(page.text)
    return parser.found


def form_of(page: httpx.Response, path: str) -> Form:
    """Return the one form of *page* that goes to *path*."""
    (found,) = (form for form in forms_of(page) if form.path == path)
    return found


def actions_of(page: httpx.Response) -> list[str]:
    """Return what may be entered on *page*."""
    return [
        action
        for form in forms_of(page)
        if form.path == "/enter"
        for action in form.choices.get("action", ())
    ]
