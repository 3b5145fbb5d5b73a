"""Runs inside the target's interpreter: standard library only, Python 3.8 and newer, nothing of the engine."""
