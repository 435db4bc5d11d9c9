"""HTTP itself: serving, connections, which requests are admitted, keys, streams, versions."""
