"""What Blender's own Python runs: `blender -b -P rendering/blender/render.py -- FOLDER`."""
