"""Results as text, JSON, diff, GitHub commands, SARIF; progress; the guard of terminals."""
