"""Find the way from one stop to another."""
