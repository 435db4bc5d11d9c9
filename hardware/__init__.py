"""The hands: lamps, displays and sensors on the table."""
