"""Sources of proposals; siblings do not import each other."""
