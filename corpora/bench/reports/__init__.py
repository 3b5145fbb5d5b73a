"""The same rows and summaries for people, programs, papers and leaderboards."""
