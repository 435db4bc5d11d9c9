"""The `tiki` command."""
