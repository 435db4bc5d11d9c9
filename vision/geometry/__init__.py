"""Where things are: detected markers, the poses of camera and board, rectification.

Lengths are millimetres in the frame of the corner tiles: x right, y down, z up from the table.
Imports `capture` alone; photometry, occlusion and the readers build on it.
"""
