"""How the networks were made: samples, networks, fits, and rehearsals that judge them.

Networks learn from what `rendering` draws; `vision` ships them.
"""
