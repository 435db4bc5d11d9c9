"""Photometry: colour constancy, white balance, exposure, saturation.

`chromaticity`: log-chromaticities and fitted colour corrections; `white_reference`: white balance
by the tiles' paper; `saturated_white`: paper brighter than the sensor shows. Imports `capture` and
`geometry`.
"""
