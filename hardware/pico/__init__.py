"""The Raspberry Pi Pico in the idol's foot: its drive, its firmware and the wire to it."""
