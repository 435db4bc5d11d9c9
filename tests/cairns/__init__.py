"""Cairns, a toy game with eyes: its piles of discs are declared, and read as Topple's are."""
