"""Topple at the table: what the referee, the eyes and the pages want of it."""
