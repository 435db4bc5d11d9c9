"""The readers of cards: Tippi Toppi's piles; UNO Tiki's discard pile, idol and Tiki Faces.

From a picture to evidence: `detection` crops a patch around a pile, in which `segmentation` finds
the card's panel, or `card_corners` the card where noise or shadow breaks its panel; `card_crop`
crops the card; `colours` and `symbols` classify it, the latter in patches that `symbol_fusion`
combines, with all of an UNO card (`card_kinds`) where these are not plain. A photograph of a card
is read by the same parts, without a place; the cards of a hand by the indices in their corners
(`index_finder`, `index_names`). `reidentification` compares a card with an earlier
picture. The two readers, `pile_reader` and `discard_reader`, share `table_reader` and import
nothing of each other. Only the eyes of the two card games import this package.

A constant that is said to be *tuned* was set by hand on recorded and rendered tables, and is judged
by `tiki evaluate DIR` and `tiki evaluate DIR --altered 1-20`. One that is *measured* describes the
cards and the idol as recorded pictures show them.
"""
