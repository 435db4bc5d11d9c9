"""The session: an append-only log on disk, and the game that follows from it."""
