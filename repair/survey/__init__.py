"""The tests themselves: who vouches for what, and what no test would notice."""
