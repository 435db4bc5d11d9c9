"""Pictures: cameras, one frame after another, and the motion gate that waits until nothing moves.

Knows nothing of tables or games. Every other room may import it; it imports none.
"""
