"""The virtual table: a table in the browser whose pictures the real eyes judge."""
