"""Tiki Topple's reader: which Tiki stands in which slot of the line.

Imports the rooms of pixels and light below it, and no other game's reader. Only
`companion.games.tiki_topple.eyes` imports it.
"""
