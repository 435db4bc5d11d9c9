"""The people who play at a table: their results, ratings and records, where the host wants them."""
