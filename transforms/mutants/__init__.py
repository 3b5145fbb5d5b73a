"""Programs that good tests should tell from a patch: mutants, deletions, sabotages, other numbers."""
