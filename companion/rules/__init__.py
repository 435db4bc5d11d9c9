"""The rules of the games: pure functions on frozen states, the standard library only."""
