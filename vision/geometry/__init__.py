"""Geometry: layouts, markers, the poses of camera and balance board, rectification.

`layout`, `session_values`: the table's description; `table_view`: one picture, scaled and searched
for markers once for all; `lens`, `distortion`: what is known of a lens; `camera_distance`: where a
camera has to be; `marker_corners`, `marker_template`, `marker_tracking`, `tile_scale`: corner
tiles; `peak`: a place between samples; `corner_fit`, `corner_tracking`, `outline_tracking`: boards
and sheets without them; `tile_agreement`, `view_watch`: what was bumped; `tile_looks`: what the
light and the lens do; `pose`: projections and homographies; `board_pose`: a balance board with
hidden markers; `rectification`: areas seen from above, and occlusion masks.

Lengths are millimetres in the frame of the corner tiles: x right, y down, z up from the table.
Imports `capture` alone; photometry, occlusion and the readers build on it.
"""
