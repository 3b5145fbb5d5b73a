"""Which values have to stand at a place of a function, and which expressions give them."""
