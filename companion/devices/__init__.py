"""The devices that the settings name: opened, calibrated, and put into the referee's words.

Imports `hardware`. The daemon, the pages and the commands import it; it imports none of these.
"""
