"""Where a trial runs, which tests run first, and what is remembered of it."""
