"""``repair make``: a task's text becomes a program and its tests, written by a model and mended by our own repair."""
