"""What keeps the configured table from working on this machine, and the remedy for it."""
