"""Occlusion: arms over the table, the background models that show them, and their side.

`board_background`: a printed board; `background`: a bare table around objects; `arm_direction`: the
whole table, and the side from which an arm comes; `arm_tracking`: arms over boards of columns, from
picture to picture; `arms_over_cards`: arms over cards. Which places are hidden, never what stands
there. The readers import it; it imports `photometry`, `geometry` and `capture`.
"""
