"""The games that the companion referees, a package each; `companion.registry` lists them."""
