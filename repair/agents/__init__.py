"""The judge where agents work: what a coding agent's hook asks and is told."""
