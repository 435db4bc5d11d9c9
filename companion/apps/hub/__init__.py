"""The hub: all tables of a broker, their standings and a tournament, kept in a database.

It knows of the tables what they publish (docs/mqtt.md) and nothing else: no rules, no log.
"""
