"""Two programs on the same calls: where they differ, and how much work each does."""
