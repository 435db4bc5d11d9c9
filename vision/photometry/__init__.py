"""What light does to colour: white reference, exposure, chromaticity, colour constancy.

Says how bright and how coloured a surface is, never what it is. Imports `capture` and `geometry`.
"""
