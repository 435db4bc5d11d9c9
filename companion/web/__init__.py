"""The pages: what phones and screens on the network show, and what people enter there.

Rendered on the server, for each seat by itself, so that no page holds what its reader may not know.
The daemon, the commands and each game's own `pages` import it.
"""
