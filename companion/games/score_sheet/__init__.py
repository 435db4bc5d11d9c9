"""A score sheet: only points, round by round, for any game."""
