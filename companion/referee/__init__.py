"""The referee: the only part that speaks both of the table and of the game."""
