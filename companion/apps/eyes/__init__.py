"""What the eyes see, for people: places, the odds of what may have happened, and who said what.

All of it is made of the last picture that the referee kept, and only while somebody looks.
"""
