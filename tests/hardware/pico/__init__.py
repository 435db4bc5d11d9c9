"""The Pico: its drive, its firmware and the wire to it."""
