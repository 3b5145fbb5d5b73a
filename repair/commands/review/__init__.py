"""A person looks at a run's patches and decides: on a screen, or line by line."""
