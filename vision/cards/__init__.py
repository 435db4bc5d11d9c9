"""The readers of cards: Tippi Toppi's piles; UNO Tiki's discard pile, idol and Tiki Faces.

Cards are detected, segmented, re-identified and classified here; the two readers stand beside each
other and share no more than that. Only the eyes of the two card games import it.
"""
