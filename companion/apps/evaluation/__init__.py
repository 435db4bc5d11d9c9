"""How well readers and referee do, measured against labelled pictures and the truth of films."""
