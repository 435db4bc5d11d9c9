"""How the networks were made: scenes, cards and films drawn by our own code, never photographs.

The same scenes, cards and films are what tests and rehearsals look at.
"""
