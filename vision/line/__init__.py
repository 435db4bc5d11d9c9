"""Tiki Topple's reader: which Tiki stands in which slot of the line.

`reader`: from a frame to an observation; `view`: rectified pictures and masks; `faces`: template
matching; `default_faces`: templates before a calibration; `assignment`: a Tiki stands once;
`empty_slots`: plain wood. Imports the rooms below it, and no other game's reader. Only
`companion.table.line_setup` imports it.
"""
