"""Hotel prices. All money is in whole cents."""
