"""Printed parts: a foot for the spun idol and a bracket for the tower's ball switches.

The parts are OpenSCAD files, which a maker can also open without this repository's Python.  What
is here finds wrong values before OpenSCAD is started: `./run cad` calls it, the companion never
does, so it is left out of the wheel.
"""
