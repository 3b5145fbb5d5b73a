"""Counting what real fixes of single functions look like, for the order of the search."""
