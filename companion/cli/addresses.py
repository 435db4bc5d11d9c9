"""Where the pages are, as a terminal or the journal shows it, and a code for the host's phone."""

import sys
from collections.abc import Callable

from companion.cli.terminal_qr import terminal_qr
from companion.web.http.reach import Place, Reach, told_apart


def print_addresses(
    reach: Reach, key: str, *words: str, what: str = "Scoreboard", may: str = "change the game"
) -> None:
    """Print where the pages are, *words*, and QR codes of the host's; raises OSError.

    key: the host's.  what: of the page for everybody.  may: what the host can do.
    """
    to_host = f"/?key={key}"
    print(f"{what}, for everybody: {_listed(reach)}")
    print(f"For the host, who can {may}: {_listed(reach, to_host)}", *words, sep="\n")
    if reach.is_cut_off:
        print(reach.obstacle)
    elif name := reach.by_name:
        print(f"By name, which older Android phones do not find: {name}")
    if sys.stdout.isatty():
        for place in told_apart(reach.places):
            _draw(place, to_host)
    sys.stdout.flush()


def print_changes(reach: Reach, key: str, stop: Callable[[], None], **words: str) -> None:
    """Print them again whenever they are others; *stop* is called once nobody reads on.

    words: *what* and *may*, as above.
    """

    def tell() -> None:
        try:
            print("The addresses have changed.")
            print_addresses(reach, key, **words)
        except OSError:
            stop()

    reach.on_change.add(tell)


def _listed(reach: Reach, path: str = "") -> str:
    places = told_apart(reach.places or (Place(reach.url),))
    return ", ".join(f"{each.url}{path}{_by(each)}" for each in places)


def _draw(place: Place, path: str) -> None:
    drawn = terminal_qr(f"{place.url}{path}")
    if drawn:
        words = f"Point your phone’s camera here to be the host{_by(place)}:"
        print(words, drawn, sep="\n")


def _by(place: Place) -> str:
    return f" ({place.link})" if place.link else ""
