"""The eyes under test."""
