"""The rules are tested as they are written, whether or not they are compiled here."""

import os

# Before any module of the companion is imported.
os.environ.setdefault("TIKI_RULES", "plain")
