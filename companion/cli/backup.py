"""`tiki backup` and `tiki restore`: all of a table in one file, and back from it."""

import argparse
import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from companion.apps.backup.archive import (
    PHOTOGRAPHED_CARDS,
    SETTINGS,
    BadBackup,
    Manifest,
    extract,
)
from companion.apps.backup.making import (
    CannotBackUp,
    check_backup,
    dated_name,
    explained,
    make_backup,
    prune_backups,
)
from companion.apps.backup.restoring import NOTHING_RESTORED, CannotRestore, restore
from companion.cli.failure import Failure
from companion.config import BadConfig, Config, load_config, log_path
from companion.files import NoScratch, scratch_folder
from companion.session.log_errors import LogError
from companion.session.schema import Extent

_CONFIG = "the settings that tiki run is started with"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add both commands to *commands*."""
    parser = commands.add_parser(
        "backup",
        help="save settings, calibrations, games and keys in one file, while the game goes on",
        description="Saves settings, calibrations, games and keys in one file, reads it back and"
        " verifies it. The companion may run meanwhile. The file has the host's key and hidden"
        " cards in it: only its owner can read it, on disks that know owners.",
    )
    parser.add_argument(
        "target",
        type=Path,
        nargs="?",
        metavar="FILE|DIR",
        help="a new file with a name that ends in .zip, or a folder that exists; default:"
        " backup.folder of the settings, or the current folder",
    )
    parser.add_argument("--check", action="store_true", help="only verify the backup FILE")
    parser.add_argument("--frames", action="store_true", help="also the kept pictures of the table")
    parser.add_argument(
        "--keep", type=int, metavar="N", help="afterwards keep only the newest N of these backups"
    )
    _add_places(parser)
    parser.set_defaults(run=run_backup)
    parser = commands.add_parser(
        "restore",
        help="restore what is in a backup",
        description="Verifies a backup and restores games, calibrations and keys. Stop the"
        " companion first. What is there already is kept under another name.",
    )
    parser.add_argument("backup", type=Path, metavar="FILE", help="a file made by tiki backup")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="restore even if there are games or settings that the backup lacks",
    )
    _add_places(parser, "where to write the settings; otherwise they are left out")
    parser.set_defaults(run=run_restore)


def _add_places(parser: argparse.ArgumentParser, words: str = _CONFIG) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help=words)
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="the saved games; default: those of tiki run"
    )


def run_backup(arguments: argparse.Namespace) -> int:
    """Make a backup, or check one, and say what is in it."""
    target, keep = arguments.target, arguments.keep
    if keep is not None and keep < 1:
        raise Failure(f"--keep is {keep}; it must be 1 or more")
    try:
        if arguments.check:
            return _check(target)
        config = load_config(arguments.config)
        file = _file_of(target, config.backup.folder, is_folder=keep is not None)
        log = arguments.log or log_path(config)
        with _in_order():
            manifest = make_backup(log, arguments.config, file, frames=arguments.frames)
        print(f"{file}: {_describe(manifest)}; written, read back and verified")
        if arguments.config is None:
            print("It has no settings in it; to save them too, name their file with --config.")
        if keep is not None:
            with explained(file, CannotBackUp, "older backups were not removed"):
                prune_backups(file.parent, keep)
    except (BadConfig, BadBackup, LogError, NoScratch, CannotBackUp, CannotRestore) as error:
        raise Failure(str(error)) from None
    return 0


def _file_of(target: Path | None, usual: str, *, is_folder: bool) -> Path:
    """Return the file that is to be written: *target*, or one in the folder that this is.

    usual: the folder where no target is named.  A name that does not end in .zip is a folder's: of
    one that is not there now, for its disk is away, no file takes the place.  Raises Failure.
    """
    if target is not None and not is_folder and not target.is_dir() and target.suffix == ".zip":
        return target
    folder = Path(usual or ".") if target is None else target
    if folder.exists() and not folder.is_dir():
        raise Failure(f"{folder} is no folder, and a backup's name ends in .zip; name another")
    return folder / dated_name()


@contextlib.contextmanager
def _in_order() -> Iterator[None]:
    """Let a request to end be one to clean up first."""

    def leave(number: int, frame: FrameType | None) -> None:
        del frame
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _check(path: Path | None) -> int:
    if path is None:
        raise Failure("--check verifies a backup; name its file")
    manifest = _verify(path)
    print(f"{path}: {_describe(manifest)}; undamaged")
    print(f"It was made at {manifest.made_at} by tiki {manifest.version}.")
    return 0


def _verify(path: Path) -> Manifest:
    """Return the manifest of a backup in order; raises BadBackup or CannotRestore."""
    if not path.exists():
        raise BadBackup(f"there is no {path}; name a file that tiki backup has made")
    if path.is_dir():
        raise BadBackup(f"{path} is a folder; name one of the backups in it")
    with (
        explained(path, CannotRestore, "the backup cannot be read"),
        scratch_folder("backup") as folder,
    ):
        return check_backup(path, folder)


def _describe(manifest: Manifest) -> str:
    names = [member.name for member in manifest.members]
    parts = [str(Extent(manifest.sessions, manifest.entries))]
    frames = sum(name.startswith("games.frames/") for name in names)
    kinds = {
        "settings": SETTINGS in names,
        "keys": "games.keys.json" in names,
        "calibrations": any("colours" in name or "lessons" in name for name in names),
        f"{frames} pictures": frames,
    }
    return ", ".join([*parts, *(kind for kind, is_there in kinds.items() if is_there)])


def _config(manifest: Manifest, backup: Path, settings: Path | None) -> Config:
    """Return the settings that will be in force; raises BadConfig."""
    member = manifest.member(SETTINGS)
    if settings is None or member is None:
        return load_config(settings)
    with scratch_folder("backup") as folder:
        file = folder / SETTINGS
        with explained(file, CannotRestore, NOTHING_RESTORED):
            extract(backup, member, file)
        try:
            return load_config(file)
        except BadConfig as error:
            words = str(error).replace(str(file), f"the settings in {backup}")
            raise BadConfig(
                f"{words}; they are of tiki {manifest.version}: update the companion, or leave"
                " --config out and restore the rest"
            ) from None


def run_restore(arguments: argparse.Namespace) -> int:
    """Restore a backup, and say what was put where."""
    backup, settings = arguments.backup, arguments.config
    try:
        manifest = _verify(backup)
        log = arguments.log or log_path(_config(manifest, backup, settings))
        with _in_order():
            done = restore(backup, log, settings, replaces=arguments.replace)
    except (BadConfig, BadBackup, LogError, NoScratch, CannotRestore) as error:
        raise Failure(str(error)) from None
    print(f"{log}: {_describe(done.manifest)}; restored")
    if done.kept:
        print(f"What was there is kept as {', '.join(map(str, done.kept))}.")
    if settings is None and done.manifest.member(SETTINGS):
        print("The settings in it were left out; to restore them, name their file with --config.")
    if done.manifest.member(PHOTOGRAPHED_CARDS):
        print("The photographed cards in it were left out; such cards are entered by tap.")
    return 0
