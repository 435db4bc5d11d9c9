"""Scenes, cards and films drawn by our own code, never photographs.

Networks learn from them, rehearsals and tests look at them. What runs inside Blender is in
`rendering.blender`.
"""
