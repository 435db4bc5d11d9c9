"""Computer vision: from pictures of the table to observations.

`capture`: cameras and frames; `geometry`: markers, poses, rectification; `photometry`: colour
constancy; `occlusion`: arms; `line`, `cards`, `columns`: the games' readers; `observation`: what
they report; `inference`: small networks. Below each, the docstring lists its modules.
"""
