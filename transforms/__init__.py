"""Trees in, trees out: what may be edited, how edits are made, placed and checked."""
