"""A table in three dimensions in the browser, which the real eyes judge."""
