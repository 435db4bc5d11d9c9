"""What no evening needs: loaded by name, through `companion.registry`, by who asks for it."""
