"""Whether the idol favours a seat: counts of spins, and what they can prove.

Pure arithmetic on logged spins. The daemon and the commands import it.
"""
