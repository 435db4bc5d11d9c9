"""Topple at the table: what the referee, the reader and the pages need."""
