"""A tiny lending library."""
