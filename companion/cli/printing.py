"""`tiki print`: corner tiles, stickers, a check ruler and seat cards, as PDF at true scale."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.apps.printing.choices import PAPERS, RULER, SEATS, printable
from companion.apps.printing.known_scales import name_scale
from companion.apps.printing.printers import PrinterError, require_printer, send
from companion.cli.failure import Failure
from companion.cli.settings import read_settings
from companion.config.web import WebConfig, check_web
from companion.language.catalogue import LANGUAGES
from companion.registry import GAMES, with_mats
from companion.validation import Misfit
from companion.web.http.reach import Reach, reaches_phones

if TYPE_CHECKING:
    from companion.apps.printing.sheets import Print

STDOUT: Final = "-"
DEFAULT_SEATS: Final = 4
SEAT_COUNTS: Final = range(1, 11)
MEASURED_MM: Final = (94.0, 106.0)
"""What a ruler of 100 mm may measure; a page that is stretched more leaves the paper."""
TRUE_MM: Final = 0.3
"""Nobody measures 100 mm better than that, and no tile is off by more than 0.15 mm then."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "print",
        help="make corner tiles, stickers, a check ruler or seat cards as a PDF",
        description="Makes a PDF at true scale: all that a game needs (its corner tiles, and"
        " stickers for a board that needs some), a ruler that shows at what size your printer"
        " prints, or cards with a QR code for the seats. Print it at 100 % (actual size), or have"
        " it printed so: --printer NAME.",
    )
    parser.add_argument(
        "what",
        metavar="GAME|ruler|seats",
        help=f"{', '.join(with_mats())}; ruler: to check the size of prints; seats: cards with a"
        " QR code, for every game",
    )
    parser.add_argument("--page", default="a4", metavar="SIZE", help="a4 or letter; default: a4")
    parser.add_argument(
        "--language", default="en", metavar="L", help=f"{', '.join(LANGUAGES)}; default: en"
    )
    _add_targets(parser)
    parser.add_argument(
        "--measured",
        nargs=2,
        type=float,
        metavar=("ACROSS", "DOWN"),
        help="what the two rulers of 100 mm measure on your print, in mm: makes up for a printer"
        " that does not print at true scale",
    )
    parser.add_argument(
        "--seats", type=int, default=DEFAULT_SEATS, metavar="N", help="how many cards; default: 4"
    )
    parser.add_argument(
        "--address",
        metavar="URL",
        help="where phones reach the companion; default: web.address of the settings, else this"
        " machine's",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the settings that tiki run is started with"
    )
    parser.set_defaults(run=run)


def _add_targets(parser: argparse.ArgumentParser) -> None:
    """Add where the PDF goes."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="a new file, or - for the standard output; default: one like tiki-GAME-a4.pdf",
    )
    parser.add_argument(
        "--printer",
        metavar="NAME",
        help="print it instead of writing a file: at true size, on that paper, on one side; a name"
        " that there is not is answered with those there are",
    )
    parser.add_argument("--replace", action="store_true", help="replace the file if it exists")


def run(arguments: argparse.Namespace) -> int:
    """Make the PDF, and say where it is and what to do with it."""
    _check(arguments)
    stretch = _stretch(arguments.measured)
    if arguments.printer is not None:
        return _print(arguments, stretch)
    file = None if arguments.out == STDOUT else Path(arguments.out or _name(arguments))
    if file is None and sys.stdout.isatty():
        raise Failure("a PDF cannot be shown in a terminal; name a file with --out, or use a pipe")
    if file is not None:
        _require_free(file, replaces=arguments.replace)
    printed = _printed(arguments)
    data = printed.to_pdf(arguments.page, arguments.language, stretch)
    if file is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    _write(file, data)
    _tell(file, len(printed.pages), arguments.page, arguments.measured)
    return 0


def _print(arguments: argparse.Namespace, stretch: tuple[float, float]) -> int:
    """Have it printed, and say as which job; raises Failure."""
    paper = PAPERS[arguments.page]
    try:
        require_printer(arguments.printer, paper)
        printed = _printed(arguments)
        data = printed.to_pdf(arguments.page, arguments.language, stretch)
        job = send(data, _name(arguments), arguments.printer, paper)
    except PrinterError as error:
        raise Failure(str(error)) from None
    print(f"{job.name}: {_pages(len(printed.pages))}, {paper.title}, at true size")
    if job.waits:
        print(job.waits)
    print(
        "Both rulers on it must measure 100 mm; if not, tell what they do: --measured ACROSS DOWN."
    )
    return 0


def _check(arguments: argparse.Namespace) -> None:
    what, page, language, seats = (
        getattr(arguments, name) for name in ("what", "page", "language", "seats")
    )
    if what in GAMES and not GAMES[what].has_mat:
        raise Failure(f"{what} is played without a mat, so it has no tiles to print")
    if what not in printable():
        known = ", ".join(printable())
        raise Failure(f"there is nothing called {what!r} to print; choose from {known}")
    if page.lower() not in PAPERS:
        raise Failure(f"--page is {page!r}; it must be {' or '.join(PAPERS)}")
    arguments.page = page.lower()
    if language not in LANGUAGES:
        raise Failure(f"--language is {language!r}; it must be {' or '.join(LANGUAGES)}")
    if seats not in SEAT_COUNTS:
        raise Failure(f"--seats is {seats}; it must be {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    if arguments.printer is not None and (arguments.out or arguments.replace):
        raise Failure("--printer writes no file; leave --out and --replace out, or --printer")


def _require_free(file: Path, *, replaces: bool) -> None:
    """Raise Failure if what is at *file* must not be overwritten."""
    try:
        is_there, is_file = file.exists(), file.is_file()
    except OSError:  # of a name that is too long; writing says so
        return
    if is_there and not is_file:
        raise Failure(f"{file} is no file; name a new one with --out")
    if is_there and not replaces:
        raise Failure(f"{file} exists already; name another with --out, or say --replace")


def _stretch(measured: list[float] | None) -> tuple[float, float]:
    """Return how much larger to draw across and down; raises Failure."""
    low, high = MEASURED_MM
    across, down = measured or (100.0, 100.0)
    known = name_scale(across, down)
    what = f", which is {known}" if known else ""
    for length in (across, down):
        if not low <= length <= high:
            raise Failure(
                f"--measured has {length:g}{what}; the rulers of 100 mm must measure {low:g} to"
                f" {high:g} mm: choose “100 %” or “actual size” and the page's own paper in the"
                " print dialogue, or say --printer NAME, and print again"
            )
    return 100.0 / across, 100.0 / down


def _printed(arguments: argparse.Namespace) -> "Print":
    from companion.apps.printing.sheets import check_ruler, game_sheets, seat_cards

    if arguments.what == RULER:
        return check_ruler()
    if arguments.what == SEATS:
        return seat_cards(_address(arguments), arguments.seats)
    return game_sheets(arguments.what)


def _address(arguments: argparse.Namespace) -> str:
    """Return where phones reach the companion; raises Failure."""
    web = read_settings(arguments.config).web
    reach = Reach(web.host, web.port, web.address)
    address: str = (arguments.address or reach.url).rstrip("/")
    try:
        check_web(WebConfig(address=address))
    except Misfit:
        raise Failure(
            f"--address is {address!r}; it must be like http://tiki.local:8321, with nothing behind"
            " the name but perhaps a port"
        ) from None
    if not reaches_phones(address):
        raise Failure(
            f"{address} leads phones nowhere; give the companion's address in your network, such as"
            " --address http://tiki.local:8321"
        )
    if not arguments.address and len(reach.places) > 1:
        others = ", ".join(f"{each.url} ({each.link})" for each in reach.places[1:])
        print(f"The cards lead to {address}; for another use --address: {others}", file=sys.stderr)
    return address


def _name(arguments: argparse.Namespace) -> str:
    language = "" if arguments.language == "en" else f"-{arguments.language}"
    return f"tiki-{arguments.what}-{arguments.page}{language}.pdf"


def _write(file: Path, data: bytes) -> None:
    """Write *data* to *file*, whole or not at all; raises Failure."""
    draft = file.with_name(f"{file.name}.part")
    try:
        draft.write_bytes(data)
        draft.replace(file)
    except OSError as error:
        _discard(draft)
        raise Failure(
            f"{file} cannot be written ({error.strerror}); name a file in another folder with"
            " --out, nothing was changed"
        ) from None


def _discard(draft: Path) -> None:
    try:
        draft.unlink(missing_ok=True)
    except OSError:
        return


def _tell(file: Path, pages: int, page: str, measured: list[float] | None) -> None:
    print(f"{file}: {_pages(pages)}, {PAPERS[page].title}")
    if measured and any(abs(length - 100.0) > TRUE_MM for length in measured):
        across, down = measured
        print(
            f"Your printer printed at {across:g} % across and {down:g} % down: this file makes up"
            " for it. Print it with the same settings as before, and measure the rulers again."
        )
        if known := name_scale(across, down):
            print(f"That is {known}; better choose the page's own paper when you print.")
    else:
        print("Print it at 100 % (actual size); both rulers on it must measure 100 mm.")


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"
