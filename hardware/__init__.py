"""Devices on the table: lights, displays, sound and sensors.

Each kind has one interface, with a fake beside the real drivers. Knows no game; it imports neither
`companion` nor `vision`, and `companion` imports it.
"""
