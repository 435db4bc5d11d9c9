"""Capture: cameras, frames, and the motion gate.

`camera`: sources of glances; `live_camera`: real cameras, each owned by a `watched_process` that
runs `device_process`, opens a `device` (`pi_device`, `video_device`) and hands on
`shared_pictures`; `camera_list`: which are here; `phone_camera`: a phone that sends its pictures by
itself; `switched_camera`: one in whose place another is put; `sensor_mode`: how one shows its whole
view; `lens_prior`: the angle of a known one; `colour_origin`: how colours come; `exposure_lock`:
what a camera is held at; `picture_fault`: what may be wrong with pictures; `picture_check`: black
and repeated ones; `fake_device`: one that fails; `stream_check`: whether a stream gives a picture;
`frame`: a picture and its decoding; `glance`: a small one, and the way to the whole;
`frame_cache`: results of the last frames; `motion_gate`: whether the table is at rest.
Knows nothing of tables or games. Every other room may import it; it imports none.
"""
