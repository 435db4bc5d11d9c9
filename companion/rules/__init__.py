"""The rules of the games: pure functions that change no state, the standard library only.

A package per game, and beside them what all share: the notation of actions, and the protocol that
other programs speak. Every room may import it; it imports none.
"""
