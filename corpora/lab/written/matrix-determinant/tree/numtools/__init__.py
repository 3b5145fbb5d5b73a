"""Small numeric helpers on plain lists; no numpy needed."""
