"""Hops, a toy game with eyes: its fields are declared, and read by the reader of all stacks."""
