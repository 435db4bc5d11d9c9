"""Cards in photographs of a phone: single ones and hands."""
