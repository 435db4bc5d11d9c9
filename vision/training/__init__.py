"""How the network that names symbols was made: cards drawn by our own code, never photographs."""
