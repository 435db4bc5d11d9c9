"""Capture: cameras, frames, and the motion gate.

`camera`: sources of frames; `frame`: a picture and its decoding; `frame_cache`: results of the last
frames; `motion_gate`: whether the table is at rest. Knows nothing of tables or games. Every other
room may import it; it imports none.
"""
