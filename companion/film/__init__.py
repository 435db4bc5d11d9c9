"""Whole games as recordings: written, and played back.

Drives the same readers and the same referee as a live table does. The daemon and the commands
import it; it imports neither them nor the pages.
"""
