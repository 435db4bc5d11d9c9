"""The application: rules, referee, session, daemon, pages; imports `vision` and `hardware`."""

from companion import compiled

__version__ = "0.1.0"

compiled.use()
