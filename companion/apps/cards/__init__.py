"""Cards in photographs of a phone: single ones, hands, and the owner's registered ones."""
