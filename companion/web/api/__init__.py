"""What programs may ask for: games, each at any step, and the description of all addresses."""
