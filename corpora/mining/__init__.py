"""Fresh corpora from histories that anyone has: commits, releases, seeded faults."""
