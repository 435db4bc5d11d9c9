"""The session: an append-only log on disk, and the game that follows from it.

Events are written before anything else learns of them, and the state is their fold. Imports
`rules`; the referee and everything above import it.
"""
