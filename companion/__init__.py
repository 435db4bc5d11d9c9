"""The spine: rules, referee, session, daemon and pages; the only package that knows the others."""

__version__ = "0.1.0"
