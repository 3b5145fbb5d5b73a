"""What is written down: runs, their index and seals, the journal of an apply, replay, git."""
