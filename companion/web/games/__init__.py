"""The pages of each game, beside what the pages of all games share."""
