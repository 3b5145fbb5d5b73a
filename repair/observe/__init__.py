"""The unpatched program seen in runs: baseline, suites, causes, parsing."""
