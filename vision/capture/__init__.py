"""Capture: cameras, frames, and the motion gate.

`camera`: sources of frames; `live_camera`: real cameras, each owned by a `device_process` that
opens a `device` and hands on `shared_pictures`; `picture_check`: black and repeated pictures;
`fake_device`: one that fails; `stream_check`: whether a stream gives a picture; `frame`: a picture
and its decoding; `frame_cache`: results of the last frames; `motion_gate`: whether the table is at
rest. Knows nothing of tables or games. Every other room may import it; it imports none.
"""
