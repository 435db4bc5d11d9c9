"""The printed parts: their measures, and the meshes that OpenSCAD makes of them."""
