"""One loader for each published form of a corpus, reading what its users already have on disk."""
