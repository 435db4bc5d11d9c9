"""The computer: a seat at the table that the companion plays itself."""
