"""A session of pytest: run as it is, or its items alone, in forks."""
