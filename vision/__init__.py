"""The eyes: from pixels to words about the table."""
