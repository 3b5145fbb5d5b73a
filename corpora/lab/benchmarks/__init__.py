"""Measurements of the engine beside its rivals; every figure comes out of the run that prints it."""
