"""Rules that tell whether a test can serve as evidence."""
