"""MQTT: the table published to a broker; see docs/mqtt.md for the topics.

Nothing is published but what everyone at the table may know. The library is imported only where a
broker is set.
"""
