"""A hand of thirteen cards, and what it counts."""

THIRTEEN = (
    ("blue", "1"), ("blue", "2"), ("yellow", "3"), ("yellow", "4"), ("green", "5"), ("green", "6"),
    ("blue", "7"), ("blue", "8"), ("yellow", "9"), ("green", "0"), ("green", "1"), ("blue", "skip"),
    ("yellow", "reverse"),
)  # fmt: skip
POINTS = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 0 + 1 + 20 + 20
