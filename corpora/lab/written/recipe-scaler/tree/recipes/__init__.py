"""Scale recipes and add up what is in them."""
