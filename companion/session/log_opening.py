"""Opens the log to play on in: the one that is named, or a copy where that cannot be written."""

import logging
from contextlib import suppress
from pathlib import Path

from companion.language.message import say
from companion.session.log import Log
from companion.session.log_errors import ELSEWHERE, LogError, is_there
from companion.session.log_place import CannotCopy, obstacle, stand_in

logger = logging.getLogger(__name__)


def open_log(path: Path, lasting: Path) -> tuple[Log, str]:
    """Return the log at *path*, or a copy of it, and what to tell people of that, "" mostly.

    A log that is there and cannot be written, such as on a card that has gone read-only, is played
    on in a copy of it and of all that is kept beside it.
    lasting: a folder that keeps what is put into it when the machine is switched off; it is made
        for a log in it.
    Raises LogError.
    """
    if path.parent == lasting:
        with suppress(OSError):  # what cannot be made is said below
            lasting.mkdir(mode=0o700, parents=True, exist_ok=True)
    reason = obstacle(path)
    if not reason or not is_there(path):
        return Log(path), ""
    try:
        copy = stand_in(path, [lasting])
    except CannotCopy as error:
        raise LogError(f"{path} cannot be written: {reason}; {ELSEWHERE}; {error}") from None
    if copy.is_relative_to(lasting):
        note = say(
            "{log} cannot be written: {reason}. The games go on in a copy, {copy}, and nothing new"
            " is kept in the old file",
            log=path,
            reason=reason,
            copy=copy,
        )
    else:
        note = say(
            "{log} cannot be written: {reason}. The games go on in a copy, {copy}, which is gone"
            " when this computer is switched off (to keep it on another disk: tiki backup FOLDER"
            " --log {copy})",
            log=path,
            reason=reason,
            copy=copy,
        )
    log = Log(copy)
    logger.warning("%s", note)
    return log, note
