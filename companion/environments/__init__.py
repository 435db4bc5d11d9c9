"""The games as environments of PettingZoo, for whoever trains or compares players.

Each module is one game; its `env` makes an environment of the AEC kind.  docs/environments.md tells
what is observed, chosen and left to chance.
"""
