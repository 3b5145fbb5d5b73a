"""One file a check: a shape of behaviour that speaks against a patch, with examples that it flags and leaves alone."""
