"""Devices on the table: lights, displays, sound and sensors."""
