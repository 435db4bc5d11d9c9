"""Pages that have to be well formed, and the attributes of all that is on them."""

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "img", "br", "circle", "rect", "path", "use"}


class Balanced(HTMLParser):
    """Collects the elements of a page and notices those that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.attributes.append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Fail if another element is still open."""
        assert self.open.pop() == tag


def read_page(text: str) -> list[dict[str, str | None]]:
    """Return the attributes of every element; fails if the page is not well formed."""
    reader = Balanced()
    reader.feed(text)
    assert reader.open == []
    return reader.attributes
