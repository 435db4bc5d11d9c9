"""The readers of columns on a board: TacTiki's stacks and Topple's towers.

A network estimates heights from patches, `cues` are fused with it, and colours learned at the table
name what lies on top. The two readers share the board reader; only the eyes of these games import
them.
"""
