"""What is in the way: arms over the table, the background model that shows them, and their side.

Says which places cannot be seen, never what stands there. The readers import it; it imports the
rooms below it: `photometry`, `geometry` and `capture`.
"""
