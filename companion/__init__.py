"""The application: rules, referee, session, daemon, pages; imports `vision` and `hardware`."""

from typing import Final

from companion import compiled

__version__ = "0.1.0"
PROGRAM: Final = "tiki"
"""What the companion is called among the programs that run."""

compiled.use()
