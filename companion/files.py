"""Files that are written whole or not at all."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write *data* to *path* so that a file cut short by a power cut is never seen.

    mode: who may read it, less the umask.  Raises OSError, and the old file is still there.
    """
    draft = path.with_name(path.name + ".part")
    draft.unlink(missing_ok=True)
    draft.touch(mode=mode, exist_ok=False)
    with draft.open("wb") as target:
        target.write(data)
        target.flush()
        os.fsync(target.fileno())
    draft.replace(path)
