"""The referee: the only part that speaks both of the table and of the game.

It takes observations, sensor facts and what people enter, and accepts events into the session. It
imports `session` and `rules`, never pixels or devices; games, pages and everything above import it.
"""
