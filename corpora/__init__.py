"""Bugs with held-out answers; stands above the engine, which cannot import it."""
