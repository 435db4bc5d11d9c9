"""The virtual table: a table in the browser that the real eyes judge."""
