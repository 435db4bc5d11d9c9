"""The readers of columns on a board: stacks such as TacTiki's, piles of discs, Topple's towers.

A network estimates heights from patches, `cues` are fused with it, and colours learned at the table
name what lies on top. The two readers share the board reader; only the set-ups of games with
columns import them.
"""
