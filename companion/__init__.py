"""The application: rules, referee, session, daemon, pages; imports `vision` and `hardware`."""

__version__ = "0.1.0"
