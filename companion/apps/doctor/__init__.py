"""What keeps the configured table from working on this machine, and the remedy for it.

Each check is a function from the machine and the settings to a verdict; none changes anything.
Imports `config` alone, and `hardware`.
"""
