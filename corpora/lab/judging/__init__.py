"""The judge judged: patches that are known to be right or wrong, its word on each, and what that adds up to."""
