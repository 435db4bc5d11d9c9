"""`tiki cards`: cards that the owner shows once and names, to be recognised in photographs."""

import argparse
from collections.abc import Callable
from pathlib import Path

from companion.apps.cards.card_register import (
    NOTHING_LOST,
    BadRegister,
    Register,
    change_register,
    load_register,
    register_path,
    with_shown,
    without_card,
)
from companion.cli.failure import Failure
from companion.cli.settings import read_settings
from companion.config import log_path
from vision.capture.frame import BadPicture, load_frame


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command with its parts to *commands*."""
    parser = commands.add_parser(
        "cards",
        help="register cards of your own, such as secret tikis, by a photograph and a name",
        description="Saves cards that you photograph once and name: secret tikis, Tiki Faces, goal"
        " cards. tiki read --card and the players' pages then recognise them. They are stored"
        " beside the saved games, readable by this user only, and are in every backup.",
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    adding = parts.add_parser("add", help="register the card that a photograph shows")
    adding.add_argument("name", metavar="NAME", help="what it is called, such as “Secret tiki 3”")
    adding.add_argument("image", type=Path, metavar="IMAGE", help="the whole card, from above")
    adding.set_defaults(run=run_add)
    listing = parts.add_parser("list", help="print the names of all registered cards")
    listing.set_defaults(run=run_list)
    removing = parts.add_parser("remove", help="forget a registered card")
    removing.add_argument("name", metavar="NAME")
    removing.set_defaults(run=run_remove)
    for part in (adding, listing, removing):
        add_places(part)


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the options that say beside which log the cards are kept."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the settings that tiki run is started with"
    )
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="the saved games; default: those of tiki run"
    )


def find_register(arguments: argparse.Namespace) -> Path:
    """Return where the cards are kept; raises Failure."""
    return register_path(arguments.log or log_path(read_settings(arguments.config)))


def load(path: Path) -> Register:
    """Return the cards kept in *path*; raises Failure."""
    try:
        return load_register(path)
    except BadRegister as error:
        raise Failure(str(error)) from None


def run_add(arguments: argparse.Namespace) -> int:
    """Register a card, unless it would be taken for one that is registered."""
    path = find_register(arguments)
    try:
        picture = load_frame(arguments.image).picture
    except BadPicture as error:
        raise Failure(str(error)) from None

    def add(known: Register) -> Register:
        try:
            return with_shown(known, arguments.name, picture)
        except BadRegister as error:
            raise Failure(f"{arguments.image}: {error}") from None

    cards = _change(path, add)
    print(f"“{' '.join(arguments.name.split())}” is registered; {len(cards)} cards in {path}")
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    """Print one name a line."""
    for card in load(find_register(arguments)):
        print(card.name)
    return 0


def run_remove(arguments: argparse.Namespace) -> int:
    """Forget a card."""
    path = find_register(arguments)
    cards = _change(path, lambda known: without_card(known, arguments.name))
    print(f"“{arguments.name}” is removed; {len(cards)} cards in {path}")
    return 0


def _change(path: Path, change: Callable[[Register], Register]) -> Register:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return change_register(path, change)
    except BadRegister as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(
            f"{path} cannot be written ({error.strerror}); {NOTHING_LOST}. Make room or name"
            " another place with --log, and try again"
        ) from None
