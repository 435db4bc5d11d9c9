"""The readers of columns on a board: stacks such as TacTiki's, piles of discs, Topple's towers.

A network estimates heights from patches, and `cues` to those of figures are fused with it; another
network tells how discs have changed. Colours learned at the table name what lies on top. The two
readers share the board reader; only the set-ups of games with columns import them.
"""
